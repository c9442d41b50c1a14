// A file that several programs update at the same time without losing anything. Whoever updates it holds its lock from
// reading the old content until the new content is in place. A program that is killed loses its lock; the temporary
// file that it may leave is removed by whoever takes the lock next.
//
// The lock is an flock on an empty file beside the shared one, `.NAME.lock`, which stays there. It is not on the shared
// file itself, because every update replaces that. It is an flock because the kernel gives that up when the process
// ends, it does not depend on process numbers, which repeat in containers, and Linux carries it over NFS as well (where
// it needs a file open for writing, hence no lock on the folder).
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace chainshot::host {

// The lock of a shared file, held as long as this object lives.
class SharedFile {
 public:
  // Takes the lock, and removes temporary files that killed programs left. Returns nothing if another program holds the
  // lock all the time until `patience` has passed. Throws std::runtime_error if the file system refuses.
  static std::optional<SharedFile> lock(const std::string& path, std::chrono::milliseconds patience);

  SharedFile(SharedFile&& other) noexcept;
  SharedFile& operator=(SharedFile&&) = delete;
  SharedFile(const SharedFile&) = delete;
  SharedFile& operator=(const SharedFile&) = delete;
  ~SharedFile();

  void replace(std::string_view content) const;
  // Removes the lock file, for a file that is not shared any more. The lock itself is held on.
  void remove_lock_file() const;

 private:
  SharedFile(std::string path, std::string target, int descriptor);
  void remove_temporaries() const;

  std::string path_;
  std::string target_;
  int descriptor_;
};

// Returns the content of a regular file, or an empty string if there is none. Throws std::runtime_error. Needs no lock:
// a file is always replaced as a whole.
std::string content_of(const std::string& path);

}  // namespace chainshot::host
