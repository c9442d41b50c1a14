#include "host/archive/database.hpp"

#include <sqlite3.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <random>
#include <thread>

#include <fmt/format.h>

#include "host/archive/schema.hpp"
#include "host/files/replace_file.hpp"

namespace chainshot::host {
namespace {

namespace fs = std::filesystem;

// A value longer than this is not one of an archive.
constexpr int kMostBytesOfValue = 16 << 20;

// SQLite gives some file names a meaning of their own (:memory:); a path with a folder is always a file.
std::string plain_path(const std::string& path) {
  return path.starts_with('/') ? path : "./" + path;
}

// Names a file that nobody can change, so that SQLite needs neither locks nor files beside it.
std::string immutable_uri(const std::string& path) {
  std::string uri = "file:";
  for (const char c : fs::absolute(path).string()) {
    const bool is_plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || std::strchr("/-_.~", c) != nullptr;
    uri += is_plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return uri + "?immutable=1";
}

// Returns true for file systems whose other machines do not see the shared memory of a write-ahead log.
bool is_network_file_system(const std::string& path) {
  constexpr auto kTypes = std::to_array<std::uint32_t>({
      0x00006969,                          // NFS
      0x0000517B, 0xFF534D42, 0xFE534D42,  // SMB
      0x5346414F, 0x6B414653,              // AFS
      0x00C36400,                          // Ceph
      0x0BD00BD0,                          // Lustre
      0x47504653,                          // GPFS
      0x19830326,                          // BeeGFS
  });
  struct statfs about = {};
  if (::statfs(folder_of(target_of(path)).c_str(), &about) != 0) return false;
  return std::find(kTypes.begin(), kTypes.end(), static_cast<std::uint32_t>(about.f_type)) != kTypes.end();
}

bool is_lack_of_space(int error) {
  return error == ENOSPC || error == EDQUOT || error == EFBIG;
}

}  // namespace

Archive::Database::Database(std::string path, const ArchiveOptions& options)
    : path_(std::move(path)), patience_seconds_(options.patience_seconds) {
  std::error_code error;
  const fs::file_status status = fs::status(path_, error);
  if (fs::is_directory(status)) refuse(path_ + " is a folder; expected an archive");
  if (!fs::exists(status)) {
    if (options.access != ArchiveOptions::Access::kCreate)
      refuse("there is no archive " + path_ +
             (error && error != std::errc::no_such_file_or_directory ? ": " + error.message() : ""));
    make_file();
  } else if (!fs::is_regular_file(status)) {
    refuse(path_ + " is not a regular file; expected an archive");
  }
  translated([&] { open(options); });
}

// SQLite would make the file, too, but not say why it cannot. A file that exists meanwhile is welcome. The file is not
// opened here: closing it would give up the locks of another archive of this process.
void Archive::Database::make_file() const {
  if (::mknod(target_of(path_).c_str(), S_IFREG | 0666, 0) == 0 || errno == EEXIST) return;
  const bool is_input = errno == ENOENT || errno == ENOTDIR;
  throw ArchiveError("cannot make archive " + path_ + ": " + std::strerror(errno), is_input);
}

// A reader opens the file for writing, too, if it may: SQLite then tidies up what a killed program left.
void Archive::Database::open(const ArchiveOptions& options) {
  try {
    open_connection(plain_path(path_), SQLite::OPEN_READWRITE);
    prepare_schema(options);
  } catch (const SQLite::Exception& error) {
    if (!opens_as_immutable(error, options)) throw;
    statements_.clear();
    open_connection(immutable_uri(path_), SQLite::OPEN_READONLY | SQLite::OPEN_URI);
    prepare_schema(options);
  }
  if (options.access == ArchiveOptions::Access::kRead) connection_->exec("PRAGMA query_only = ON");
}

void Archive::Database::open_connection(const std::string& name, int flags) {
  connection_ = nullptr;
  const auto patience = std::chrono::milliseconds(static_cast<std::int64_t>(patience_seconds_ * 1000));
  connection_ = std::make_unique<SQLite::Database>(name, flags, static_cast<int>(patience.count()));
  sqlite3* handle = connection_->getHandle();
  // Nothing that the file may hold besides data is run.
  sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
  sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, kMostBytesOfValue);
  connection_->exec("PRAGMA foreign_keys = ON; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0");
}

// The write-ahead log needs a file of shared memory, which a reader cannot make in a folder that it must not write. If
// there is no log, the file alone holds everything.
bool Archive::Database::opens_as_immutable(const SQLite::Exception& error, const ArchiveOptions& options) const {
  if (options.access != ArchiveOptions::Access::kRead) return false;
  if (error.getErrorCode() != SQLITE_CANTOPEN && error.getErrorCode() != SQLITE_READONLY) return false;
  std::error_code missing;
  const auto size = fs::file_size(target_of(path_) + "-wal", missing);
  return missing || size == 0;
}

void Archive::Database::expect_writable() {
  if (sqlite3_db_readonly(connection_->getHandle(), "main") == 1)
    fail_to_work("archive " + path_ + " cannot be written: its file is write-protected");
}

void Archive::Database::prepare_schema(const ArchiveOptions& options) {
  using Access = ArchiveOptions::Access;
  const bool on_network = options.on_network || is_network_file_system(path_);
  if (on_network && has_log()) leave_log();
  const SchemaState state = schema_state(*connection_);
  const bool is_blank = state.is_empty && state.application_id == 0;
  if (is_blank && options.access != Access::kCreate) refuse(path_ + " is empty; expected an archive");
  if (!is_blank && !state.is_archive())
    refuse(path_ + " is a database of another program; expected an archive of chainshot");
  if (state.version > kArchiveVersion)
    refuse(fmt::format("archive {} has version {}; this program knows versions up to {}", path_, state.version,
                       kArchiveVersion));
  if (options.access != Access::kRead || state.version < kArchiveVersion) expect_writable();
  // The file remembers its journal. A new one gets a write-ahead log, so that readers and writers do not wait for each
  // other. A file system without shared memory keeps the rollback journal, which is as safe.
  if (state.version < kArchiveVersion && upgrade_schema(*connection_) && !on_network) set_journal_mode("wal");
  connection_->exec(has_log() ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = EXTRA");
}

// Reads the file's header through SQLite's own descriptor and without a lock: reading by another descriptor would give
// up the locks of this process when it is closed, and SQLite's functions would start to use the log.
bool Archive::Database::has_log() const {
  constexpr int kOffset = 18;  // of the version that writers must know: 2 if there is a log
  sqlite3_file* file = nullptr;
  sqlite3_file_control(connection_->getHandle(), "main", SQLITE_FCNTL_FILE_POINTER, &file);
  unsigned char version = 0;
  return file != nullptr && file->pMethods != nullptr &&
         file->pMethods->xRead(file, &version, 1, kOffset) == SQLITE_OK && version == 2;
}

// Returns false if another program has the file open.
bool Archive::Database::set_journal_mode(const char* mode) {
  try {
    return connection_->execAndGet(fmt::format("PRAGMA journal_mode = {}", mode)).getString() == mode;
  } catch (const SQLite::Exception& error) {
    if (error.getErrorCode() == SQLITE_BUSY) return false;
    throw;
  }
}

// Machines that share a file do not see each other's shared memory. With an exclusive lock SQLite needs none to read
// the log a last time. Each attempt has its own connection, since a failed one keeps a lock that stops others.
void Archive::Database::leave_log() {
  if (sqlite3_db_readonly(connection_->getHandle(), "main") == 1) return;
  const auto give_up = std::chrono::steady_clock::now() + std::chrono::duration<double>(patience_seconds_);
  for (bool has_left = false; !has_left;) {
    connection_->exec("PRAGMA locking_mode = EXCLUSIVE");
    has_left = set_journal_mode("delete");
    open_connection(plain_path(path_), SQLite::OPEN_READWRITE);
    if (!has_left && std::chrono::steady_clock::now() >= give_up)
      fail_to_work("archive " + path_ +
                   " is open in a program that does not share it over the network; expected that program to end");
    if (!has_left) std::this_thread::sleep_for(std::chrono::milliseconds(20 + std::random_device()() % 20));
  }
}

Archive::Database::Prepared Archive::Database::prepared(const std::string& sql) {
  auto found = statements_.find(sql);
  if (found == statements_.end()) found = statements_.emplace(sql, SQLite::Statement(*connection_, sql)).first;
  return Prepared(found->second);
}

Archive::Database::Rollback::~Rollback() {
  if (sqlite3_get_autocommit(connection_.getHandle()) == 0) connection_.tryExec("ROLLBACK");
}

void Archive::Database::fail_as_damaged(const std::string& sentence) const {
  refuse("archive " + path_ + " is damaged: " + sentence);
}

void Archive::Database::fail_as_missing(const std::string& what) const {
  refuse("archive " + path_ + " has no " + what);
}

void Archive::Database::fail_to_work(const std::string& sentence) const {
  throw ArchiveError(sentence, false);
}

void Archive::Database::refuse(const std::string& sentence) const {
  throw ArchiveError(sentence, true);
}

void Archive::Database::fail(const SQLite::Exception& error, int last_errno) const {
  // SQLite forgets the cause of a failed COMMIT.
  const int noted = connection_ == nullptr ? 0 : sqlite3_system_errno(connection_->getHandle());
  const int system_error = noted != 0 ? noted : last_errno;
  const std::string because = system_error == 0 ? error.what() : std::strerror(system_error);
  switch (error.getErrorCode()) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      fail_to_work(
          fmt::format("archive {} is locked by another program for more than {:g} s", path_, patience_seconds_));
    case SQLITE_FULL:
      fail_to_work("archive " + path_ + ": the disk is full");
    case SQLITE_IOERR:
      if (is_lack_of_space(system_error)) fail_to_work("archive " + path_ + ": the disk is full");
      fail_to_work("archive " + path_ + " cannot be read or written: " + because);
    case SQLITE_READONLY:
    case SQLITE_PERM:
      fail_to_work("archive " + path_ + " cannot be written: " + error.what());
    case SQLITE_CANTOPEN:
      fail_to_work("cannot open archive " + path_ + ": " + because);
    case SQLITE_NOTADB:
      refuse(path_ + " is not a database; expected an archive");
    case SQLITE_CONSTRAINT:
      throw std::logic_error("archive " + path_ + ": " + error.what());
    case SQLITE_NOMEM:
      // A damaged file can ask for more than there is, so this is not only said of machines with little memory.
      fail_to_work("archive " + path_ + " needs more memory than there is; it may be damaged");
    default:
      fail_as_damaged(error.what());
  }
}

}  // namespace chainshot::host
