// A leaf batch goes to an engine as one batch: walks that wait for playouts, and the requests made of them. Walks that
// end in the same position share a request, so no position of a leaf batch is played twice. With look-ahead a walk asks
// for the positions after every move of its leaf instead of the leaf's own (HGSTS: Klein 2015, A.6).
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <unordered_map>
#include <vector>

#include "game/engine.hpp"
#include "host/tree/core/walk.hpp"

namespace chainshot::host {

// Memory of a walk in a leaf batch, with its request and its result: 2.0 KB were measured. Look-ahead takes more.
inline constexpr std::size_t kBytesOfWalk = 2048;

// All requests of a search have this in common.
struct RequestTerms {
  std::uint64_t seed = 0;
  game::Scoring scoring;
  game::Policy policy;
  bool merges_equal = false;
  bool merges_symmetric = false;  // positions that differ by a permutation of colours count as equal
};

class LeafBatch {
 public:
  struct Leaf {
    Walk* walk;
    int tree_index;  // of the walk's tree, as the caller numbers them
    std::size_t first_play, plays;
  };

  explicit LeafBatch(const RequestTerms& terms) : terms_(terms) {}

  // Empties the leaf batch and makes room for `walks`, which ask for no more than `most_playouts` together.
  void begin(std::size_t walks, std::uint64_t most_playouts = std::numeric_limits<std::uint64_t>::max());
  // Returns walks that nobody uses yet, `most` or fewer.
  std::span<Walk> room(std::size_t most);
  // Gives back the last walks of `room` that were not needed.
  void give_back_room(std::size_t walks) { used_ -= walks; }
  // Asks for `playouts` of the walk's position. With look-ahead it asks for as many divided among the positions after
  // it, at least one each, if that leaves enough for the walks to come. The first request gets `key`, further ones the
  // numbers after it. Returns the next key.
  std::uint64_t add(Walk& walk, int tree_index, std::uint32_t playouts, bool look_ahead, std::uint64_t key);

  std::size_t size() const { return leaves_.size(); }
  const std::vector<Leaf>& leaves() const { return leaves_; }
  std::uint64_t playouts() const { return playouts_; }  // requested
  std::uint64_t merged() const { return merged_; }      // requests that another one of the batch answers
  game::Batch take_batch();

  // Stores the engine's results, one for each request.
  void answer(std::vector<game::Result> results);
  // Returns the result of all playouts of a leaf.
  game::Result result_of(const Leaf& leaf) const;
  // The moves of the best of these playouts, from walk.position on. Throws std::runtime_error if they replay to another
  // score than the engine's.
  std::vector<game::Cell> best_line_of(const Leaf& leaf) const;

 private:
  // A leaf's share in a request.
  struct Play {
    std::size_t request;
    int points;       // earned before the position that is played
    game::Cell move;  // that leads to it, with look-ahead
    bool is_ahead;
  };
  struct Sent {
    std::uint64_t key;
    int points;
    std::uint32_t playouts;
  };

  bool ask_ahead(const Walk& walk, std::uint32_t playouts, std::uint64_t& key);
  void ask(const game::Position& position, int points, std::uint32_t playouts, std::uint64_t& key, const Play& play);
  game::Result result_of(const Play& play) const;

  const RequestTerms terms_;
  std::vector<Walk> walks_;
  std::size_t most_walks_ = 0;
  std::uint64_t most_playouts_ = 0;
  std::size_t used_ = 0;
  std::vector<Leaf> leaves_;
  std::vector<Play> plays_;
  std::vector<Sent> sent_;
  game::Batch batch_;
  std::unordered_map<std::uint64_t, std::size_t> request_of_;  // by the hash of its position
  std::vector<game::Result> results_;
  std::uint64_t playouts_ = 0;
  std::uint64_t merged_ = 0;
};

}  // namespace chainshot::host
