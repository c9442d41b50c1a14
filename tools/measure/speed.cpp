#include "tools/measure/speed.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <stdexcept>
#include <string_view>

#include "game/reference.hpp"
#include "host/dispatch/batch_pump.hpp"
#include "tools/measure/machine.hpp"
#include "tools/measure/random_board.hpp"

namespace chainshot::tools {
namespace {

constexpr int kPositions = 512;
constexpr std::uint32_t kPlayoutsEach = 32;

// Wall time and CPU time since the stopwatch was made.
class Stopwatch {
 public:
  using CpuClock = double (*)();
  explicit Stopwatch(CpuClock cpu) : cpu_(cpu), cpu_start_(cpu()) {}

  double wall() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - wall_start_).count(); }
  void stop(SpeedRun& run) const {
    run.wall_seconds = wall();
    run.cpu_seconds = cpu_() - cpu_start_;
  }

 private:
  CpuClock cpu_;
  std::chrono::steady_clock::time_point wall_start_ = std::chrono::steady_clock::now();
  double cpu_start_;
};

// The batch of a case again and again, its playouts numbered on, until the time is over; at least once.
class TimedBatches final : public host::BatchClient<std::uint64_t> {
 public:
  TimedBatches(const SpeedCase& speed_case, double seconds)
      : batch_(speed_case.batch), playouts_(speed_case.playouts()), seconds_(seconds) {}

  std::optional<host::FilledBatch<std::uint64_t>> fill(int /*engine*/) override {
    if (number_ > 0 && watch_.wall() >= seconds_) return std::nullopt;
    host::FilledBatch<std::uint64_t> filled{batch_, playouts_, number_++};
    for (game::Request& request : batch_.requests)
      request.first_playout += request.playouts;
    return filled;
  }

  void take(std::uint64_t /*number*/, std::vector<game::Result> results) override {
    for (const game::Result& result : results) {
      run_.playouts += result.count;
      run_.moves += result.moves;
    }
  }

  void give_back(std::uint64_t /*number*/) override { seconds_ = 0; }

  SpeedRun run() {
    watch_.stop(run_);
    return run_;
  }

 private:
  game::Batch batch_;  // the next one
  const std::uint64_t playouts_;
  double seconds_;
  std::uint64_t number_ = 0;
  SpeedRun run_;
  const Stopwatch watch_{process_cpu_seconds};  // the last member: it starts when all is ready
};

SpeedCase one_position(std::string id, std::string title, const game::Position& position, const game::Policy& policy) {
  SpeedCase out{.id = std::move(id), .title = std::move(title), .batch = {}, .blocks = position.blocks()};
  out.batch.requests.push_back({.position = position, .points = 0, .policy = policy, .playouts = 1024});
  return out;
}

}  // namespace

std::uint64_t SpeedCase::playouts() const {
  std::uint64_t sum = 0;
  for (const game::Request& request : batch.requests)
    sum += request.playouts;
  return sum;
}

std::string board_title(const game::NamedBoard& board) {
  constexpr std::string_view kStandard = "standard-";
  const bool is_standard = std::any_of(game::standard_boards().begin(), game::standard_boards().end(),
                                       [&](const game::NamedBoard& other) { return other.name == board.name; });
  if (!is_standard) return board.name;
  const std::string number = board.name.substr(kStandard.size());
  return "board " + number.substr(number.find_first_not_of('0'));
}

std::vector<SpeedCase> speed_cases(const game::Policy& policy, const game::NamedBoard& board) {
  constexpr std::size_t kTitleWidth = 7;  // a table has room for `board 1, one position`
  const game::Position& position = board.position;
  const std::string name = board_title(board), prefix = name.size() > kTitleWidth ? "" : name + ", ";
  std::vector<SpeedCase> cases = {one_position("one-position", prefix + "one position", position, policy)};
  SpeedCase& many = cases.emplace_back(
      SpeedCase{.id = "many-positions", .title = "512 positions x 32", .batch = {}, .blocks = position.blocks()});
  for (std::uint64_t i = 0; i < kPositions; ++i)
    many.batch.requests.push_back(
        {.position = random_board(position.columns(), position.rows(), std::max(2, position.colors()), i),
         .points = 0,
         .policy = policy,
         .playouts = kPlayoutsEach,
         .key = i});
  if (policy.kind != game::PolicyKind::kRoulette)
    cases.push_back(one_position("roulette", prefix + "roulette", position, {.kind = game::PolicyKind::kRoulette}));
  cases.push_back(one_position("wide", "31 x 32, 5 colours", random_board(31, 32, 5, 0), policy));
  return cases;
}

SpeedRun measure(game::Engine& engine, const SpeedCase& speed_case, double seconds) {
  const std::string name = engine.capabilities().name;
  const double busy_before = engine.usage().busy_seconds;
  host::EngineQueues queues({&engine});
  TimedBatches batches(speed_case, seconds);
  host::run_pump(queues, batches);
  SpeedRun run = batches.run();
  // Another engine may have taken over: its figures must not go by this one's name.
  if (const std::string& now = engine.capabilities().name; now != name)
    throw std::runtime_error("engine " + name + " gave way to " + now + " while it was measured");
  run.busy_seconds = engine.usage().busy_seconds - busy_before;
  return run;
}

SpeedRun measure_reference(const SpeedCase& speed_case, double seconds) {
  const game::Request& request = speed_case.batch.requests[0];
  const game::PlayoutRules rules(request.policy, speed_case.batch.scoring, request.position);
  SpeedRun run;
  const Stopwatch watch(thread_cpu_seconds);
  for (std::uint32_t playout = 0; playout == 0 || watch.wall() < seconds; ++playout) {
    const game::PlayoutKey key{.seed = speed_case.batch.seed, .request = request.key, .playout = playout};
    run.moves += static_cast<std::uint64_t>(game::reference_play(request.position, rules, key, 0).length);
    ++run.playouts;
  }
  watch.stop(run);
  return run;
}

void fit_batch(game::Engine& engine, SpeedCase& speed_case, double seconds) {
  if (speed_case.is_fixed || speed_case.batch.requests.size() > 1) return;
  const game::Capabilities& c = engine.capabilities();
  constexpr std::uint32_t kLargest = 1u << 24;
  std::uint32_t& playouts = speed_case.batch.requests[0].playouts;
  std::uint32_t least = 1;
  if (!c.on_cpu) {
    // A batch smaller than a device recommends tells nothing of its rate, but an emulated device would take too long
    // for that batch. So the batch grows in steps, until one of them takes too long.
    const auto recommended = static_cast<std::uint32_t>(std::min<std::uint64_t>(c.recommended_batch, kLargest));
    for (least = std::min(256u, recommended); least < recommended; least = std::min(8 * least, recommended)) {
      playouts = least;
      if (measure(engine, speed_case, seconds / 1000).wall_seconds > seconds / 8) break;
    }
    playouts = least;
  }
  const double wanted = measure(engine, speed_case, seconds / 4).per_second() * seconds / 20;
  playouts = static_cast<std::uint32_t>(std::clamp<double>(wanted, least, kLargest));
}

Spread spread_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  const double median = values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
  return {.median = median, .low = values.front(), .high = values.back()};
}

}  // namespace chainshot::tools
