// The colours of the blocks, shared by the page, the pictures and the terminal. Letters are readable on all of them.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "game/geometry.hpp"

namespace chainshot::tools {

struct BlockColor {
  std::string_view fill;  // CSS
  std::string_view ink;   // CSS, for a letter on the block
  int terminal_fill;      // one of the 256 colours of xterm
  int terminal_ink;
};

inline constexpr std::string_view kLightInk = "#ffffff";
inline constexpr std::string_view kDarkInk = "#16181d";

inline constexpr std::array<BlockColor, game::kMaxColors> kBlockColors = {{
    {"#e5484d", kLightInk, 167, 231},
    {"#2f9e6e", kLightInk, 29, 231},
    {"#3b7ff0", kLightInk, 32, 231},
    {"#f2c230", kDarkInk, 220, 16},
    {"#9a5bd6", kLightInk, 97, 231},
    {"#f5832a", kDarkInk, 208, 16},
    {"#1fb5c4", kDarkInk, 38, 16},
    {"#ec5fa4", kDarkInk, 205, 16},
    {"#8c6a4a", kLightInk, 94, 231},
    {"#a6cf38", kDarkInk, 148, 16},
    {"#6f7787", kLightInk, 242, 231},
    {"#24408f", kLightInk, 18, 231},
    {"#f3a9bb", kDarkInk, 217, 16},
    {"#93dbe9", kDarkInk, 159, 16},
    {"#1c5a38", kLightInk, 22, 231},
}};

inline constexpr const BlockColor& block_color(int color) {
  return kBlockColors[static_cast<std::size_t>(color)];
}

}  // namespace chainshot::tools
