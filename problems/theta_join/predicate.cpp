#include "problems/theta_join/predicate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <regex>
#include <stdexcept>

namespace warpbench::theta {
namespace {

constexpr std::array<const char*, 6> kSigns{"<", "<=", ">", ">=", "=", "!="};  // in the order of Comparison
constexpr std::array<const char*, 2> kNames{"a", "x"};                         // in the order of Column

constexpr std::size_t kLongest = 256;  // std::regex_match calls itself for each character

template <typename Enum, std::size_t kSize>
Enum named(const std::array<const char*, kSize>& names, const std::string& name) {
  return static_cast<Enum>(std::ranges::find(names, name) - names.begin());
}

std::string to_string(const Condition& condition) {
  return fmt::format("R.{} {} S.{}", kNames.at(static_cast<std::size_t>(condition.r)),
                     kSigns.at(static_cast<std::size_t>(condition.comparison)),
                     kNames.at(static_cast<std::size_t>(condition.s)));
}

}  // namespace

Predicate parse(const std::string& text) {
  static const std::string kCondition = R"(R\.([ax])\s*(<=|>=|!=|<|>|=)\s*S\.([ax]))";
  static const std::regex kPredicate(R"(\s*)" + kCondition + R"((?:\s+(?:and|AND)\s+)" + kCondition + R"()?\s*)");
  std::smatch parts;
  if (text.size() > kLongest || !std::regex_match(text, parts, kPredicate)) {
    throw std::invalid_argument(
        fmt::format("expected a comparison of a column of R with one of S, or two joined by `and`, such as "
                    "'R.a > S.a and R.x <= S.x' (columns a and x; <, <=, >, >=, =, !=), found '{}'",
                    text.substr(0, kLongest)));
  }
  const auto condition = [&parts](std::size_t at) {
    return Condition{named<Column>(kNames, parts[at]), named<Comparison>(kSigns, parts[at + 1]),
                     named<Column>(kNames, parts[at + 2])};
  };
  Predicate predicate;
  predicate.first = condition(1);
  predicate.is_conjunction = parts[4].matched;
  if (predicate.is_conjunction) predicate.second = condition(4);
  return predicate;
}

std::string to_string(const Predicate& predicate) {
  std::string text = to_string(predicate.first);
  if (predicate.is_conjunction) text += " and " + to_string(predicate.second);
  return text;
}

}  // namespace warpbench::theta
