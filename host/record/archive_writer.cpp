#include "host/record/archive_writer.hpp"

#include <exception>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace chainshot::host {
namespace {

constexpr std::string_view kGoesOn = "; the search goes on, and the write is tried again every second";

}  // namespace

ArchiveWriter::ArchiveWriter(Archive& archive, Notice notice)
    : archive_(archive), notice_(std::move(notice)), thread_([this] { run(); }) {}

ArchiveWriter::~ArchiveWriter() {
  stop();
}

bool ArchiveWriter::stop() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
    changed_.notify_all();
  }
  if (thread_.joinable()) thread_.join();
  return writes_.empty();
}

void ArchiveWriter::push(Write write) {
  const std::lock_guard lock(mutex_);
  writes_.push_back(std::move(write));
  changed_.notify_all();
}

bool ArchiveWriter::drain(std::chrono::milliseconds patience) {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, patience, [this] { return writes_.empty(); });
}

std::vector<NewLine> ArchiveWriter::unwritten() const {
  const std::lock_guard lock(mutex_);
  std::vector<NewLine> lines;
  for (const Write& write : writes_)
    lines.insert(lines.end(), write.lines.begin(), write.lines.end());
  return lines;
}

std::string ArchiveWriter::problem() const {
  const std::lock_guard lock(mutex_);
  return problem_;
}

void ArchiveWriter::run() {
  constexpr auto kPause = std::chrono::seconds(1);
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return ends_ || !writes_.empty(); });
    if (ends_) return;
    const Write& write = writes_.front();  // a deque does not move its elements when others are pushed
    lock.unlock();
    std::string problem;
    try {
      write.apply(archive_);
    } catch (const std::logic_error& error) {
      notice_(error.what());  // a bug, which no second try would mend
    } catch (const std::exception& error) {
      problem = error.what();
    }
    if (problem != problem_)
      notice_(problem.empty() ? archive_.path() + " can be written again" : problem + std::string(kGoesOn));
    lock.lock();
    problem_ = problem;
    if (problem.empty())
      writes_.pop_front();
    else
      changed_.wait_for(lock, kPause, [this] { return ends_; });
    changed_.notify_all();
  }
}

}  // namespace chainshot::host
