#include "host/files/shared_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <utility>

#include "host/files/replace_file.hpp"

namespace chainshot::host {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr std::string_view kTemporaryEnd = ".tmp";

// Returns the start of the names of the files that belong to `target`: its name between two dots. File systems limit
// names to 255 bytes, so a hash (FNV-1a) stands for the end of a long one.
std::string companion_start(const std::string& target) {
  constexpr std::size_t kLongest = 128, kKept = 100;
  std::string name = fs::path(target).filename();
  if (name.size() > kLongest) {
    std::uint64_t hash = 0xcbf29ce484222325U;
    for (const char c : name)
      hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
    name = fmt::format("{}-{:016x}", name.substr(0, kKept), hash);
  }
  return '.' + name + '.';
}

std::string lock_path_of(const std::string& target) {
  return folder_of(target) + '/' + companion_start(target) + "lock";
}

bool is_file_at(int descriptor, const std::string& path) {
  struct stat open = {}, there = {};
  return ::fstat(descriptor, &open) == 0 && ::stat(path.c_str(), &there) == 0 && open.st_dev == there.st_dev &&
         open.st_ino == there.st_ino;
}

int open_lock(const std::string& path) {
  constexpr mode_t kLockPermissions = 0666;  // reduced by the user's umask
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, kLockPermissions);
  // A lock file of another user may be read-only for us; except over NFS that is enough.
  return descriptor < 0 && errno == EACCES ? ::open(path.c_str(), O_RDONLY | O_CLOEXEC) : descriptor;
}

}  // namespace

SharedFile::SharedFile(std::string path, std::string target, int descriptor)
    : path_(std::move(path)), target_(std::move(target)), descriptor_(descriptor) {}

SharedFile::SharedFile(SharedFile&& other) noexcept
    : path_(std::move(other.path_)),
      target_(std::move(other.target_)),
      descriptor_(std::exchange(other.descriptor_, -1)) {}

SharedFile::~SharedFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

std::optional<SharedFile> SharedFile::lock(const std::string& path, std::chrono::milliseconds patience) {
  const auto end = std::chrono::steady_clock::now() + patience;
  const std::string target = target_of(path);
  const std::string lock_path = lock_path_of(target);
  SharedFile file(path, target, open_lock(lock_path));
  const auto fail = [&] {
    throw std::runtime_error(fmt::format("cannot write {}: its lock {}: {}", path, lock_path, std::strerror(errno)));
  };
  if (file.descriptor_ < 0) fail();
  while (::flock(file.descriptor_, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK && errno != EINTR) fail();
    if (std::chrono::steady_clock::now() >= end) return std::nullopt;
    std::this_thread::sleep_for(2ms);
  }
  // Whoever held the lock before may have removed the lock file; then this lock keeps nobody out.
  if (!is_file_at(file.descriptor_, lock_path)) return lock(path, patience);
  file.remove_temporaries();
  return file;
}

void SharedFile::remove_lock_file() const {
  std::error_code ignored;
  fs::remove(lock_path_of(target_), ignored);
}

// Nobody else has a temporary file of this name while we hold the lock. The mark has no dot, so `.a.MARK.tmp` belongs
// to the file `a` and to no other.
void SharedFile::remove_temporaries() const {
  const std::string start = companion_start(target_);
  std::error_code error;
  for (fs::directory_iterator entry(folder_of(target_), error), end; !error && entry != end; entry.increment(error)) {
    const std::string name = entry->path().filename();
    if (name.size() <= start.size() + kTemporaryEnd.size() || !name.starts_with(start) ||
        !name.ends_with(kTemporaryEnd))
      continue;
    const std::size_t length = name.size() - start.size() - kTemporaryEnd.size();
    std::error_code ignored;
    if (is_unique_mark(std::string_view(name).substr(start.size(), length))) fs::remove(entry->path(), ignored);
  }
}

void SharedFile::replace(std::string_view content) const {
  const std::string temporary =
      folder_of(target_) + '/' + companion_start(target_) + unique_mark() + std::string(kTemporaryEnd);
  replace_file(target_, temporary, content, path_);
}

std::string content_of(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0 && errno == ENOENT) return {};
  std::string content;
  std::array<char, 65536> block;
  ssize_t count = descriptor < 0 ? -1 : 0;
  if (descriptor >= 0) {
    while ((count = ::read(descriptor, block.data(), block.size())) > 0 || (count < 0 && errno == EINTR))
      if (count > 0) content.append(block.data(), static_cast<std::size_t>(count));
  }
  const int error = errno;
  if (descriptor >= 0) ::close(descriptor);
  if (count < 0) throw std::runtime_error("cannot read " + path + ": " + std::strerror(error));
  return content;
}

}  // namespace chainshot::host
