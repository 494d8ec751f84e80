#include "datasets/parameters/declared.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "datasets/input_error.hpp"
#include "datasets/parameters/nearest_name.hpp"

namespace warpbench::datasets {
namespace {

std::string list_of(std::span<const std::string> names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text.empty() ? "none" : text;
}

std::string quoted_name(const std::string& name) {
  return '"' + name + '"';
}

template <typename Declaration>
std::vector<std::string> names_of(std::span<const Declaration> declared) {
  std::vector<std::string> names;
  for (const Declaration& one : declared) names.push_back(one.name);
  return names;
}

std::string range_of(const ParameterDeclaration& declared) {
  const std::string type = std::holds_alternative<std::int64_t>(declared.fallback) ? "a whole number" : "a number";
  const auto bound = [&declared](double value) {
    return std::holds_alternative<std::int64_t>(declared.fallback) && std::abs(value) < 9e15
               ? to_string(Property{static_cast<std::int64_t>(value)})
               : to_string(Property{value});
  };
  if (declared.high == kNoLimit) return type + " of at least " + bound(declared.low);
  return type + " from " + bound(declared.low) + " to " + bound(declared.high);
}

Property checked(const std::string& where, const ParameterDeclaration& declared, Property value) {
  const bool wants_word = std::holds_alternative<std::string>(declared.fallback);
  if (std::holds_alternative<double>(declared.fallback) && std::holds_alternative<std::int64_t>(value)) {
    value = static_cast<double>(std::get<std::int64_t>(value));
  }
  const std::string found = declared.name + ": " + to_string(value);
  if (value.index() != declared.fallback.index()) {
    throw InputError(where, 0, wants_word ? "a word" : range_of(declared), found, declared.meaning);
  }
  if (wants_word) {
    const auto& given = std::get<std::string>(value);
    const bool known = declared.choices.empty() || std::ranges::find(declared.choices, given) != declared.choices.end();
    if (!known) throw_unknown(where, "a word for " + quoted_name(declared.name), given, declared.choices);
    return value;
  }
  const double number = std::holds_alternative<double>(value) ? std::get<double>(value)
                                                              : static_cast<double>(std::get<std::int64_t>(value));
  if (!(number >= declared.low && number <= declared.high)) {  // also catches NaN
    throw InputError(where, 0, range_of(declared), found, declared.meaning);
  }
  return value;
}

}  // namespace

void throw_unknown(const std::string& where, const std::string& what, const std::string& name,
                   std::span<const std::string> candidates) {
  const std::string close = nearest_name(name, candidates);
  throw InputError(where, 0, what + " (one of " + list_of(candidates) + ')', quoted_name(name),
                   close.empty() ? "" : "did you mean " + quoted_name(close) + '?');
}

Properties resolve(const std::string& where, std::span<const ParameterDeclaration> declared, const Properties& given) {
  for (const auto& [name, value] : given) {
    const bool known =
        std::any_of(declared.begin(), declared.end(), [&name = name](const auto& one) { return one.name == name; });
    if (!known) throw_unknown(where, "a parameter", name, names_of(declared));
  }
  Properties result;
  for (const ParameterDeclaration& one : declared) {
    const auto found = given.find(one.name);
    if (found == given.end() && one.required) {
      throw InputError(where, 0, "a value for " + quoted_name(one.name), "none", one.meaning);
    }
    result[one.name] = checked(where, one, found == given.end() ? one.fallback : found->second);
  }
  return result;
}

std::map<std::string, std::string> resolve_options(const std::string& where,
                                                   std::span<const OptionDeclaration> declared,
                                                   const std::map<std::string, std::string>& given) {
  for (const auto& [name, value] : given) {
    const auto known =
        std::find_if(declared.begin(), declared.end(), [&name = name](const auto& one) { return one.name == name; });
    if (known == declared.end()) throw_unknown(where, "an option", name, names_of(declared));
    if (known->any_text || (known->accepts != nullptr && known->accepts(value))) continue;
    if (std::find(known->choices.begin(), known->choices.end(), value) == known->choices.end()) {
      std::vector<std::string> choices = known->choices;
      if (!known->others.empty()) choices.push_back(known->others);
      throw_unknown(where, "a value of option " + quoted_name(name), value, choices);
    }
  }
  std::map<std::string, std::string> result;
  for (const OptionDeclaration& one : declared) {
    const auto found = given.find(one.name);
    result[one.name] = found == given.end() ? one.choices.front() : found->second;
  }
  return result;
}

namespace {

template <typename T>
const T& get(const Properties& values, const std::string& name) {
  const auto found = values.find(name);
  if (found == values.end() || !std::holds_alternative<T>(found->second)) {
    throw std::logic_error("parameter \"" + name + "\" is not declared with this type");
  }
  return std::get<T>(found->second);
}

}  // namespace

std::int64_t integer(const Properties& values, const std::string& name) {
  return get<std::int64_t>(values, name);
}
double real(const Properties& values, const std::string& name) {
  return get<double>(values, name);
}
const std::string& word(const Properties& values, const std::string& name) {
  return get<std::string>(values, name);
}

}  // namespace warpbench::datasets
