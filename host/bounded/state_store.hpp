// The positions that A* has in memory, open and closed. A store gives each of them a slot, finds a position by hash and
// keeps the open ones in stacks by f. It takes no more memory than it was given: when all slots are taken it forgets
// closed states without children first, and then the open ones with the lowest f.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "game/position.hpp"
#include "host/search/packed_board.hpp"
#include "host/search/zeroed_array.hpp"

namespace chainshot::host {

class StateStore {
 public:
  using Id = std::uint32_t;
  static constexpr Id kNone = 0;

  struct State {
    std::int32_t points = 0;  // earned before the position, on the best path that was found
    std::int32_t bound = 0;   // on what it can still earn
    Id parent = kNone;
    std::uint32_t children = 0;  // states that have it as their parent
    game::Cell move;             // from the parent
    bool is_open = false;
    bool is_used = false;
    std::uint32_t hash = 0;
    Id same_chain = kNone;            // the next state in its chain of the table
    Id newer = kNone, older = kNone;  // in the stack of its f, if it is open

    int f() const { return points + bound; }
  };

  // No f is lower or higher than these. Ranges of f share a stack where there are many values.
  StateStore(const game::Position& root, int lowest, int highest, std::uint64_t memory_bytes);

  // Returns the state of a position, or kNone.
  Id find(const game::Position& position) const;
  // Makes a closed state without a parent. When all slots are taken, it forgets others, but neither `kept` nor the
  // states on the path to it. Returns kNone if that gave no slot back.
  Id add(const game::Position& position, int bound, Id kept);
  // Sets what leads to a state, and opens it.
  void open(Id id, Id parent, game::Cell move, int points);
  void close(Id id);
  // Notes that a position with this f was left out.
  void drop(int f);

  // Returns an open state with the highest f, the newest of them, or kNone if no state is open. States that share a
  // stack count as equal.
  Id highest();
  // Returns a bound on the f of open states: that of `highest`, unless states with several f share a stack.
  int open_bound();
  // Returns the highest f of the open states that were forgotten; less than any f if none was.
  int dropped_bound() const { return dropped_bound_; }

  const State& state(Id id) const { return chunks_[(id - 1) / kChunk].states[(id - 1) % kChunk]; }
  game::Position position(Id id) const { return codec_.unpack(board(id)); }
  // Returns the moves from the root to a state.
  std::vector<game::Cell> path(Id id) const;

  std::size_t capacity() const { return capacity_; }
  std::size_t used() const { return used_; }
  std::size_t open_count() const { return open_count_; }
  // Returns the memory of slots and tables now.
  std::uint64_t bytes() const;

 private:
  static constexpr std::size_t kChunk = 256;
  static constexpr int kMostStacks = 1 << 14;

  struct Chunk {
    std::unique_ptr<State[]> states;
    std::unique_ptr<std::byte[]> boards;
  };

  State& at(Id id) { return chunks_[(id - 1) / kChunk].states[(id - 1) % kChunk]; }
  std::byte* board(Id id) const { return &chunks_[(id - 1) / kChunk].boards[(id - 1) % kChunk * board_bytes_]; }
  std::size_t stack_of(const State& state) const;
  Id& chain_of(std::uint32_t hash) { return table_[hash & (table_.size() - 1)]; }
  Id take_slot();
  void make_room(Id kept);
  void forget(Id id);
  void release(Id id);
  void push(Id id);
  void unlink(Id id);

  const BoardCodec codec_;
  const std::size_t board_bytes_;
  const int lowest_;  // f
  const int width_;   // values of f per stack
  std::size_t capacity_;
  std::vector<Chunk> chunks_;
  ZeroedArray<Id> table_;   // the first states of chains
  std::vector<Id> stacks_;  // the newest states
  std::size_t top_ = 0;     // all stacks above it are empty
  Id free_ = kNone;         // slots given back, linked by `older`
  std::size_t slots_ = 0;   // slots that were ever taken
  std::size_t used_ = 0, open_count_ = 0;
  int dropped_bound_;
};

}  // namespace chainshot::host
