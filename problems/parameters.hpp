// Parameters: how a solver or a task declares what may be set, and the checked values it then receives. Each
// parameter is declared once, with default, range, unit, meaning and the stage it belongs to; the harness validates
// specs against the declaration, `warpbench list` prints it, and a sweep over solve-parameters reuses one prepared
// index because the stage is known. Defaults are the method as its document describes it.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "datasets/parameters/nearest_name.hpp"

namespace warpbench {

/// The value of a parameter. A literal becomes the type it looks like: 2 an integer, "text" a text and never true.
class Value : public std::variant<bool, std::int64_t, double, std::string> {
 public:
  Value() = default;
  template <std::same_as<bool> T>  // pointers would convert to a plain bool
  Value(T value) : variant(value) {}
  template <std::integral T>
  requires(!std::same_as<T, bool>) Value(T value) : variant(static_cast<std::int64_t>(value)) {}
  Value(double value) : variant(value) {}
  Value(std::string value) : variant(std::move(value)) {}
  Value(const char* value) : variant(std::string(value)) {}
};

/// The value as it stands in records and messages: true, 3, 0.5, text.
std::string to_string(const Value& value);

/// The part of a trial that depends on a parameter: `prepare` ones need a new index, `solve` ones do not.
enum class Stage { prepare, solve };

/// One declared parameter. Built fluently: `parameter("threads", 0).range(0, 1024).alias("all", 0).means("…")`.
struct ParameterSpec {
  std::string name;
  Value default_value;                   ///< the document's
  std::optional<double> minimum;         ///< inclusive, numbers only
  std::optional<double> maximum;         ///< inclusive, numbers only
  std::int64_t divisor = 1;              ///< of every value, integers only
  bool is_power_of_two = false;          ///< or 0 where the range allows it, integers only
  std::map<std::string, Value> aliases;  ///< words that stand for a value, such as `all` for 0 threads
  std::vector<Value> document_values;    ///< those that the document describes; empty: all of them
  std::string unit;                      ///< "" for pure numbers
  std::string meaning;                   ///< one line
  Stage stage = Stage::solve;
  /// Lists the allowed texts, texts only; none: any text. Asked anew by choices(), so that names registered later
  /// count.
  std::function<std::vector<std::string>()> list_choices;
  /// The one way to write a text, so that two spellings are one trial; throws std::invalid_argument. Texts only.
  std::function<std::string(const std::string&)> normal_form;

  ParameterSpec&& range(double low, double high) &&;
  ParameterSpec&& multiple_of(std::int64_t number) &&;
  ParameterSpec&& power_of_two() &&;
  ParameterSpec&& one_of(std::vector<std::string> allowed) &&;
  /// For choices that other files register: at static initialisation they are not yet complete.
  ParameterSpec&& one_of(std::vector<std::string> (*allowed)()) &&;
  ParameterSpec&& written_as(std::function<std::string(const std::string&)> form) &&;
  ParameterSpec&& alias(std::string word, Value value) &&;
  /// Any other value goes beyond the document.
  ParameterSpec&& document(std::vector<Value> values) &&;
  ParameterSpec&& in(std::string unit_name) &&;
  ParameterSpec&& means(std::string text) &&;
  ParameterSpec&& at(Stage which) &&;

  /// The allowed texts as they are now; empty: any.
  [[nodiscard]] std::vector<std::string> choices() const;
  /// "integer 1 to 32", "one of none, avx2", …: what an error message says was expected.
  [[nodiscard]] std::string expected() const;
  [[nodiscard]] bool is_documents(const Value& value) const;
};

ParameterSpec parameter(std::string name, Value default_value);

/// A parameter that is unknown, of the wrong type, out of range, or part of a combination that makes no sense.
/// `name` is the parameter at fault, so that the harness can point at its line in the spec.
class ParameterError : public std::runtime_error {
 public:
  ParameterError(std::string name, const std::string& message) : std::runtime_error(message), name_(std::move(name)) {}
  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  std::string name_;
};

/// Checked values, complete: every declared parameter has one. Ordered by name, so that its text is canonical.
class Parameters {
 public:
  Parameters() = default;
  /// Takes `given` over the defaults of `specs`. Integers given for a real parameter are converted.
  /// Throws ParameterError for an unknown name (with the nearest known one), a wrong type, or a value out of range.
  Parameters(const std::vector<ParameterSpec>& specs, const std::map<std::string, Value>& given);

  [[nodiscard]] bool flag(std::string_view name) const { return get<bool>(name); }
  [[nodiscard]] std::int64_t integer(std::string_view name) const { return get<std::int64_t>(name); }
  [[nodiscard]] double real(std::string_view name) const { return get<double>(name); }
  [[nodiscard]] const std::string& text(std::string_view name) const { return get<std::string>(name); }

  [[nodiscard]] const std::map<std::string, Value, std::less<>>& values() const { return values_; }
  /// Only the values whose spec is at `stage`.
  [[nodiscard]] Parameters at(Stage stage, const std::vector<ParameterSpec>& specs) const;
  /// `a=1 b=true`, sorted by name: part of a trial's identity.
  [[nodiscard]] std::string canonical() const;

 private:
  template <typename T>
  const T& get(std::string_view name) const {
    const auto found = values_.find(name);
    if (found == values_.end()) throw std::logic_error("parameter '" + std::string(name) + "' was never declared");
    const T* value = std::get_if<T>(&found->second);
    if (value == nullptr) throw std::logic_error("parameter '" + std::string(name) + "' has another type");
    return *value;
  }

  std::map<std::string, Value, std::less<>> values_;
};

/// Throws ParameterError where integer `name` exceeds integer `limit`.
void require_at_most(const Parameters& parameters, const char* name, const char* limit);

}  // namespace warpbench
