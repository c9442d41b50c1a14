// Rows of CSV (RFC 4180): fields with commas, quotes or line breaks are quoted.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace chainshot::tools {

class CsvRow {
 public:
  CsvRow& add(std::string_view text) {
    begin_field();
    if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
      row_ += text;
      return *this;
    }
    row_ += '"';
    for (const char c : text)
      row_ += c == '"' ? std::string("\"\"") : std::string(1, c);
    row_ += '"';
    return *this;
  }
  CsvRow& add(const char* text) { return add(std::string_view(text)); }
  CsvRow& add(const std::string& text) { return add(std::string_view(text)); }
  CsvRow& add(bool value) { return add(value ? "yes" : "no"); }
  // Numbers keep all digits that matter.
  template <class Number>
  CsvRow& add(Number value) {
    begin_field();
    row_ += fmt::format("{}", value);
    return *this;
  }

  std::string text() const { return row_ + '\n'; }

 private:
  void begin_field() {
    if (!is_first_) row_ += ',';
    is_first_ = false;
  }

  std::string row_;
  bool is_first_ = true;
};

}  // namespace chainshot::tools
