// A library that tests preload into the program (LD_PRELOAD) to break off or refuse its writes to certain files: every
// way by which a file changes is a fault point, and fault points are counted.
//
//   WRITE_FAULTS_PATH=TEXT     only files whose path contains TEXT
//   WRITE_FAULTS_KILL_AT=N     the process is killed (SIGKILL) instead of making write N; N counts from 1
//   WRITE_FAULTS_HALF=1        half of that write is made first, as by a power cut
//   WRITE_FAULTS_REFUSE=A-B    writes A to B fail as on a full disk
//   WRITE_FAULTS_COUNT=FILE    the number of writes goes to this file at the end
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/types.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

std::atomic<long> writes = 0;

long number_of(const char* name) {
  const char* const text = std::getenv(name);
  return text == nullptr ? 0 : std::strtol(text, nullptr, 10);
}

bool is_watched(const char* path) {
  const char* const wanted = std::getenv("WRITE_FAULTS_PATH");
  return wanted != nullptr && std::strstr(path, wanted) != nullptr;
}

bool is_watched(int descriptor) {
  std::array<char, 64> link = {};
  std::array<char, 4096> path = {};
  std::snprintf(link.data(), link.size(), "/proc/self/fd/%d", descriptor);
  return ::readlink(link.data(), path.data(), path.size() - 1) > 0 && is_watched(path.data());
}

// Counts a write. Calls `half` and kills the process if this is the one; returns true if the write must be refused.
template <class Half>
bool fault_point(const Half& half) {
  const long number = ++writes;
  static const long kill_at = number_of("WRITE_FAULTS_KILL_AT"), is_half = number_of("WRITE_FAULTS_HALF");
  if (number == kill_at) {
    if (is_half != 0) half();
    ::kill(::getpid(), SIGKILL);
  }
  const char* const refused = std::getenv("WRITE_FAULTS_REFUSE");
  long first = 0, last = 0;
  if (refused == nullptr || std::sscanf(refused, "%ld-%ld", &first, &last) != 2) return false;
  if (number < first || number > last) return false;
  errno = ENOSPC;
  return true;
}

template <class Function>
Function next(const char* name) {
  return reinterpret_cast<Function>(::dlsym(RTLD_NEXT, name));
}

struct AtEnd {
  ~AtEnd() {
    const char* const path = std::getenv("WRITE_FAULTS_COUNT");
    if (path == nullptr) return;
    if (FILE* const file = std::fopen(path, "w")) {
      std::fprintf(file, "%ld\n", writes.load());
      std::fclose(file);
    }
  }
} at_end;

}  // namespace

extern "C" {

ssize_t pwrite64(int descriptor, const void* data, size_t size, off64_t offset) {
  static const auto real = next<ssize_t (*)(int, const void*, size_t, off64_t)>("pwrite64");
  if (is_watched(descriptor) && fault_point([&] { real(descriptor, data, size / 2, offset); })) return -1;
  return real(descriptor, data, size, offset);
}

ssize_t pwrite(int descriptor, const void* data, size_t size, off_t offset) {
  return pwrite64(descriptor, data, size, offset);
}

ssize_t write(int descriptor, const void* data, size_t size) {
  static const auto real = next<ssize_t (*)(int, const void*, size_t)>("write");
  if (is_watched(descriptor) && fault_point([&] { real(descriptor, data, size / 2); })) return -1;
  return real(descriptor, data, size);
}

int fsync(int descriptor) {
  static const auto real = next<int (*)(int)>("fsync");
  if (is_watched(descriptor) && fault_point([] {})) return -1;
  return real(descriptor);
}

int fdatasync(int descriptor) {
  static const auto real = next<int (*)(int)>("fdatasync");
  if (is_watched(descriptor) && fault_point([] {})) return -1;
  return real(descriptor);
}

int ftruncate64(int descriptor, off64_t size) {
  static const auto real = next<int (*)(int, off64_t)>("ftruncate64");
  if (is_watched(descriptor) && fault_point([] {})) return -1;
  return real(descriptor, size);
}

int ftruncate(int descriptor, off_t size) {
  return ftruncate64(descriptor, size);
}

int unlink(const char* path) {
  static const auto real = next<int (*)(const char*)>("unlink");
  if (is_watched(path) && fault_point([] {})) return -1;
  return real(path);
}

int rename(const char* from, const char* to) {
  static const auto real = next<int (*)(const char*, const char*)>("rename");
  if (is_watched(to) && fault_point([] {})) return -1;
  return real(from, to);
}

}  // extern "C"
