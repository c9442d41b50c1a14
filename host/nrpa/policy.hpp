// The policy that NRPA learns: a logit per move code, in one open-addressing table for all levels. A level opens before
// it adapts and closes at its end, which takes back all it learned; levels close in the reverse order of opening, so
// that no level copies the policy of the level above.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "host/nrpa/rollout.hpp"

namespace chainshot::host::nrpa {

// A rollout resolved against a policy. It stays valid until the level it was made at closes; the policy renews it when
// the table has grown.
struct Lesson {
  struct Use {  // a code of the rollout
    std::uint32_t slot;
    std::uint32_t times_played;
    Logit first_logit;
    Weight weight;
    std::uint64_t shares;
  };
  struct Span {  // a life of that code
    std::uint32_t use;
    std::uint16_t birth, death;
  };
  std::vector<Use> uses;
  std::vector<Span> spans;
  int length = 0;
  std::uint64_t table_version = 0;
};

// The logits that a level has learned so far, to be put back later.
using Learned = std::vector<std::pair<Code, Logit>>;

class Policy {
 public:
  // Learns no further codes when the table and the changes that levels take back would need more than `memory_bytes`.
  explicit Policy(std::uint64_t memory_bytes);

  void open_level();
  void close_level();
  int open_levels() const { return static_cast<int>(levels_.size()); }

  Lesson prepare(const Rollout& rollout);
  void prepare(const Rollout& rollout, Lesson& lesson);
  // Moves the logits of the rollout's codes towards playing it again. Needs an open level.
  void adapt(const Rollout& rollout, Lesson& lesson, Logit alpha);

  Learned learned_by_level() const;    // by the innermost level
  void learn(const Learned& learned);  // in the innermost level
  // Becomes equal to the other policy, for a thread of its own.
  void copy_from(const Policy& other) { *this = other; }

  Logit logit(Code code, Logit first_logit) const;
  std::uint64_t bytes() const;

  // The weight of a move: the innermost loop of a playout.
  __attribute__((always_inline)) Weight weight(Code code, Weight first_weight) const {
    const Entry* const entries = entries_.data();
    for (std::size_t slot = code >> shift_;; slot = (slot + 1) & mask_) {
      if (entries[slot].code == code) return entries[slot].weight;
      if (entries[slot].code == 0) return first_weight;
    }
  }

 private:
  struct Entry {
    Code code = 0;  // 0: free
    Weight weight = 0;
  };
  struct Detail {
    Logit logit = 0;
    std::int32_t level = 0;  // the innermost level that changed it
  };
  struct Change {
    std::uint32_t slot;
    bool inserted;
    Detail before;
    Weight weight_before;
  };
  using Level = std::vector<Change>;
  static constexpr std::uint32_t kNoSlot = ~0u;
  static constexpr std::size_t kLeastSlots = 1 << 12;

  static constexpr std::uint64_t kSlotBytes = sizeof(Entry) + sizeof(Detail) + sizeof(std::uint32_t);

  std::uint32_t slot_of(Code code) const;              // of the code, or the free slot where it belongs
  std::uint32_t insert(Code code, Logit first_logit);  // kNoSlot if the table is full
  void grow();
  void set(std::uint32_t slot, Logit logit);

  std::vector<Entry> entries_;
  std::vector<Detail> details_;
  std::vector<std::uint32_t> use_of_slot_;  // scratch of `prepare`: 0, or 1 + the use
  std::size_t mask_ = 0;
  int shift_ = 64;
  std::size_t taken_ = 0;
  std::size_t most_slots_ = 0;
  std::uint64_t version_ = 1;
  std::vector<Level> levels_;
  std::vector<Weight> sums_;  // scratch of `adapt`
  std::vector<std::uint64_t> shares_;
};

}  // namespace chainshot::host::nrpa
