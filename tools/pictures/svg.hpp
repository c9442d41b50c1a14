// Pictures as SVG text that needs nothing else: boards, histograms, lines and runs.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "game/position.hpp"

namespace chainshot::tools {

// `text` made safe between tags and in attributes of XML and HTML.
std::string escape_xml(std::string_view text);

struct BoardPicture {
  game::Position position;
  std::string title;
  std::string caption;             // below the board; may be empty
  game::CellSet highlighted = {};  // the group about to go
};
std::string board_svg(const BoardPicture& picture);
// Several boards side by side, as many in a row as fit.
std::string boards_svg(const std::vector<BoardPicture>& pictures);

struct HistogramSeries {
  std::string name;
  std::vector<std::uint64_t> counts;  // a bin each
  double mean = 0;                    // marked by a line, in units of the axis
};
// One or more distributions over the same bins; series are drawn as shares, over each other.
struct HistogramPicture {
  std::string title;
  std::string subtitle;
  std::string axis;  // what is counted: `score`
  int low = 0;       // where the first bin starts
  int bin_width = 1;
  std::vector<HistogramSeries> series;
};
std::string histogram_svg(const HistogramPicture& picture);

struct LineSeries {
  std::string name;
  std::vector<std::pair<double, double>> points;  // from the left
};
// Lines over each other on logarithmic axes; all values are above 0.
struct LinePicture {
  std::string title;
  std::string subtitle;
  std::string across;  // what the axes count
  std::string up;
  std::vector<double> ticks;  // across; from the left
  std::vector<LineSeries> series;
  std::pair<double, double> ringed;  // a point to be noticed
};
std::string line_svg(const LinePicture& picture);

// Scores as steps above rates as lines, over the same seconds.
struct RunSeries {
  std::string name;
  std::vector<std::pair<double, double>> scores;  // a score holds until the next one
  std::vector<std::pair<double, double>> rates;   // above 0
  double seconds = 0;                             // until which the last score holds
};
struct RunPicture {
  std::string title;
  std::string subtitle;
  std::string score;  // what the axes count
  std::string rate;
  std::vector<RunSeries> series;
};
std::string runs_svg(const RunPicture& picture);

}  // namespace chainshot::tools
