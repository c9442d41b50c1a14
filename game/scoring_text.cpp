#include "game/scoring_text.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

#include "game/parse_error.hpp"

namespace chainshot::game {
namespace {

constexpr int kMaxDepth = 32;  // of parentheses
constexpr std::string_view kParts = "points=..., left=..., left-per-color=... or bonus=...";

// A polynomial on its way: products of coefficients that fit into 32 bits fit into 64, and each is checked.
using Terms = std::array<std::int64_t, Polynomial::kMaxDegree + 1>;

// Reads the parts of a formula. A sum is products joined by + and -, a product is powers joined by * or by nothing, and
// a power is a number, n or a sum in parentheses, with an exponent or without.
class FormulaReader {
 public:
  explicit FormulaReader(std::string_view text) : text_(text) {}

  Scoring read() {
    Scoring scoring;
    do {
      skip_blanks();
      if (at_ == text_.size() && has_part_) break;  // a ; at the end
      read_part(scoring);
    } while (take(';'));
    if (at_ < text_.size()) fail(at_, shown(text_[at_]) + "; expected an operator, ; or the end of the formula");
    return scoring;
  }

 private:
  [[noreturn]] static void fail(std::size_t offset, const std::string& sentence) {
    throw ScoringError(offset, sentence);
  }

  void skip_blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t'))
      ++at_;
  }
  // The next character that is not blank; 0 at the end.
  char peek() {
    skip_blanks();
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool take(char c) {
    if (at_ == text_.size() || peek() != c) return false;
    ++at_;
    return true;
  }
  std::string next_shown() { return peek(), at_ < text_.size() ? shown(text_[at_]) : std::string("the end"); }

  void read_part(Scoring& scoring) {
    const std::size_t start = at_;
    while (at_ < text_.size() && ((text_[at_] >= 'a' && text_[at_] <= 'z') || text_[at_] == '-'))
      ++at_;
    const std::string_view name = text_.substr(start, at_ - start);
    const std::array<std::string_view, 4> names = {"points", "left", "left-per-color", "bonus"};
    std::size_t part = 0;
    while (part < names.size() && names[part] != name)
      ++part;
    if (part == names.size())
      fail(start, (name.empty() ? next_shown() : shown(name)) + "; expected " + std::string(kParts));
    if (given_[part]) fail(start, "a second " + std::string(name) + "=; expected one");
    given_[part] = has_part_ = true;
    if (!take('=')) fail(at_, next_shown() + " after " + std::string(name) + "; expected =");
    const std::size_t value_start = (skip_blanks(), at_);
    const Polynomial value = polynomial_of(sum(0));
    if (part == 0) scoring.points = value;
    if (part == 1) scoring.left = value;
    if (part == 2) scoring.left_per_color = value;
    if (part == 3) {
      if (value.degree() > 0) fail(value_start, "the bonus depends on n; expected a number");
      scoring.clear_bonus = value.coefficient(0);
    }
  }

  static Polynomial polynomial_of(const Terms& terms) {
    Polynomial polynomial;
    for (int power = 0; power <= Polynomial::kMaxDegree; ++power)
      polynomial.set(power, static_cast<std::int32_t>(terms[static_cast<std::size_t>(power)]));
    return polynomial;
  }

  static void check(const Terms& terms, std::size_t offset) {
    constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
    for (const std::int64_t c : terms)
      if (c < -kMost || c > kMost) fail(offset, "a coefficient outside -2147483647 to 2147483647; expected less");
  }

  Terms sum(int depth) {
    Terms total{};
    const std::size_t start = (skip_blanks(), at_);
    std::int64_t sign = take('-') ? -1 : (take('+'), 1);
    for (;;) {
      const Terms term = product(depth);
      for (std::size_t i = 0; i < total.size(); ++i)
        total[i] += sign * term[i];
      check(total, start);
      if (take('+')) {
        sign = 1;
      } else if (take('-')) {
        sign = -1;
      } else {
        return total;
      }
    }
  }

  Terms product(int depth) {
    const std::size_t start = (skip_blanks(), at_);
    Terms total = power(depth);
    for (;;) {
      const char next = peek();
      if (take('*') || next == 'n' || next == '(') {
        total = times(total, power(depth), start);
      } else {
        return total;
      }
    }
  }

  Terms power(int depth) {
    const std::size_t start = (skip_blanks(), at_);
    const Terms base = atom(depth);
    if (!take('^')) return base;
    const std::size_t exponent_start = (skip_blanks(), at_);
    const std::int64_t exponent = number("an exponent");
    if (exponent > Polynomial::kMaxDegree)
      fail(exponent_start, "an exponent of more than " + std::to_string(Polynomial::kMaxDegree) + "; expected less");
    Terms total{};
    total[0] = 1;
    for (std::int64_t i = 0; i < exponent; ++i)
      total = times(total, base, start);
    return total;
  }

  Terms atom(int depth) {
    Terms terms{};
    if (take('n')) {
      terms[1] = 1;
    } else if (peek() == '(') {
      if (depth == kMaxDepth) fail(at_, "more than " + std::to_string(kMaxDepth) + " nested parentheses");
      ++at_;
      terms = sum(depth + 1);
      if (!take(')')) fail(at_, next_shown() + "; expected an operator or )");
    } else {
      terms[0] = number("a number, n or (");
    }
    return terms;
  }

  std::int64_t number(const std::string& expected) {
    const char first = peek();
    if (first < '0' || first > '9') fail(at_, next_shown() + "; expected " + expected);
    const std::size_t start = at_;
    std::int64_t value = 0;
    for (; at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; ++at_) {
      value = value * 10 + (text_[at_] - '0');
      if (value > std::numeric_limits<std::int32_t>::max()) fail(start, "a number above 2147483647; expected less");
    }
    return value;
  }

  static Terms times(const Terms& a, const Terms& b, std::size_t offset) {
    Terms product{};
    for (std::size_t i = 0; i < a.size(); ++i)
      for (std::size_t j = 0; j < b.size(); ++j) {
        if (a[i] == 0 || b[j] == 0) continue;
        if (i + j > Polynomial::kMaxDegree)
          fail(offset, "a power of n above n^" + std::to_string(Polynomial::kMaxDegree) + "; expected less");
        // Each is below 2^31, and the sum is checked before it can leave 64 bits.
        product[i + j] += a[i] * b[j];
        check(product, offset);
      }
    return product;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::array<bool, 4> given_{};
  bool has_part_ = false;
};

// The factor n - root.
std::string factor(std::int64_t root) {
  if (root == 0) return "n";
  return root > 0 ? "(n-" + std::to_string(root) + ')' : "(n+" + std::to_string(-root) + ')';
}

// A number before a product or power.
std::string leading(std::int64_t coefficient) {
  return coefficient == 1 ? "" : coefficient == -1 ? "-" : std::to_string(coefficient);
}

// `2(n-1)(n-2)`, where a polynomial of degree 2 can be written so with whole numbers; else nothing.
std::string factored(const Polynomial& p) {
  const std::int64_t a = p.coefficient(2), b = p.coefficient(1), c = p.coefficient(0);
  if (p.degree() != 2 || b % a != 0 || c % a != 0) return {};
  // n^2 + s n + q = (n - low)(n - high)
  const std::int64_t s = b / a, q = c / a;
  // Roots beyond a million make no formula readable, and none has a square that leaves 64 bits.
  constexpr std::int64_t kMostRoot = 1'000'000;
  if (s < -2 * kMostRoot || s > 2 * kMostRoot || s * s - 4 * q < 0) return {};
  const auto d = static_cast<std::int64_t>(std::llround(std::sqrt(static_cast<double>(s * s - 4 * q))));
  if (d * d != s * s - 4 * q || (s + d) % 2 != 0) return {};
  std::int64_t low = (-s - d) / 2, high = (-s + d) / 2;
  if (high == 0 && low < 0) std::swap(low, high);
  if (low == high) return leading(a) + factor(low) + "^2";
  return leading(a) + factor(low) + factor(high);
}

}  // namespace

Scoring parse_scoring(std::string_view text) {
  if (is_formula(text)) return FormulaReader(text).read();
  if (const auto scoring = scoring_named(text)) return *scoring;
  std::string names;
  for (const Scoring& scoring : kScorings)
    names += (names.empty() ? "" : ", ") + scoring.name();
  throw ScoringError(0, (text.empty() ? "`scoring` without a name" : shown(text) + " is no scoring") + "; expected " +
                            names + " or a formula like points=(n-2)^2");
}

std::optional<Scoring> scoring_from_text(std::string_view text) {
  try {
    return parse_scoring(text);
  } catch (const ScoringError&) {
    return std::nullopt;
  }
}

std::string formula_of(const Polynomial& polynomial) {
  if (std::string text = factored(polynomial); !text.empty()) return text;
  std::string text;
  for (int power = polynomial.degree(); power >= 0; --power) {
    const std::int64_t c = polynomial.coefficient(power);
    if (c == 0) continue;
    if (!text.empty() && c > 0) text += '+';
    text += power == 0 ? std::to_string(c) : leading(c) + 'n';
    if (power > 1) text += '^' + std::to_string(power);
  }
  return text.empty() ? "0" : text;
}

std::string formula_of(const Scoring& scoring) {
  std::string text;
  const auto add = [&](std::string_view part, const std::string& value) {
    text += (text.empty() ? "" : "; ") + std::string(part) + '=' + value;
  };
  if (!scoring.points.is_zero()) add("points", formula_of(scoring.points));
  if (!scoring.left.is_zero()) add("left", formula_of(scoring.left));
  if (!scoring.left_per_color.is_zero()) add("left-per-color", formula_of(scoring.left_per_color));
  if (scoring.clear_bonus != 0) add("bonus", std::to_string(scoring.clear_bonus));
  return text.empty() ? "points=0" : text;
}

}  // namespace chainshot::game
