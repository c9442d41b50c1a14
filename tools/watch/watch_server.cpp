#include "tools/watch/watch_server.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <system_error>

#include "tools/pictures/report_page.hpp"

namespace chainshot::tools {
namespace {

constexpr std::chrono::milliseconds kStatusLifetime{250};
constexpr std::chrono::milliseconds kDataLifetime{3000};

// Threads of the server yield to the run and leave signals to the threads that expect them. They are not idle threads
// (SCHED_IDLE): on a machine whose every processor searches, a page would take minutes.
void become_background_thread() {
  constexpr int kNiceness = 10;
  ::setpriority(PRIO_PROCESS, static_cast<id_t>(::syscall(SYS_gettid)), kNiceness);
}

// Blocks all signals for the threads started while it lives.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
  sigset_t before_;
};

}  // namespace

std::string SharedAnswer::text() {
  const std::lock_guard lock(mutex_);
  const auto now = std::chrono::steady_clock::now();
  if (!is_made_ || now - made_ >= lifetime_) {
    is_made_ = false;
    text_ = make_();
    is_made_ = true;
    // The time that it took does not count, so that a slow answer is not made all the time.
    made_ = std::chrono::steady_clock::now();
  }
  return text_;
}

WatchServer::WatchServer(WatchAddress address, WatchSources sources)
    : address_(std::move(address)),
      data_(std::move(sources.data), kDataLifetime),
      status_(std::move(sources.status), kStatusLifetime),
      page_(live_report_html()),
      style_(report_style()),
      script_(report_script()) {
  listener_ = listen_at(address_);
  wake_ = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (wake_ < 0) {
    const int error = errno;
    ::close(listener_);
    throw std::system_error(error, std::generic_category(), "cannot serve the live page");
  }
  connections_ =
      std::make_unique<HttpConnections>([this](const HttpRequest& request) { return answer(request); }, wake_);
  const SignalsBlocked blocked;
  threads_.emplace_back([this] { accept_connections(); });
  for (std::size_t i = 0; i < kWorkers; ++i)
    threads_.emplace_back([this] { serve_connections(); });
}

WatchServer::~WatchServer() {
  {
    const std::lock_guard lock(mutex_);
    is_stopping_ = true;
  }
  ::eventfd_write(wake_, 1);
  changed_.notify_all();
  for (std::thread& thread : threads_)
    thread.join();
  for (const int socket : waiting_)
    ::close(socket);
  ::close(listener_);
  ::close(wake_);
}

std::string WatchServer::url() const {
  const bool is_ipv6 = address_.address.find(':') != std::string::npos;
  return fmt::format("http://{}:{}/", is_ipv6 ? '[' + address_.address + ']' : address_.address, address_.port);
}

HttpAnswer WatchServer::answer(const HttpRequest& request) {
  if (!is_own_host(request.host, address_)) return {.status = 403, .body = "This server has another name.\n"};
  if (request.method != "GET" && request.method != "HEAD") return {.status = 405, .body = "Only GET and HEAD.\n"};
  if (request.path == "/") return {.type = "text/html; charset=utf-8", .body = page_};
  if (request.path == "/report.css") return {.type = "text/css; charset=utf-8", .body = style_};
  if (request.path == "/report.js") return {.type = "text/javascript; charset=utf-8", .body = script_};
  if (request.path == "/data.json") return {.type = "application/json", .body = data_.text()};
  if (request.path == "/status.json") return {.type = "application/json", .body = status_.text()};
  return {.status = 404, .body = "There is no such page.\n"};
}

// Accepts no more connections while `kMostWaiting` wait: each one takes a file descriptor, which the run needs too.
void WatchServer::accept_connections() {
  become_background_thread();
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return is_stopping_ || waiting_.size() < kMostWaiting; });
      if (is_stopping_) return;
    }
    pollfd both[] = {{listener_, POLLIN, 0}, {wake_, POLLIN, 0}};
    ::poll(both, 2, -1);
    const int socket = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (socket < 0) {
      // Without descriptors or memory, give the run time to return some.
      if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM)
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
      continue;
    }
    {
      const std::lock_guard lock(mutex_);
      waiting_.push_back(socket);
    }
    changed_.notify_all();
  }
}

void WatchServer::serve_connections() {
  become_background_thread();
  for (;;) {
    int socket = -1;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return is_stopping_ || !waiting_.empty(); });
      if (is_stopping_) return;
      socket = waiting_.front();
      waiting_.pop_front();
    }
    changed_.notify_all();
    connections_->serve(socket);
  }
}

}  // namespace chainshot::tools
