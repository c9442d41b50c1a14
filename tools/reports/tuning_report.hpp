// Presents a tuning to people and scripts: the table of generations, the result as options to paste, the comparison of
// the result with the start, and the state of a tuning under way.
#pragma once

#include <string>
#include <vector>

#include "host/tune/tuning_run.hpp"
#include "tools/pictures/svg.hpp"
#include "tools/reports/json_text.hpp"
#include "tools/terminal/terminal.hpp"

namespace chainshot::tools {

// Returns `5.96 (1.2)`: mean and deviation; on a logarithmic scale `5.96 (x1.8)`: the factor of one deviation.
std::string gaussian_text(const host::TunedParameter& parameter, const host::Gaussian& gaussian);

// Returns the means of a distribution as options: `--c 5.96 --t 13`.
std::string options_text(const host::TuningState& state);

// Returns a generation that is done in one line: `generation 3: mean 2103, best 2402; c 5.96 (1.2), t 12.7 (2.3)`.
std::string generation_line(const host::TuningState& state, std::size_t generation);
// Returns what the run is doing: `generation 4 of 20, 37 of 100 samples, 1120 of 3000 games, 12 min 5 s, ...`.
std::string tuning_line(const host::TuningState& state, const host::TuningStatus& status);
// Returns the same in two lines, and the last generations below, for a terminal of this height.
std::vector<std::string> tuning_block(const host::TuningState& state, const host::TuningStatus& status, int height);

std::string tuning_result(const host::TuningState& state, const Terminal& terminal);
Json tuning_json(const host::TuningState& state, bool is_finished);

std::string evaluation_text(const host::TuningPlan& plan, const host::TuningSample& sample);
Json evaluation_json(const host::TuningPlan& plan, const host::TuningSample& sample);

TuningPicture tuning_picture(const host::TuningState& state);

}  // namespace chainshot::tools
