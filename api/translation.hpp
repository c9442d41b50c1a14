// Between the plain types of the interface and those of the layers below: names, cells, and errors.
#pragma once

#include <exception>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "api/include/chainshot/chainshot.hpp"
#include "game/parse_error.hpp"
#include "game/position.hpp"
#include "game/scoring.hpp"
#include "game/scoring_bounds.hpp"
#include "host/archive/archive.hpp"

namespace chainshot {

struct Position::State {
  game::Position board;
};

Position position_of(const game::Position& board);

std::vector<game::Cell> cells_of(const Moves& moves);
Moves moves_of(const std::vector<game::Cell>& cells);

// Throws std::invalid_argument with a suggestion.
game::Scoring scoring_of(const std::string& name);  // or a formula
// Throws std::invalid_argument if a game of the board could reach a score beyond `most` either way.
void expect_scores_fit(const game::Scoring& scoring, const game::Position& board, std::int64_t most = game::kMostScore);

// The sentences of the layers below call a setting by its option; here it has no dashes: `--memory` becomes `memory`.
std::string without_dashes(const std::string& sentence);

// Returns what `work` returns; its exceptions become those of the interface.
template <class Work>
auto translated(Work&& work) {
  try {
    return std::forward<Work>(work)();
  } catch (const Error&) {
    throw;
  } catch (const game::ParseError& error) {
    throw InputError(error.what());
  } catch (const std::invalid_argument& error) {
    throw InputError(without_dashes(error.what()));
  } catch (const host::ArchiveError& error) {
    if (error.is_input()) throw InputError(error.what());
    throw Error(error.what());
  } catch (const std::runtime_error& error) {
    throw Error(without_dashes(error.what()));
  } catch (const std::logic_error& error) {
    throw Error(error.what());
  }
}

// Calls the caller's progress function. Where that returns false or throws, the work is to stop; `rethrow` then lets
// the exception go on.
class ProgressCalls {
 public:
  template <class Call>
  bool goes_on(Call&& call) {
    if (is_over_) return false;
    try {
      is_over_ = !std::forward<Call>(call)();
    } catch (...) {
      is_over_ = true;
      thrown_ = std::current_exception();
    }
    return !is_over_;
  }
  void rethrow() const {
    if (thrown_) std::rethrow_exception(thrown_);
  }

 private:
  bool is_over_ = false;
  std::exception_ptr thrown_;
};

}  // namespace chainshot
