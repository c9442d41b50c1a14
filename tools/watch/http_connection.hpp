// Serves one request of one connection. cpp-httplib parses the request and writes the answer; reading and writing are
// our own, because they must end: every wait has a deadline, the request has a limit, and a wake descriptor ends all.
#pragma once

#include <functional>
#include <memory>
#include <string>

namespace chainshot::tools {

struct HttpRequest {
  std::string method;
  std::string path;  // without the query
  std::string host;  // the Host header; empty if there is none or more than one
};

struct HttpAnswer {
  int status = 200;
  std::string type = "text/plain; charset=utf-8";
  std::string body;
};

// All calls may come from several threads at once.
class HttpConnections {
 public:
  using Handler = std::function<HttpAnswer(const HttpRequest&)>;

  // `handler` answers every request; an exception becomes an answer of 500 without details. When `wake` becomes
  // readable, all waits end.
  HttpConnections(Handler handler, int wake);
  ~HttpConnections();
  HttpConnections(const HttpConnections&) = delete;
  HttpConnections& operator=(const HttpConnections&) = delete;

  // Reads a request, answers it and closes the socket.
  void serve(int socket);

 private:
  class Protocol;
  std::unique_ptr<Protocol> protocol_;
};

}  // namespace chainshot::tools
