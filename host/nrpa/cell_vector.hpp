// Sets of cells as one vector: a lane per column, a bit per row, so that one operation moves all columns. The compiler
// turns the same source into two registers, one, or a loop, whichever the processor has. All functions are inlined into
// a caller that names its instruction set.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

namespace chainshot::host::nrpa {

#define CHAINSHOT_INLINE inline __attribute__((always_inline))

template <class LaneType, int LaneCount>
struct CellVector {
  using Lane = LaneType;
  static constexpr int kLanes = LaneCount;
  static constexpr int kRows = 8 * sizeof(Lane);
  static constexpr int kCells = kLanes * kRows;
  static constexpr int kWords = kCells / 64;
  static constexpr int kLanesPerWord = 64 / kRows;

  // g++ takes the size of a vector that depends on a template only from a typedef.
  typedef LaneType Bits __attribute__((vector_size(sizeof(LaneType) * LaneCount)));
  typedef std::uint64_t WordBits __attribute__((vector_size(sizeof(LaneType) * LaneCount)));
  // The same cells as numbers; cell c x kRows + r is bit number (cell % 64) of word cell / 64.
  struct alignas(sizeof(Lane) * LaneCount) Words {
    std::uint64_t word[kWords];
  };

  static CHAINSHOT_INLINE void load(Bits& bits, const Words& words) { std::memcpy(&bits, &words, sizeof bits); }
  static CHAINSHOT_INLINE void store(Words& words, const Bits& bits) { std::memcpy(&words, &bits, sizeof bits); }

  // The cells of word w alone. A vector made in registers; through memory it would wait for two stores of other sizes.
  static CHAINSHOT_INLINE void from_word(Bits& bits, int w, std::uint64_t word) {
    struct alignas(sizeof(Lane) * LaneCount) Masks {
      Words of_word[kWords];
    };
    static constexpr Masks kMasks = [] {
      Masks masks{};
      for (int i = 0; i < kWords; ++i)
        masks.of_word[i].word[i] = ~std::uint64_t{0};
      return masks;
    }();
    WordBits mask;
    std::memcpy(&mask, &kMasks.of_word[w], sizeof mask);
    mask &= word;
    std::memcpy(&bits, &mask, sizeof bits);
  }

  template <int By, std::size_t... I>
  static CHAINSHOT_INLINE void move_lanes(Bits& out, const Bits& from, std::index_sequence<I...>) {
    const Bits none{};
    // Lanes from kLanes on are those of `none`.
    out = __builtin_shufflevector(
        from, none,
        (static_cast<int>(I) + By >= 0 && static_cast<int>(I) + By < kLanes ? static_cast<int>(I) + By : kLanes)...);
  }
  // Lane c of `out` is lane c + 1 of `from`, or c - 1.
  static CHAINSHOT_INLINE void from_right(Bits& out, const Bits& from) {
    move_lanes<1>(out, from, std::make_index_sequence<kLanes>());
  }
  static CHAINSHOT_INLINE void from_left(Bits& out, const Bits& from) {
    move_lanes<-1>(out, from, std::make_index_sequence<kLanes>());
  }

  static CHAINSHOT_INLINE bool any(const Bits& bits) {
#if defined(__clang__)
    return __builtin_reduce_or(reinterpret_cast<const WordBits&>(bits)) != 0;
#else
    Words words;
    store(words, bits);
    std::uint64_t all = 0;
    for (const std::uint64_t word : words.word)
      all |= word;
    return all != 0;
#endif
  }
};

using SmallCells = CellVector<std::uint16_t, 16>;
using WideCells = CellVector<std::uint32_t, 32>;

}  // namespace chainshot::host::nrpa
