#include "tools/watch/http_connection.hpp"

#include <httplib.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>

namespace chainshot::tools {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds kFirstByte{2000};  // browsers open connections that they may never use
constexpr milliseconds kRequest{5000};    // for the whole request
constexpr milliseconds kProgress{5000};   // for a piece of the answer
constexpr milliseconds kAnswer{20000};    // for the whole answer
constexpr std::size_t kMostRequest = 16 * 1024;

// A non-blocking socket whose reads and writes fail at their deadlines.
class ClientStream : public httplib::Stream {
 public:
  ClientStream(int socket, int wake) : socket_(socket), wake_(wake), opened_(Clock::now()) {}

  bool is_readable() const override { return wait(POLLIN, read_deadline()); }
  bool is_writable() const override { return wait(POLLOUT, write_deadline()); }

  ssize_t read(char* to, size_t size) override {
    // httplib reads single bytes; ask the system for more at once.
    if (used_ == held_) {
      if (received_ >= kMostRequest || !wait(POLLIN, read_deadline())) return -1;
      const ssize_t got = ::recv(socket_, buffer_.data(), std::min(buffer_.size(), kMostRequest - received_), 0);
      if (got <= 0) return got;
      used_ = 0;
      held_ = static_cast<std::size_t>(got);
      received_ += held_;
    }
    const std::size_t taken = std::min(size, held_ - used_);
    std::copy_n(buffer_.data() + used_, taken, to);
    used_ += taken;
    return static_cast<ssize_t>(taken);
  }

  ssize_t write(const char* from, size_t size) override {
    if (answered_ == Clock::time_point()) answered_ = Clock::now();
    for (;;) {
      // Without MSG_NOSIGNAL, a client that goes away would end the program.
      const ssize_t sent = ::send(socket_, from, size, MSG_NOSIGNAL);
      if (sent >= 0) return sent;
      if (errno == EINTR) continue;
      if ((errno != EAGAIN && errno != EWOULDBLOCK) || !wait(POLLOUT, write_deadline())) return -1;
    }
  }

  void get_remote_ip_and_port(std::string& ip, int& port) const override {
    ip.clear();
    port = 0;
  }
  void get_local_ip_and_port(std::string& ip, int& port) const override {
    ip.clear();
    port = 0;
  }
  socket_t socket() const override { return socket_; }

  // Ends the connection such that the client reads the answer: a socket that is closed with unread bytes is reset.
  void finish() {
    ::shutdown(socket_, SHUT_WR);
    const Clock::time_point deadline = Clock::now() + milliseconds(100);
    for (std::size_t drained = 0; drained < 4 * kMostRequest && wait(POLLIN, deadline);) {
      const ssize_t got = ::recv(socket_, buffer_.data(), buffer_.size(), 0);
      if (got <= 0) break;
      drained += static_cast<std::size_t>(got);
    }
  }

 private:
  Clock::time_point read_deadline() const { return opened_ + (received_ == 0 ? kFirstByte : kRequest); }
  Clock::time_point write_deadline() const { return std::min(Clock::now() + kProgress, answered_ + kAnswer); }

  // Returns whether the socket is ready; false at the deadline and when the server stops.
  bool wait(short event, Clock::time_point deadline) const {
    for (;;) {
      const auto left = std::chrono::duration_cast<milliseconds>(deadline - Clock::now()).count();
      if (left <= 0) return false;
      pollfd both[] = {{socket_, event, 0}, {wake_, POLLIN, 0}};
      const int ready = ::poll(both, 2, static_cast<int>(left));
      if (ready < 0 && errno == EINTR) continue;
      return ready > 0 && both[1].revents == 0;
    }
  }

  const int socket_;
  const int wake_;
  const Clock::time_point opened_;
  Clock::time_point answered_{};
  std::array<char, 4096> buffer_;
  std::size_t used_ = 0, held_ = 0, received_ = 0;
};

// httplib's server ignores SIGPIPE for the whole program when it is made; the program wants the signal.
class SignalKeeper {
 public:
  SignalKeeper() { ::sigaction(SIGPIPE, nullptr, &before_); }
  ~SignalKeeper() { ::sigaction(SIGPIPE, &before_, nullptr); }
  SignalKeeper(const SignalKeeper&) = delete;
  SignalKeeper& operator=(const SignalKeeper&) = delete;

 private:
  struct sigaction before_ = {};
};

}  // namespace

// The part of httplib's server that handles a request. Sockets and threads are our own.
class HttpConnections::Protocol : public httplib::Server {
 public:
  Protocol(HttpConnections::Handler handler, int wake) : handler_(std::move(handler)), wake_(wake) {
    set_payload_max_length(0);
    set_pre_routing_handler([this](const httplib::Request& request, httplib::Response& response) {
      answer(request, response);
      return HandlerResponse::Handled;
    });
    // By default the answer would contain the text of the exception.
    set_exception_handler(
        [](const httplib::Request&, httplib::Response& response, std::exception_ptr) { response.status = 500; });
  }

  void serve(int socket) {
    ClientStream stream(socket, wake_);
    // Drops the headers that make httplib do more than answer: parts of a file, compression, a body.
    const auto simplify = [](httplib::Request& request) {
      request.ranges.clear();
      for (const char* header : {"Range", "Accept-Encoding", "Expect"})
        request.headers.erase(header);
    };
    bool is_closed = false;
    process_request(stream, true, is_closed, simplify);
    stream.finish();
  }

 private:
  void answer(const httplib::Request& request, httplib::Response& response) const {
    const HttpAnswer answer =
        handler_({.method = request.method,
                  .path = request.path,
                  .host = request.get_header_value_count("Host") == 1 ? request.get_header_value("Host") : ""});
    response.status = answer.status;
    for (const auto& [name, value] : kHeaders)
      response.set_header(name, value);
    if (answer.status == 405) response.set_header("Allow", "GET, HEAD");
    response.set_content(answer.body, answer.type);
  }

  static constexpr std::pair<const char*, const char*> kHeaders[] = {
      {"Content-Security-Policy",
       "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
       "frame-ancestors 'none'; base-uri 'none'; form-action 'none'"},
      {"X-Content-Type-Options", "nosniff"},
      {"X-Frame-Options", "DENY"},
      {"Referrer-Policy", "no-referrer"},
      {"Cross-Origin-Resource-Policy", "same-origin"},
      {"Cache-Control", "no-store"}};

  const HttpConnections::Handler handler_;
  const int wake_;
};

HttpConnections::HttpConnections(Handler handler, int wake) {
  const SignalKeeper keeper;
  protocol_ = std::make_unique<Protocol>(std::move(handler), wake);
}

HttpConnections::~HttpConnections() = default;

void HttpConnections::serve(int socket) {
  try {
    protocol_->serve(socket);
  } catch (...) {
    // A bad request, or no memory for the answer: the client sees a closed connection, and the run goes on.
  }
  ::close(socket);
}

}  // namespace chainshot::tools
