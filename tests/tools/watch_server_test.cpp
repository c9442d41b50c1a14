// The live page: what it answers, what it refuses, and that no client can slow the run, end it or use up its files.
#include "tools/watch/watch_server.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <thread>

#include "tools/options/input_error.hpp"
#include "tools/watch/status_json.hpp"

namespace chainshot::tools {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

// A client's socket.
class Client {
 public:
  explicit Client(int port) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    ::connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof(address));
  }
  Client(Client&& other) noexcept : socket_(std::exchange(other.socket_, -1)) {}
  Client& operator=(Client&&) = delete;
  ~Client() {
    if (socket_ >= 0) ::close(socket_);
  }

  // Sends what the socket takes; the server may have closed it.
  void send(const std::string& text) const {
    for (std::size_t at = 0; at < text.size();) {
      pollfd ready{socket_, POLLOUT, 0};
      if (::poll(&ready, 1, 2000) <= 0) return;
      const ssize_t sent = ::send(socket_, text.data() + at, text.size() - at, MSG_NOSIGNAL);
      if (sent <= 0) return;
      at += static_cast<std::size_t>(sent);
    }
  }
  // Sends one byte if the socket takes it at once.
  void trickle(char byte) const { ::send(socket_, &byte, 1, MSG_NOSIGNAL); }
  // Returns everything until the server closes the connection.
  std::string receive(std::chrono::milliseconds patience = 20s) const {
    std::string text;
    std::array<char, 65536> piece;
    for (const auto end = Clock::now() + patience; Clock::now() < end;) {
      pollfd ready{socket_, POLLIN, 0};
      if (::poll(&ready, 1, 100) <= 0) continue;
      const ssize_t got = ::recv(socket_, piece.data(), piece.size(), 0);
      if (got <= 0) break;
      text.append(piece.data(), static_cast<std::size_t>(got));
    }
    return text;
  }

 private:
  int socket_;
};

std::string request(const std::string& method, const std::string& path, const std::string& host = "localhost") {
  return method + ' ' + path + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n";
}

std::string ask(const WatchServer& server, const std::string& text) {
  const Client client(server.port());
  client.send(text);
  return client.receive();
}

std::string get(const WatchServer& server, const std::string& path) {
  return ask(server, request("GET", path));
}

int status_of(const std::string& answer) {
  return answer.starts_with("HTTP/1.1 ") ? std::stoi(answer.substr(9, 3)) : 0;
}

std::size_t open_files() {
  const std::filesystem::directory_iterator files("/proc/self/fd");
  return static_cast<std::size_t>(std::distance(begin(files), end(files)));
}

std::vector<int> threads() {
  std::vector<int> numbers;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task"))
    numbers.push_back(std::stoi(task.path().filename()));
  return numbers;
}

std::vector<int> threads_since(const std::vector<int>& before) {
  std::vector<int> numbers = threads();
  std::erase_if(numbers, [&](int n) { return std::find(before.begin(), before.end(), n) != before.end(); });
  return numbers;
}

// Returns the processor time of threads. Linux numbers the clock of a thread like this.
double processor_seconds(const std::vector<int>& numbers) {
  double sum = 0;
  for (const int number : numbers) {
    timespec time{};
    EXPECT_EQ(::clock_gettime(static_cast<clockid_t>(~static_cast<unsigned>(number) << 3 | 6u), &time), 0);
    sum += static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
  }
  return sum;
}

// A thread that stands for the search.
class FakeSearch {
 public:
  FakeSearch() : thread_([this] { work(); }) {}
  ~FakeSearch() {
    is_over_ = true;
    thread_.join();
  }
  std::uint64_t done() const { return done_; }

 private:
  void work() {
    volatile std::uint64_t x = 1;
    while (!is_over_) {
      for (int i = 0; i < 1000; ++i)
        x = x * 6364136223846793005u + 1;
      ++done_;
    }
  }
  std::atomic<bool> is_over_ = false;
  std::atomic<std::uint64_t> done_ = 0;
  std::thread thread_;
};

const WatchSources kFixed{.data = [] { return R"({"boards":[]})"; }, .status = [] { return R"({"sum":1})"; }};

TEST(WatchServer, ServesThePageAndItsPartsUnderAStrictPolicy) {
  const WatchServer server({}, kFixed);
  for (const auto& [path, type] :
       {std::pair("/", "text/html; charset=utf-8"), std::pair("/report.js", "text/javascript; charset=utf-8"),
        std::pair("/report.css", "text/css; charset=utf-8"), std::pair("/data.json", "application/json"),
        std::pair("/status.json?x=1", "application/json")}) {
    const std::string answer = get(server, path);
    EXPECT_EQ(status_of(answer), 200) << path;
    for (const std::string& header :
         {"Content-Type: " + std::string(type), std::string("X-Content-Type-Options: nosniff"),
          std::string("Cache-Control: no-store"), std::string("Connection: close"),
          std::string("Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; connect-src "
                      "'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'")})
      EXPECT_NE(answer.find(header + "\r\n"), std::string::npos) << path << ": " << header;
    EXPECT_EQ(answer.find("Access-Control"), std::string::npos) << path;
  }
  EXPECT_TRUE(get(server, "/status.json").ends_with("\r\n\r\n{\"sum\":1}"));
  EXPECT_EQ(get(server, "/").find("CHAINSHOT_"), std::string::npos);
}

TEST(WatchServer, AnswersHeadWithoutABody) {
  const WatchServer server({}, kFixed);
  const std::string answer = ask(server, request("HEAD", "/data.json"));
  EXPECT_EQ(status_of(answer), 200);
  EXPECT_TRUE(answer.ends_with("\r\n\r\n")) << answer;
  EXPECT_NE(answer.find("Content-Length: 13\r\n"), std::string::npos) << answer;
}

TEST(WatchServer, RefusesOtherMethodsHostsAndPaths) {
  const WatchServer server({}, kFixed);
  for (const char* method : {"POST", "PUT", "DELETE", "OPTIONS", "PATCH"})
    EXPECT_EQ(status_of(ask(server, request(method, "/"))), 405) << method;
  EXPECT_EQ(status_of(ask(server, "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n" +
                                      std::string(100000, 'x'))),
            405);
  const std::string port = std::to_string(server.port());
  for (const std::string& host : {"localhost:" + port, "127.0.0.1:" + port, "[::1]:" + port, std::string("LOCALHOST")})
    EXPECT_EQ(status_of(ask(server, request("GET", "/", host))), 200) << host;
  for (const char* host : {"evil.example", "evil.example:80", "127.0.0.1.evil.example", "", "10.0.0.1"})
    EXPECT_EQ(status_of(ask(server, request("GET", "/data.json", host))), 403) << host;
  EXPECT_EQ(status_of(ask(server, "GET / HTTP/1.1\r\n\r\n")), 403);
  EXPECT_EQ(status_of(ask(server, "GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n")), 403);
  for (const char* path : {"/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "//etc/passwd", "/report.js/", "/x"}) {
    const std::string answer = get(server, path);
    EXPECT_EQ(status_of(answer), 404) << path;
    EXPECT_EQ(answer.find("root:"), std::string::npos) << path;
  }
}

TEST(WatchServer, AcceptsAnyAddressButNoNameWhereItListensOnAll) {
  const WatchServer server({.address = "0.0.0.0"}, kFixed);
  EXPECT_EQ(status_of(ask(server, request("GET", "/", "192.168.1.7:80"))), 200);
  EXPECT_EQ(status_of(ask(server, request("GET", "/", "evil.example"))), 403);
}

TEST(WatchServer, AFailingSourceIsAnErrorWithoutDetails) {
  const WatchServer server({}, {.data = []() -> std::string { throw std::runtime_error("the secret"); },
                                .status = [] { return std::string("{}"); }});
  for (int i = 0; i < 3; ++i) {
    const std::string answer = get(server, "/data.json");
    EXPECT_EQ(status_of(answer), 500);
    EXPECT_EQ(answer.find("secret"), std::string::npos) << answer;
  }
  EXPECT_EQ(status_of(get(server, "/status.json")), 200);
}

TEST(WatchServer, MakesTheStatusFourTimesPerSecondWhateverTheClients) {
  std::atomic<int> made = 0;
  const WatchServer server(
      {}, {.data = [] { return std::string("{}"); }, .status = [&] { return std::to_string(++made); }});
  const auto start = Clock::now();
  std::vector<std::thread> clients;
  std::atomic<int> answered = 0;
  for (int i = 0; i < 8; ++i)
    clients.emplace_back([&] {
      while (Clock::now() < start + 1s)
        answered += status_of(get(server, "/status.json")) == 200;
    });
  for (std::thread& client : clients)
    client.join();
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
  EXPECT_GT(answered, made);
  EXPECT_LE(made, 4 * seconds + 1);
  std::this_thread::sleep_for(300ms);
  const int before = made;
  get(server, "/status.json");
  EXPECT_EQ(made, before + 1);  // an old answer is not given
}

TEST(WatchServer, SurvivesRequestsThatAreNone) {
  const WatchServer server({}, kFixed);
  std::string noise;
  for (int i = 0; i < 5000; ++i)
    noise += static_cast<char>(i * 2654435761u >> 13);
  std::string many_headers = "GET / HTTP/1.1\r\nHost: localhost\r\n";
  for (int i = 0; i < 100000; ++i)
    many_headers += "X: y\r\n";
  for (const std::string& text :
       {noise, std::string(1 << 20, 'x'), std::string(1000, '\0'), std::string("\r\n\r\n\r\n"),
        std::string("GET\r\n\r\n"), "GET /" + std::string(100000, 'a') + " HTTP/1.1\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: " + std::string(1 << 20, 'h') + "\r\n\r\n", many_headers + "\r\n",
        "GET /status.json HTTP/1.1\r\nHost: localhost\r\nRange: bytes=" + std::string(7000, '0') + "-\r\n\r\n",
        std::string("GET / HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n"),
        std::string("GET / HTTP/9.9\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n")}) {
    const Client client(server.port());
    client.send(text);
    const int status = status_of(client.receive());
    EXPECT_TRUE(status == 0 || (status >= 200 && status < 500)) << status << ' ' << text.substr(0, 60);
  }
  // Parts of a file would be more work than the file.
  const std::string ranges = "GET /report.js HTTP/1.1\r\nHost: localhost\r\nRange: bytes=0-,0-,0-,0-\r\n\r\n";
  EXPECT_EQ(ask(server, ranges).find("multipart"), std::string::npos);
  EXPECT_EQ(status_of(get(server, "/")), 200);
}

TEST(WatchServer, SilentAndSlowClientsCostFewFilesAndNoTime) {
  const std::size_t files_before = open_files();
  FakeSearch search;
  const std::vector<int> others = threads();
  const WatchServer server({}, kFixed);
  const std::vector<int> servers = threads_since(others);
  constexpr std::size_t kClients = 400;
  std::vector<Client> clients;
  for (std::size_t i = 0; i < kClients; ++i)
    clients.emplace_back(server.port());
  const double spent_before = processor_seconds(servers);
  const std::uint64_t work = search.done();
  const std::string text = request("GET", "/");
  std::size_t most_files = 0;
  constexpr int kSteps = 30;
  for (int step = 0; step < kSteps; ++step) {  // every other client sends a byte at a time
    for (std::size_t i = 0; i < kClients; i += 2)
      clients[i].trickle(text[static_cast<std::size_t>(step) % text.size()]);
    most_files = std::max(most_files, open_files());
    std::this_thread::sleep_for(100ms);
  }
  EXPECT_GT(search.done(), work);
  // Accepted: those that wait, one per worker and one in the hands of the accepting thread; also listener, wake
  // descriptor and the one of the directory that is counted.
  EXPECT_LE(most_files, files_before + kClients + WatchServer::kMostWaiting + WatchServer::kWorkers + 4);
  // Waiting for these clients costs next to nothing. A server that asked again and again would take every processor
  // that it can get for 3 s.
  EXPECT_LT(processor_seconds(servers) - spent_before, 0.15);
}

TEST(WatchServer, ThousandsOfConnectionsLeaveNothingBehind) {
  const WatchServer server({}, kFixed);
  get(server, "/");
  const std::size_t files_before = open_files();
  for (int i = 0; i < 2000; ++i) {
    const Client client(server.port());
    if (i % 3 == 1) client.send(request("GET", "/status.json"));
    if (i % 3 == 2) client.send("GET / HT");
  }
  EXPECT_EQ(status_of(get(server, "/")), 200);
  const auto end = Clock::now() + 20s;
  while (open_files() > files_before && Clock::now() < end)
    std::this_thread::sleep_for(50ms);
  EXPECT_LE(open_files(), files_before);
}

TEST(WatchServer, AClientThatGoesAwayDoesNotEndTheProgram) {
  struct sigaction before {};
  ::sigaction(SIGPIPE, nullptr, &before);
  ASSERT_EQ(before.sa_handler, SIG_DFL);
  const std::string large(8 << 20, 'x');
  {
    const WatchServer server({}, {.data = [&] { return large; }, .status = [] { return std::string("{}"); }});
    struct sigaction after {};
    ::sigaction(SIGPIPE, nullptr, &after);
    EXPECT_EQ(after.sa_handler, SIG_DFL);  // `chainshot ... | head` depends on the signal
    for (int i = 0; i < 20; ++i) {
      const Client client(server.port());
      client.send(request("GET", "/data.json"));
      std::this_thread::sleep_for(5ms);
    }
    // The server gives a client some seconds, which are few for so much on a busy machine.
    bool is_served = false;
    for (int i = 0; i < 10 && !is_served; ++i)
      is_served = get(server, "/data.json").size() > large.size();
    EXPECT_TRUE(is_served);
  }
}

double seconds_to_end_with_open_clients() {
  const std::string large(16 << 20, 'x');
  auto server = std::make_unique<WatchServer>(
      WatchAddress{}, WatchSources{.data = [&] { return large; }, .status = [] { return std::string("{}"); }});
  std::vector<Client> clients;
  for (int i = 0; i < 100; ++i) {
    clients.emplace_back(server->port());
    if (i < 2) clients.back().send(request("GET", "/data.json"));  // and reads nothing
    if (i >= 2 && i < 50) clients.back().send("GET / HTTP/1.1\r\n");
  }
  std::this_thread::sleep_for(200ms);
  const auto start = Clock::now();
  server.reset();
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Clients have 5 s and more, but the threads of the server may wait as long for a processor. So the test tries again.
TEST(WatchServer, EndsAtOnceWithOpenClients) {
  bool is_at_once = false;
  for (int i = 0; i < 5 && !is_at_once; ++i)
    is_at_once = seconds_to_end_with_open_clients() < 4;
  EXPECT_TRUE(is_at_once);
}

TEST(WatchServer, ThreadsHaveLowPriorityAndLeaveSignalsToTheProgram) {
  const std::vector<int> before = threads();
  const WatchServer server({}, kFixed);
  get(server, "/");
  const std::vector<int> servers = threads_since(before);
  EXPECT_EQ(servers.size(), WatchServer::kWorkers + 1);
  for (const int thread : servers) {
    const auto priority = [&] { return ::getpriority(PRIO_PROCESS, static_cast<id_t>(thread)); };
    // A thread lowers its priority first of all, but it may not have run yet.
    for (const auto end = Clock::now() + 20s; priority() != 10 && Clock::now() < end;)
      std::this_thread::sleep_for(1ms);
    EXPECT_EQ(priority(), 10);
    std::ifstream status("/proc/self/task/" + std::to_string(thread) + "/status");
    for (std::string line; std::getline(status, line);) {
      if (line.starts_with("SigBlk:")) {
        EXPECT_NE(std::stoull(line.substr(7), nullptr, 16) & (1u << (SIGINT - 1)), 0u) << line;
      }
    }
  }
}

TEST(WatchAddress, IsAPortOrAnAddressAndAPort) {
  EXPECT_EQ(parse_watch_address("8080").address, "127.0.0.1");
  EXPECT_EQ(parse_watch_address("8080").port, 8080);
  EXPECT_EQ(parse_watch_address("0.0.0.0:0").address, "0.0.0.0");
  EXPECT_EQ(parse_watch_address("[::1]:81").address, "::1");
  EXPECT_EQ(parse_watch_address("localhost:81").address, "127.0.0.1");
  for (const char* text : {"", "http", "65536", "-1", "80 ", "1.2.3:80", "example.com:80", "1.2.3.4", ":80", "::1:x"})
    EXPECT_THROW(parse_watch_address(text), InputError) << text;
}

TEST(WatchAddress, ATakenPortIsOneSentence) {
  const WatchServer first({}, kFixed);
  try {
    const WatchServer second({.port = first.port()}, kFixed);
    FAIL() << "two servers share a port";
  } catch (const InputError& error) {
    EXPECT_EQ(error.what(), "port " + std::to_string(first.port()) +
                                " of 127.0.0.1 is taken by another program; expected a free port, or 0 for any");
  }
  EXPECT_EQ(first.url(), "http://127.0.0.1:" + std::to_string(first.port()) + "/");
}

TEST(StatusJson, SumsTheBoardsAndNamesTheTurns) {
  host::RecordStatus status;
  status.state = "running";
  status.seconds = 10;
  status.boards = {{.id = 1, .name = "a", .best = 3000, .before = 2900, .known = 3100, .turns = 2, .improved_at = {}},
                   {.id = 2, .name = "b\xff<", .best = {}, .before = {}, .known = {}, .turns = 0, .improved_at = {}}};
  status.turns = {{.board = 1, .number = 3, .best = 100, .seconds = 2, .share = 0.25, .status = {.playouts = 800}}};
  const auto json = nlohmann::json::parse(status_json(status, "standard"));
  EXPECT_EQ(json["version"], 1);
  EXPECT_EQ(json["sum"], 3000);
  EXPECT_EQ(json["gain"], 100);
  EXPECT_EQ(json["seconds_left"], nullptr);
  EXPECT_EQ(json["boards"][0]["current"], false);
  EXPECT_EQ(json["boards"][1]["current"], true);
  EXPECT_EQ(json["boards"][1]["best"], nullptr);
  EXPECT_EQ(json["turns"][0]["playouts_per_second"], 400);  // 800 in 2 s
  EXPECT_EQ(json["turns"][0]["share"], 0.25);
}

}  // namespace
}  // namespace chainshot::tools
