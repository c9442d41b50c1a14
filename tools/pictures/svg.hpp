// Draws boards, histograms, lines, runs and tunings as SVG text that refers to no other file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "game/position.hpp"

namespace chainshot::tools {

// Escapes `text` for use between tags and in attributes of XML and HTML.
std::string escape_xml(std::string_view text);

struct BoardPicture {
  game::Position position;
  std::string title;
  std::string caption;             // below the board; may be empty
  game::CellSet highlighted = {};  // the group that the next move removes
};
std::string board_svg(const BoardPicture& picture);
// Draws several boards side by side, as many per row as fit.
std::string boards_svg(const std::vector<BoardPicture>& pictures);

struct HistogramSeries {
  std::string name;
  std::vector<std::uint64_t> counts;  // one per bin
  double mean = 0;                    // drawn as a vertical line, in units of the axis
};
// One or more distributions over the same bins, drawn over each other as shares of their totals.
struct HistogramPicture {
  std::string title;
  std::string subtitle;
  std::string axis;  // title of the axis: `score`
  int low = 0;       // start of the first bin
  int bin_width = 1;
  std::vector<HistogramSeries> series;
};
std::string histogram_svg(const HistogramPicture& picture);

struct LineSeries {
  std::string name;
  std::vector<std::pair<double, double>> points;  // sorted from left to right
  bool is_guide = false;  // a thin dashed line in the colour of the series before, without a name
};
// Lines in one chart with logarithmic axes; all values must be above 0.
struct LinePicture {
  std::string title;
  std::string subtitle;
  std::string across;  // titles of the axes
  std::string up;
  std::vector<double> ticks;  // of the horizontal axis, sorted
  std::vector<LineSeries> series;
  std::optional<std::pair<double, double>> ringed = {};  // the point to mark with a ring
};
std::string line_svg(const LinePicture& picture);

// A figure relative to a published one.
struct RatioDot {
  std::string name;
  double ratio = 1;
  double error = 0;      // half the length of its bar
  bool is_good = false;  // as good as the published one, or better
};
struct RatioGroup {
  std::string title;
  std::vector<RatioDot> ratios;
};
// Dots with bars on a common axis, one line each, under the titles of their groups.
struct RatioPicture {
  std::string title;
  std::string subtitle;
  std::vector<RatioGroup> groups;
};
std::string ratio_svg(const RatioPicture& picture);

// One run, or the mean of several: its scores, drawn as steps, above its rates, drawn as lines over the same axis.
struct RunSeries {
  struct Band {
    double x = 0, low = 0, high = 0;
  };
  std::string name;
  std::vector<std::pair<double, double>> scores;  // a score holds until the next one
  std::vector<std::pair<double, double>> rates;   // above 0
  std::vector<Band> band = {};                    // around the scores; steps as they are
  double end = 0;                                 // of the run, until which the last score holds
};
struct RunPicture {
  std::string title;
  std::string subtitle;
  std::string across = "seconds";  // titles of the axes
  std::string score;
  std::string rate;          // empty: no rates are drawn
  bool logarithmic = false;  // the axis across
  std::vector<RunSeries> series;
};
std::string runs_svg(const RunPicture& picture);

// A tuning: the fitness of its generations, and for every parameter a band of one deviation around the mean. The first
// band is the start, before the first generation.
struct TuningPicture {
  struct Band {
    double low = 0, mean = 0, high = 0;
  };
  struct Parameter {
    std::string name;
    bool is_logarithmic = false;
    std::vector<Band> bands = {};
  };
  std::string title;
  std::string subtitle;
  std::vector<double> means;  // fitness by generation
  std::vector<double> bests;
  std::vector<Parameter> parameters;
};
std::string tuning_svg(const TuningPicture& picture);

}  // namespace chainshot::tools
