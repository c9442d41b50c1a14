// Messages between the ranks of a run: the processes that mpirun or srun started together. A transport moves bytes; it
// neither knows what they mean nor watches who is alive. Nothing here waits, except to join and to leave.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace chainshot::cluster {

using Bytes = std::vector<std::uint8_t>;

struct Message {
  int from = 0;
  Bytes bytes;
};

// One thread makes it, uses it and destroys it.
class Transport {
 public:
  virtual ~Transport() = default;

  virtual int rank() const = 0;
  virtual int ranks() const = 0;
  // Messages from one rank to another arrive in order.
  virtual void send(int to, Bytes bytes) = 0;
  virtual std::optional<Message> receive() = 0;
  // Delivers what was sent and waits until all ranks leave.
  virtual void leave() = 0;
  // Ends this process, because a rank is lost; the launcher ends the others. What was sent is delivered if it can be.
  [[noreturn]] virtual void abandon(int exit_code) = 0;
};

}  // namespace chainshot::cluster
