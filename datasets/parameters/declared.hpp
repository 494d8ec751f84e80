// Declared parameters: generators, transforms and formats declare what they accept, and it is checked in one place.
//
// The values of a registry entry or a spec are resolved against these declarations before anything runs. An unknown
// name is refused with the nearest known one, a value of the wrong type or out of range with the range. A missing value
// takes its default.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/parameters/property.hpp"

namespace warpbench::datasets {

inline constexpr double kNoLimit = std::numeric_limits<double>::infinity();

struct ParameterDeclaration {
  std::string name;
  Property fallback;                      // its type is the parameter's type
  double low = 0.0;                       // inclusive; numbers only
  double high = kNoLimit;                 // inclusive; numbers only
  std::string meaning;                    // one line, with the unit
  bool required = false;                  // has no default; `fallback` only gives the type
  std::vector<std::string> choices = {};  // of a word, the allowed values; empty: any
};

/// An option of a file format: one of a few words; the first is the default.
struct OptionDeclaration {
  std::string name;
  std::vector<std::string> choices;
  std::string meaning;
  bool any_text = false;                             // any text will do; the only choice is the default
  bool (*accepts)(std::string_view text) = nullptr;  // what else will do besides the choices
  std::string others = {};                           // the same in words
};

/// Every declared parameter with its given or default value. Whole numbers are accepted for reals.
/// `where` names the entry in messages ("dataset livejournal-like"). Throws InputError.
[[nodiscard]] Properties resolve(const std::string& where, std::span<const ParameterDeclaration> declared,
                                 const Properties& given);

/// The same for a format's options.
[[nodiscard]] std::map<std::string, std::string> resolve_options(const std::string& where,
                                                                 std::span<const OptionDeclaration> declared,
                                                                 const std::map<std::string, std::string>& given);

/// Throws InputError(where): expected one of `candidates` (`what`), found `name`, with the nearest name.
[[noreturn]] void throw_unknown(const std::string& where, const std::string& what, const std::string& name,
                                std::span<const std::string> candidates);

/// Read resolved parameters; throw std::logic_error if the declaration has another type.
[[nodiscard]] std::int64_t integer(const Properties& values, const std::string& name);
[[nodiscard]] double real(const Properties& values, const std::string& name);
[[nodiscard]] const std::string& word(const Properties& values, const std::string& name);

}  // namespace warpbench::datasets
