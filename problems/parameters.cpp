#include "problems/parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

namespace warpbench {
namespace {

std::string join(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

std::vector<std::string> names_of(const std::vector<ParameterSpec>& specs) {
  std::vector<std::string> names;
  names.reserve(specs.size());
  for (const ParameterSpec& spec : specs) names.push_back(spec.name);
  return names;
}

[[noreturn]] void reject(const ParameterSpec& spec, const Value& found) {
  throw ParameterError(
      spec.name, fmt::format("parameter '{}': expected {}, found {}", spec.name, spec.expected(), to_string(found)));
}

bool in_range(const ParameterSpec& spec, double value) {
  return std::isfinite(value) && (!spec.minimum || value >= *spec.minimum) && (!spec.maximum || value <= *spec.maximum);
}

/// The form of a whole number beyond its range.
bool in_form(const ParameterSpec& spec, std::int64_t value) {
  const bool power = value == 0 || (value > 0 && std::has_single_bit(static_cast<std::uint64_t>(value)));
  return value % spec.divisor == 0 && (power || !spec.is_power_of_two);
}

std::string normal_form(const ParameterSpec& spec, const std::string& word) {
  try {
    return spec.normal_form(word);
  } catch (const std::invalid_argument& error) {
    throw ParameterError(spec.name, error.what());
  }
}

Value checked(const ParameterSpec& spec, Value value) {
  if (const auto* word = std::get_if<std::string>(&value)) {
    if (const auto alias = spec.aliases.find(*word); alias != spec.aliases.end()) return alias->second;
  }
  if (std::holds_alternative<double>(spec.default_value)) {
    if (const auto* whole = std::get_if<std::int64_t>(&value)) value = static_cast<double>(*whole);
  }
  if (value.index() != spec.default_value.index()) reject(spec, value);
  if (const auto* whole = std::get_if<std::int64_t>(&value);
      whole != nullptr && !(in_range(spec, static_cast<double>(*whole)) && in_form(spec, *whole)))
    reject(spec, value);
  if (const auto* real = std::get_if<double>(&value); real != nullptr && !in_range(spec, *real)) reject(spec, value);
  if (const auto* word = std::get_if<std::string>(&value); word != nullptr) {
    const std::vector<std::string> choices = spec.choices();
    if (!choices.empty() && std::ranges::find(choices, *word) == choices.end()) reject(spec, value);
    if (spec.normal_form) return normal_form(spec, *word);
  }
  return value;
}

}  // namespace

std::string to_string(const Value& value) {
  struct Print {
    std::string operator()(bool v) const { return v ? "true" : "false"; }
    std::string operator()(std::int64_t v) const { return std::to_string(v); }
    std::string operator()(double v) const { return fmt::format("{}", v); }  // shortest text that reads back the same
    std::string operator()(const std::string& v) const { return v; }
  };
  return std::visit(Print{}, value);
}

ParameterSpec&& ParameterSpec::range(double low, double high) && {
  minimum = low;
  maximum = high;
  return std::move(*this);
}
ParameterSpec&& ParameterSpec::multiple_of(std::int64_t number) && {
  divisor = number;
  return std::move(*this);
}
ParameterSpec&& ParameterSpec::power_of_two() && {
  is_power_of_two = true;
  return std::move(*this);
}
ParameterSpec&& ParameterSpec::one_of(std::vector<std::string> allowed) && {
  list_choices = [allowed = std::move(allowed)] { return allowed; };
  return std::move(*this);
}
ParameterSpec&& ParameterSpec::one_of(std::vector<std::string> (*allowed)()) && {
  list_choices = allowed;
  return std::move(*this);
}
ParameterSpec&& ParameterSpec::written_as(std::function<std::string(const std::string&)> form) && {
  normal_form = std::move(form);
  return std::move(*this);
}
ParameterSpec&& ParameterSpec::alias(std::string word, Value value) && {
  aliases.emplace(std::move(word), std::move(value));
  return std::move(*this);
}
ParameterSpec&& ParameterSpec::document(std::vector<Value> values) && {
  document_values = std::move(values);
  return std::move(*this);
}
ParameterSpec&& ParameterSpec::in(std::string unit_name) && {
  unit = std::move(unit_name);
  return std::move(*this);
}
ParameterSpec&& ParameterSpec::means(std::string text) && {
  meaning = std::move(text);
  return std::move(*this);
}
ParameterSpec&& ParameterSpec::at(Stage which) && {
  stage = which;
  return std::move(*this);
}

std::vector<std::string> ParameterSpec::choices() const {
  return list_choices ? list_choices() : std::vector<std::string>{};
}

std::string ParameterSpec::expected() const {
  struct Type {
    const char* operator()(bool) const { return "true or false"; }
    const char* operator()(std::int64_t) const { return "integer"; }
    const char* operator()(double) const { return "number"; }
    const char* operator()(const std::string&) const { return "text"; }
  };
  const std::vector<std::string> words = choices();
  std::string text = words.empty() ? std::visit(Type{}, default_value) : "one of " + join(words);
  if (minimum && maximum) text += fmt::format(" {} to {}", *minimum, *maximum);
  if (divisor != 1) text += fmt::format(", a multiple of {}", divisor);
  if (is_power_of_two) text += minimum && *minimum <= 0 ? ", 0 or a power of two" : ", a power of two";
  if (unit == "B") text += " or a size such as 512MiB";
  for (const auto& [word, value] : aliases) text += " or " + word;
  return text;
}

bool ParameterSpec::is_documents(const Value& value) const {
  return document_values.empty() || std::ranges::find(document_values, value) != document_values.end();
}

ParameterSpec parameter(std::string name, Value default_value) {
  ParameterSpec spec;
  spec.name = std::move(name);
  spec.default_value = std::move(default_value);
  return spec;
}

Parameters::Parameters(const std::vector<ParameterSpec>& specs, const std::map<std::string, Value>& given) {
  for (const auto& [name, value] : given) {
    const auto spec = std::ranges::find(specs, name, &ParameterSpec::name);
    if (spec == specs.end()) {
      const std::vector<std::string> known = names_of(specs);
      const std::string near = nearest_name(name, known);
      throw ParameterError(name, fmt::format("unknown parameter '{}'{}; known: {}", name,
                                             near.empty() ? "" : fmt::format(" (did you mean '{}'?)", near),
                                             known.empty() ? "none" : join(known)));
    }
    values_[name] = checked(*spec, value);
  }
  for (const ParameterSpec& spec : specs) values_.try_emplace(spec.name, spec.default_value);
}

Parameters Parameters::at(Stage stage, const std::vector<ParameterSpec>& specs) const {
  Parameters part;
  for (const ParameterSpec& spec : specs) {
    if (spec.stage == stage) part.values_[spec.name] = values_.at(spec.name);
  }
  return part;
}

std::string Parameters::canonical() const {
  std::string text;
  for (const auto& [name, value] : values_)
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, to_string(value));
  return text;
}

void require_at_most(const Parameters& parameters, const char* name, const char* limit) {
  const std::int64_t value = parameters.integer(name);
  const std::int64_t most = parameters.integer(limit);
  if (value <= most) return;
  throw ParameterError(name, fmt::format("{} must not exceed {}, found {} and {}", name, limit, value, most));
}

}  // namespace warpbench
