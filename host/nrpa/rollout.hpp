// One playout as NRPA learns from it: its moves, and for every group that was a legal move at some step, the steps at
// which it was one (its life). A policy adapts to lives instead of lists of legal moves, which are five times as long.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "game/position.hpp"
#include "host/nrpa/nrpa_weights.hpp"

namespace chainshot::host::nrpa {

// A move's code is a hash of its group's cells and colour, never 0.
using Code = std::uint64_t;

struct Life {
  Code code;
  Logit first_logit;           // before any adaptation (the bias of generalised NRPA)
  std::uint16_t birth, death;  // legal at steps birth <= t < death
};

// A list that its writer makes room in ahead of time, so that an append is a store.
template <class T>
class Record {
 public:
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  void clear() { size_ = 0; }
  void make_room(std::size_t more) {
    if (size_ + more > items_.size()) items_.resize(2 * (size_ + more));
  }
  void append(const T& item) { items_[size_++] = item; }  // after make_room
  T& operator[](std::size_t i) { return items_[i]; }
  const T& operator[](std::size_t i) const { return items_[i]; }
  const T* begin() const { return items_.data(); }
  const T* end() const { return items_.data() + size_; }
  std::uint64_t bytes() const { return items_.capacity() * sizeof(T); }

 private:
  std::vector<T> items_;
  std::size_t size_ = 0;
};

struct Rollout {
  static constexpr int kNoScore = std::numeric_limits<int>::min();

  int score = kNoScore;
  std::uint64_t fingerprint = 0;  // a hash of the moves: equal sequences have equal fingerprints
  Record<game::Cell> moves;
  Record<std::uint32_t> played;  // the life that each move ended
  Record<Life> lives;

  int length() const { return static_cast<int>(moves.size()); }
  void clear() {
    score = kNoScore;
    fingerprint = 0;
    moves.clear();
    played.clear();
    lives.clear();
  }
};

}  // namespace chainshot::host::nrpa
