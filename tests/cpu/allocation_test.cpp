// Checks that playouts and chains allocate nothing: many playouts must make no more heap allocations than few. This
// program replaces operator new and counts its calls.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "cpu/chain/chain.hpp"
#include "cpu/engine/cpu_engine.hpp"
#include "tests/support/random_boards.hpp"
#include "tests/support/test_scale.hpp"

namespace {

std::atomic<std::uint64_t> allocations{0};

void* counted(std::size_t size, std::size_t alignment) {
  ++allocations;
  const std::size_t rounded = (size + alignment - 1) / alignment * alignment;
  void* memory = std::aligned_alloc(alignment, rounded == 0 ? alignment : rounded);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

void* operator new(std::size_t size) {
  return counted(size, alignof(std::max_align_t));
}
void* operator new[](std::size_t size) {
  return counted(size, alignof(std::max_align_t));
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return counted(size, alignof(std::max_align_t));
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  return counted(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
void operator delete[](void* memory) noexcept {
  std::free(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, const std::nothrow_t&) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}

namespace chainshot {
namespace {

std::uint64_t allocations_of(game::Engine& engine, const game::Position& position, const game::Policy& policy,
                             std::uint32_t playouts) {
  game::Batch batch;
  batch.histogram = {.low = -200, .width = 50, .bins = 20};
  game::Request request;
  request.position = position;
  request.policy = policy;
  request.playouts = playouts;
  batch.requests.push_back(request);
  const std::uint64_t before = allocations;
  const game::Outcome outcome = engine.run(std::move(batch));
  EXPECT_EQ(outcome.results.at(0).count, playouts);
  return allocations - before;
}

TEST(Allocation, CountsEveryCallOfNew) {
  const std::uint64_t before = allocations;
  operator delete(operator new(1));  // the compiler must not elide an explicit call
  EXPECT_EQ(allocations, before + 1);
}

// Queues and pools may still grow a few times after the warm-up, but one allocation per thousand playouts is too many.
TEST(Allocation, PlayoutsAllocateNothing) {
  tests::Dice dice(71);
  for (const auto& [columns, rows, colors] : {tests::Shape{15, 15, 5}, {20, 20, 9}}) {
    const game::Position position = tests::full_board(dice, {columns, rows, colors});
    for (cpu::Isa isa : cpu::available_isas()) {
      for (const game::NamedPolicy& named : game::kPolicies) {
        const auto engine = cpu::make_cpu_engine({.threads = 1, .isa = isa});
        const auto playouts = static_cast<std::uint32_t>(tests::scaled(named.policy.plays_in_lanes() ? 500 : 50));
        allocations_of(*engine, position, named.policy, 7 * playouts);
        const std::uint64_t few = allocations_of(*engine, position, named.policy, playouts);
        const std::uint64_t many = allocations_of(*engine, position, named.policy, 7 * playouts);
        EXPECT_LT(many, few + 3) << named.name << " on " << cpu::name_of(isa);
      }
    }
  }
}

TEST(Allocation, ChainsAllocateNothing) {
  tests::Dice dice(72);
  const game::AcceptanceTable table(22, 5, game::kStandardScoring);
  for (const auto& [columns, rows, colors] : {tests::Shape{15, 15, 5}, {20, 20, 9}})
    for (const cpu::Isa isa : cpu::available_isas()) {
      const auto chain = cpu::make_chain(tests::full_board(dice, {columns, rows, colors}), game::kStandardScoring, isa);
      const std::uint64_t before = allocations;
      chain->restart({}, 1, 1);
      chain->advance(table, 300);
      EXPECT_EQ(allocations, before) << cpu::name_of(isa);
    }
}

}  // namespace
}  // namespace chainshot
