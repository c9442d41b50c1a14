#include "host/record/record_hook.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <utility>

extern char** environ;

namespace chainshot::host {
namespace {

constexpr auto kLastPatience = std::chrono::seconds(10);
constexpr auto kPoll = std::chrono::milliseconds(20);

// A file in a new folder of its own, both removed at the end.
class TemporaryFile {
 public:
  // The path is empty if the file could not be written.
  explicit TemporaryFile(const std::string& content) {
    std::error_code error;
    const std::filesystem::path place = std::filesystem::temp_directory_path(error);
    if (error) return;
    std::string folder = (place / "chainshot-").string() + std::string(6, 'X');  // mkdtemp replaces these letters
    if (::mkdtemp(folder.data()) == nullptr) return;
    folder_ = folder;
    std::ofstream file(folder + "/solution.txt");
    file << content;
    file.close();
    if (file) path_ = folder + "/solution.txt";
  }
  ~TemporaryFile() {
    std::error_code ignored;
    if (!folder_.empty()) std::filesystem::remove_all(folder_, ignored);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string folder_, path_;
};

// Starts the command in a process group of its own, with no signal blocked or ignored. Returns 0, or the number of the
// error.
int start(const std::vector<std::string>& words, pid_t& child) {
  std::vector<char*> arguments;
  for (const std::string& word : words)
    arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  // The answers of the program stay its own: what the command prints goes to the standard error.
  posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
  const int error = ::posix_spawn(&child, "/bin/sh", &actions, &attributes, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  return error;
}

}  // namespace

RecordHook::RecordHook(std::string command, Notice notice)
    : command_(std::move(command)), notice_(std::move(notice)), thread_([this] { run(); }) {}

RecordHook::~RecordHook() {
  {
    const std::lock_guard lock(mutex_);
    end_ = std::chrono::steady_clock::now() + kLastPatience;
    changed_.notify_all();
  }
  thread_.join();
}

void RecordHook::push(const std::string& board, int score, const std::string& solution) {
  const std::lock_guard lock(mutex_);
  const auto same = std::find_if(waiting_.begin(), waiting_.end(), [&](const Record& r) { return r.board == board; });
  if (same == waiting_.end())
    waiting_.push_back({board, score, solution});
  else
    *same = {board, score, solution};
  changed_.notify_all();
}

bool RecordHook::is_over() const {
  const std::lock_guard lock(mutex_);
  return std::chrono::steady_clock::now() >= end_;
}

void RecordHook::run() {
  while (true) {
    Record record;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return !waiting_.empty() || end_ != std::chrono::steady_clock::time_point::max(); });
      if (waiting_.empty() || std::chrono::steady_clock::now() >= end_) return;
      record = std::move(waiting_.front());
      waiting_.pop_front();
    }
    const std::string problem = call(record);
    if (!problem.empty() && !std::exchange(has_failed_, true))
      notice_(fmt::format("--on-record: {}; the run goes on, and further failures are not reported", problem));
  }
}

std::string RecordHook::call(const Record& record) {
  const TemporaryFile file(record.solution);
  if (file.path().empty()) return "the solution could not be written to a temporary file";
  pid_t child = 0;
  const int error = start(
      {"/bin/sh", "-c", command_ + " \"$@\"", "chainshot", record.board, std::to_string(record.score), file.path()},
      child);
  if (error != 0) return fmt::format("the command could not be started: {}", std::strerror(error));
  int status = 0;
  while (::waitpid(child, &status, WNOHANG) == 0) {
    if (is_over()) {
      ::kill(-child, SIGTERM);
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
      ::kill(-child, SIGKILL);
      ::waitpid(child, &status, 0);
      return fmt::format("the command was still running for {} when the run ended, and was ended", record.board);
    }
    std::this_thread::sleep_for(kPoll);
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {};
  return WIFEXITED(status) ? fmt::format("the command returned {} for {}", WEXITSTATUS(status), record.board)
                           : fmt::format("the command was ended by signal {} for {}", WTERMSIG(status), record.board);
}

}  // namespace chainshot::host
