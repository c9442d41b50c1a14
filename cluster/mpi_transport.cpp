// The transport over MPI: a module of its own, which the program loads only under mpirun or srun, so that it runs
// without MPI. It is the only file that knows MPI. All calls come from the thread that joined, which is what
// MPI_THREAD_FUNNELED asks for. No call but init, finalize and abort can wait for another rank: a rank that dies must
// not take this one's messages with it.
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <list>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

#include "cluster/transport.hpp"

namespace chainshot::cluster {
namespace {

constexpr int kTag = 0;

void expect_success(int result, const char* what) {
  if (result == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING] = {};
  int length = 0;
  MPI_Error_string(result, text, &length);
  throw std::runtime_error(std::string("MPI cannot ") + what + ": " + text);
}

class MpiTransport final : public Transport {
 public:
  MpiTransport() {
    int level = MPI_THREAD_SINGLE;
    expect_success(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &level), "start");
    if (level < MPI_THREAD_FUNNELED) throw std::runtime_error("the MPI library was built without threads");
    expect_success(MPI_Comm_dup(MPI_COMM_WORLD, &ranks_), "set up the ranks");
    expect_success(MPI_Comm_set_errhandler(ranks_, MPI_ERRORS_RETURN), "set up the ranks");
    MPI_Comm_rank(ranks_, &rank_);
    MPI_Comm_size(ranks_, &size_);
  }

  int rank() const override { return rank_; }
  int ranks() const override { return size_; }

  void send(int to, Bytes bytes) override {
    Transfer& out = sending_.emplace_back(Transfer{to, std::move(bytes), MPI_REQUEST_NULL});
    const int result =
        MPI_Isend(out.bytes.data(), static_cast<int>(out.bytes.size()), MPI_BYTE, to, kTag, ranks_, &out.request);
    if (result != MPI_SUCCESS) sending_.pop_back();  // that rank falls silent, which the receiver of messages notices
  }

  std::optional<Message> receive() override {
    accept();
    std::set<int> waiting;  // ranks whose earlier message is not complete
    for (auto in = receiving_.begin(); in != receiving_.end(); ++in) {
      if (waiting.contains(in->rank)) continue;
      if (!is_done(*in)) {
        waiting.insert(in->rank);
        continue;
      }
      Message message{in->rank, std::move(in->bytes)};
      receiving_.erase(in);
      return message;
    }
    // Not after every message: a message to all may have thousands of transfers.
    sending_.remove_if([](Transfer& transfer) { return is_done(transfer); });
    return std::nullopt;
  }

  void leave() override {
    MPI_Barrier(ranks_);  // delivers all that was sent before, too
    for (Transfer& in : receiving_)
      MPI_Wait(&in.request, MPI_STATUS_IGNORE);
    for (Transfer& out : sending_)
      MPI_Wait(&out.request, MPI_STATUS_IGNORE);
    MPI_Comm_free(&ranks_);
    MPI_Finalize();
  }

  [[noreturn]] void abandon(int exit_code) override {
    // MPI_Abort would print a page of text. To end without MPI_Finalize is an error that the launcher sees as well.
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(300);
    while (!sending_.empty() && std::chrono::steady_clock::now() < end) {
      receive();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    ::_exit(exit_code);
  }

 private:
  struct Transfer {
    int rank;
    Bytes bytes;
    MPI_Request request;
  };

  static bool is_done(Transfer& transfer) {
    int done = 0;
    return MPI_Test(&transfer.request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS || done != 0;
  }

  // Starts to receive all messages that have arrived.
  void accept() {
    for (;;) {
      int arrived = 0, size = 0;
      MPI_Message message = MPI_MESSAGE_NULL;
      MPI_Status status = {};
      if (MPI_Improbe(MPI_ANY_SOURCE, kTag, ranks_, &arrived, &message, &status) != MPI_SUCCESS || arrived == 0) return;
      MPI_Get_count(&status, MPI_BYTE, &size);
      Transfer& in = receiving_.emplace_back(
          Transfer{status.MPI_SOURCE, Bytes(static_cast<std::size_t>(std::max(0, size))), MPI_REQUEST_NULL});
      MPI_Imrecv(in.bytes.data(), size, MPI_BYTE, &message, &in.request);
    }
  }

  MPI_Comm ranks_ = MPI_COMM_NULL;
  int rank_ = 0, size_ = 1;
  std::list<Transfer> sending_, receiving_;
};

}  // namespace
}  // namespace chainshot::cluster

// Joins the ranks. Returns null and puts one sentence into `error` if that fails.
extern "C" chainshot::cluster::Transport* chainshot_join_ranks(std::string& error) {
  try {
    return std::make_unique<chainshot::cluster::MpiTransport>().release();
  } catch (const std::exception& failure) {
    error = failure.what();
    return nullptr;
  }
}
