// Describes the settings of a search as rows of a table. The options of the command line, --explain, the log and the
// refusal of options that do not apply all follow from these rows. The settings themselves are a plain struct; a row
// reads and writes one member of it.
#pragma once

#include <any>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace chainshot::host {

// Holds the settings struct of any search.
using Settings = std::any;

using SettingValue = std::variant<bool, std::int64_t, double, std::string>;

enum class SettingKind : std::uint8_t { kFlag, kWhole, kReal, kBytes, kName };

struct Setting {
  std::string name;   // the option without its dashes
  std::string help;   // one line
  std::string group;  // its heading in the help
  std::string paper;  // paper and section, or empty
  SettingKind kind = SettingKind::kFlag;
  double low = 0, high = 0;             // the range of a number
  std::vector<std::string> names = {};  // the allowed values of a name
  std::string noun = {};                // describes a name in errors: `selection rule`
  std::string zero = {};                // describes the meaning of 0 or of an empty name; empty: no special meaning
  std::string condition = {};           // describes the options with which the setting applies; empty: always

  std::function<SettingValue(const Settings&)> get = {};
  std::function<void(Settings&, const SettingValue&)> set = {};
  std::function<bool(const Settings&)> applies = [](const Settings&) { return true; };

  // Returns the value for people: `0.021`, `on`, `64M`, `from the budget`.
  std::string text(const Settings& settings) const;
};

// Returns the row of that name, or nullptr.
const Setting* setting_named(std::span<const Setting> table, std::string_view name);

// Formats a size as --memory takes it, if it is a whole number of units: 512M.
std::string memory_text(std::uint64_t bytes);

// Builds the table of a search whose settings are a struct S. Accessors are generic lambdas that return a reference to
// a member: [](auto& s) -> auto& { return s.selection.c; }
template <class S>
class SettingTable {
 public:
  // Puts the rows that follow under this heading.
  SettingTable& begin_group(std::string title) {
    group_ = std::move(title);
    return *this;
  }
  // Makes the rows that follow apply only if `holds` returns true; `condition` describes that for the user.
  SettingTable& only_with(std::string condition, bool (*holds)(const S&)) {
    condition_ = std::move(condition);
    holds_ = holds;
    return *this;
  }
  SettingTable& always() { return only_with({}, nullptr); }

  template <class Member>
  Setting& flag(std::string name, std::string help, std::string paper, Member member) {
    Setting& row = add(SettingKind::kFlag, std::move(name), std::move(help), std::move(paper));
    bind<bool>(row, member);
    return row;
  }
  template <class Member>
  Setting& whole(std::string name, std::string help, std::string paper, Member member, double low = 0,
                 double high = 1e9) {
    return number<std::int64_t>(SettingKind::kWhole, std::move(name), std::move(help), std::move(paper), member, low,
                                high);
  }
  template <class Member>
  Setting& real(std::string name, std::string help, std::string paper, Member member, double low = 0,
                double high = 1e9) {
    return number<double>(SettingKind::kReal, std::move(name), std::move(help), std::move(paper), member, low, high);
  }
  template <class Member>
  Setting& bytes(std::string name, std::string help, Member member, double low) {
    return number<std::int64_t>(SettingKind::kBytes, std::move(name), std::move(help), {}, member, low, 5e18);
  }
  // Adds a row for a member that is an enumeration; `names` lists the names of its values in order.
  template <class Member>
  Setting& choice(std::string name, std::string noun, std::string help, std::string paper,
                  std::vector<std::string> names, Member member) {
    const auto read = [member, names](const S& s) { return names[static_cast<std::size_t>(member(s))]; };
    const auto write = [member, names](S& s, const std::string& chosen) {
      auto& part = member(s);
      for (std::size_t i = 0; i < names.size(); ++i)
        if (names[i] == chosen) part = static_cast<std::decay_t<decltype(part)>>(i);
    };
    return name_by(std::move(name), std::move(noun), std::move(help), std::move(paper), names, read, write);
  }
  // Add a row for a number or a name that the struct stores in another form; `read` and `write` convert it.
  Setting& real_by(std::string name, std::string help, std::string paper, double low, double high,
                   std::function<double(const S&)> read, std::function<void(S&, double)> write) {
    Setting& row = add(SettingKind::kReal, std::move(name), std::move(help), std::move(paper));
    row.low = low;
    row.high = high;
    convert<double>(row, std::move(read), std::move(write));
    return row;
  }
  Setting& name_by(std::string name, std::string noun, std::string help, std::string paper,
                   std::vector<std::string> names, std::function<std::string(const S&)> read,
                   std::function<void(S&, const std::string&)> write) {
    Setting& row = add(SettingKind::kName, std::move(name), std::move(help), std::move(paper));
    row.noun = std::move(noun);
    row.names = std::move(names);
    convert<std::string>(row, std::move(read), std::move(write));
    return row;
  }

  std::vector<Setting> take() { return std::move(rows_); }

 private:
  Setting& add(SettingKind kind, std::string name, std::string help, std::string paper) {
    Setting& row = rows_.emplace_back();
    row.name = std::move(name);
    row.help = std::move(help);
    row.group = group_;
    row.paper = std::move(paper);
    row.kind = kind;
    row.condition = condition_;
    if (holds_ != nullptr)
      row.applies = [holds = holds_](const Settings& s) { return holds(std::any_cast<const S&>(s)); };
    return row;
  }
  template <class Value, class Member>
  Setting& number(SettingKind kind, std::string name, std::string help, std::string paper, Member member, double low,
                  double high) {
    Setting& row = add(kind, std::move(name), std::move(help), std::move(paper));
    row.low = low;
    row.high = high;
    bind<Value>(row, member);
    return row;
  }
  template <class Value, class Member>
  void bind(Setting& row, Member member) {
    convert<Value>(
        row, [member](const S& s) { return static_cast<Value>(member(s)); },
        [member](S& s, const Value& value) {
          auto& part = member(s);
          part = static_cast<std::decay_t<decltype(part)>>(value);
        });
  }
  template <class Value, class Read, class Write>
  void convert(Setting& row, Read read, Write write) {
    row.get = [read](const Settings& s) { return SettingValue(read(std::any_cast<const S&>(s))); };
    row.set = [write](Settings& s, const SettingValue& value) { write(std::any_cast<S&>(s), std::get<Value>(value)); };
  }

  std::string group_;
  std::string condition_;
  bool (*holds_)(const S&) = nullptr;
  std::vector<Setting> rows_;
};

}  // namespace chainshot::host
