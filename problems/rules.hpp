// Rules: wraps a problem's own struct for the harness (problems/problem.hpp). A problem P supplies
//
//   static ProblemInfo info();
//   struct Input { std::map<std::string, double> work() const; };     // views; the dataset outlives it
//   struct Answer {
//     std::uint64_t digest() const;                                   // order-independent
//     void poison();                                                  // overwrites it with what is no right answer
//   };
//   Reference                                                         // a type that bytes_of() can write
//   static Input input(const datasets::Dataset&, const Parameters& task);
//   static Reference reference(const Input&);                         // the simplest correct solution; or
//   static Reference reference(const Input&, double seconds = …);     // one that leaves open what takes longer
//   static Judgement judge(const Input&, const Answer&, const Reference&);
//   static Reference read_reference(const Input&, ReferenceReader&);  // refuses what does not fit the input
#pragma once

#include <limits>
#include <optional>
#include <utility>

#include "problems/bytes.hpp"
#include "problems/judgement.hpp"
#include "problems/problem.hpp"

namespace warpbench {

/// A stored reference, of which bytes_of() made the bytes. Throws std::runtime_error where it does not fit the input.
template <typename Problem>
[[nodiscard]] typename Problem::Reference stored_reference(const typename Problem::Input& input,
                                                           std::span<const std::byte> bytes) {
  ReferenceReader stored(Problem::info().id, bytes);
  typename Problem::Reference reference = Problem::read_reference(input, stored);
  stored.finish();
  return reference;
}

template <typename Problem>
class TypedInstance final : public ProblemInstance {
 public:
  TypedInstance(std::shared_ptr<const datasets::Dataset> dataset, const Parameters& task)
      : dataset_(std::move(dataset)), input_(Problem::input(*dataset_, task)) {}

  std::map<std::string, double> work() const override { return input_.work(); }
  bool reference_has_limit() const override { return kHasLimit; }
  std::vector<std::byte> reference_bytes(double seconds) override { return bytes_of(reference(seconds)); }
  void set_reference(std::span<const std::byte> bytes) override {
    reference_ = stored_reference<Problem>(input_, bytes);
  }

  void stretch_limits([[maybe_unused]] double factor) override {
    if constexpr (requires { input_.stretch_limits(factor); }) input_.stretch_limits(factor);
  }

  [[nodiscard]] const typename Problem::Input& input() const { return input_; }
  /// Computed at the first call.
  [[nodiscard]] const typename Problem::Reference& reference(double seconds = std::numeric_limits<double>::infinity()) {
    if (reference_) return *reference_;
    if constexpr (kHasLimit) {
      return reference_.emplace(Problem::reference(input_, seconds));
    } else {
      return reference_.emplace(Problem::reference(input_));
    }
  }

 private:
  static constexpr bool kHasLimit = requires(const typename Problem::Input& input, double seconds) {
    Problem::reference(input, seconds);
  };

  std::shared_ptr<const datasets::Dataset> dataset_;
  typename Problem::Input input_;
  std::optional<typename Problem::Reference> reference_;
};

namespace detail {
template <typename Problem>
bool register_rules() {
  return register_problem(
      {Problem::info(), typeid(Problem), [](std::shared_ptr<const datasets::Dataset> dataset, const Parameters& task) {
         return std::make_unique<TypedInstance<Problem>>(std::move(dataset), task);
       }});
}
}  // namespace detail

/// Registers a problem struct; once, in the problem's own source file.
#define WARPBENCH_PROBLEM(Problem)                                                                   \
  namespace {                                                                                        \
  [[maybe_unused]] const bool registered_##Problem = ::warpbench::detail::register_rules<Problem>(); \
  }

}  // namespace warpbench
