// A leaf_batch is what goes to an engine as one batch: walks that wait for playouts, and the requests made of them.
// Walks that end in the same position share a request, so that no position of a leaf_batch is played twice. With
// look-ahead a walk asks for the positions after every move of its leaf instead of the leaf's own (HGSTS: Klein 2015,
// A.6).
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <unordered_map>
#include <vector>

#include "game/engine.hpp"
#include "host/tree/core/tree.hpp"

namespace chainshot::host {

// What a walk in a leaf_batch takes of memory with its request and its result: 2.0 KB were measured. Look-ahead takes
// more.
inline constexpr std::size_t kBytesOfWalk = 2048;

// What all requests of a search have in common.
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
    int tree_index;  // the caller's name of the tree the walk is in
    std::size_t first_play, plays;
  };

  explicit LeafBatch(const RequestTerms& terms) : terms_(terms) {}

  // Empties the leaf_batch and gives it room for so many walks, which ask for no more than `most_playouts` together.
  void begin(std::size_t walks, std::uint64_t most_playouts = std::numeric_limits<std::uint64_t>::max());
  // Walks nobody uses yet, `most` or fewer.
  std::span<Walk> room(std::size_t most);
  // The last of them, as many as were not needed.
  void give_back_room(std::size_t walks) { used_ -= walks; }
  // Asks for `playouts` of the walk's position; or with look-ahead for as many shared out among the positions after it,
  // one each at least, if that leaves enough for the walks to come. `key` names the first request, the ones after it
  // follow; the next key is returned.
  std::uint64_t add(Walk& walk, int tree_index, std::uint32_t playouts, bool look_ahead, std::uint64_t key);

  std::size_t size() const { return leaves_.size(); }
  const std::vector<Leaf>& leaves() const { return leaves_; }
  std::uint64_t playouts() const { return playouts_; }  // asked for
  std::uint64_t merged() const { return merged_; }      // requests that another one answers
  game::Batch take_batch();

  // Once the engine has answered: what the playouts of a leaf earned together, and the moves of the best one, from
  // walk.position on. Throws std::runtime_error if the replay finds another score than the engine.
  void answer(std::vector<game::Result> results);
  game::Result result_of(const Leaf& leaf) const;
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
