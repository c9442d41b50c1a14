// Serves the live page of a run. It must not be able to slow or end the run: few threads of low priority, few open
// sockets, deadlines for every client, and answers that are made at most a few times per second and then shared.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "tools/watch/http_connection.hpp"
#include "tools/watch/watch_address.hpp"

namespace chainshot::tools {

// Where the answers come from. The functions are called from threads of the server, each by one thread at a time. If
// one throws, the client gets status 500 without the reason.
struct WatchSources {
  std::function<std::string()> data;    // the JSON of a report (tools/reports/report_data.hpp)
  std::function<std::string()> status;  // the JSON of the run's state (tools/watch/status_json.hpp)
};

// An answer that is made again only if it is older than `lifetime`.
class SharedAnswer {
 public:
  SharedAnswer(std::function<std::string()> make, std::chrono::milliseconds lifetime)
      : make_(std::move(make)), lifetime_(lifetime) {}

  std::string text();

 private:
  const std::function<std::string()> make_;
  const std::chrono::milliseconds lifetime_;
  std::mutex mutex_;
  std::chrono::steady_clock::time_point made_;
  std::string text_;
  bool is_made_ = false;
};

class WatchServer {
 public:
  static constexpr std::size_t kWorkers = 4;
  static constexpr std::size_t kMostWaiting = 64;  // accepted connections; more wait in the system's own queue

  // Starts to serve. Throws InputError if the port is taken.
  WatchServer(WatchAddress address, WatchSources sources);
  // Ends all connections at once.
  ~WatchServer();
  WatchServer(const WatchServer&) = delete;
  WatchServer& operator=(const WatchServer&) = delete;

  std::uint16_t port() const { return address_.port; }
  // Returns http://ADDRESS:PORT/, with the port that the server got.
  std::string url() const;

 private:
  HttpAnswer answer(const HttpRequest& request);
  void accept_connections();
  void serve_connections();

  WatchAddress address_;
  SharedAnswer data_;
  SharedAnswer status_;
  const std::string page_, style_, script_;
  int listener_ = -1;
  int wake_ = -1;  // becomes readable when the server stops
  std::unique_ptr<HttpConnections> connections_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<int> waiting_;  // sockets
  bool is_stopping_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace chainshot::tools
