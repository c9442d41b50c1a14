// An archive of any bytes is refused with a sentence, or can be listed and checked. It is never believed blindly: what
// comes out of a line can be replayed or is named as wrong.
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "host/archive/archive.hpp"

namespace {

using namespace chainshot;

void require(bool holds) {
  if (!holds) std::abort();
}

void read_all(host::Archive& archive) {
  const bool is_sound = archive.check().empty();
  for (const host::ArchivedBoard& board : archive.boards())
    require(board.position.is_settled());
  for (const host::ArchivedLine& line : archive.lines({.only_improvements = false})) {
    if (is_sound) require(host::Archive::check_line(archive.board(line.board).position, line).empty());
    archive.best(line.board, line.scoring);
  }
  archive.lines({.only_best = true});
  for (const host::ArchivedRun& run : archive.runs())
    archive.turns(run.id);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  static const std::string path =
      (std::filesystem::temp_directory_path() / ("fuzz-archive-" + std::to_string(::getpid()) + ".db")).string();
  for (const char* suffix : {"", "-wal", "-shm", "-journal"})
    std::filesystem::remove(path + suffix);
  std::ofstream(path, std::ios::binary).write(reinterpret_cast<const char*>(bytes), static_cast<std::streamsize>(size));
  try {
    host::Archive archive(path, {.patience_seconds = 0.01});
    read_all(archive);
  } catch (const host::ArchiveError& error) {
    require(std::string_view(error.what()).find(path) != std::string_view::npos);
  }
  std::filesystem::remove(path);
  return 0;
}
