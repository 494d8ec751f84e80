// Rules: wraps a problem's own struct for the harness (problems/problem.hpp). A problem P supplies
//
//   using Input, Answer, Reference
//   static ProblemInfo info();
//   static Input input(const datasets::Dataset&, const Parameters& task);   // views; the dataset outlives it
//   static Reference reference(const Input&);                               // the simplest correct solution
//   static Judgement judge(const Input&, const Answer&, const Reference&);
//   static std::uint64_t digest(const Answer&);                             // order-independent
//   static std::map<std::string, double> work(const Input&);
//   static std::vector<std::byte> to_bytes(const Reference&);
//   static Reference from_bytes(const Input&, std::span<const std::byte>);   // throws if they do not fit the input
#pragma once

#include <optional>
#include <utility>

#include "problems/judgement.hpp"
#include "problems/problem.hpp"

namespace warpbench {

template <typename Problem>
class TypedInstance final : public ProblemInstance {
 public:
  TypedInstance(std::shared_ptr<const datasets::Dataset> dataset, const Parameters& task)
      : dataset_(std::move(dataset)), input_(Problem::input(*dataset_, task)) {}

  std::map<std::string, double> work() const override { return Problem::work(input_); }
  std::vector<std::byte> reference_bytes() override { return Problem::to_bytes(reference()); }
  void set_reference(std::span<const std::byte> bytes) override { reference_ = Problem::from_bytes(input_, bytes); }

  [[nodiscard]] const typename Problem::Input& input() const { return input_; }
  /// Computed at the first call.
  [[nodiscard]] const typename Problem::Reference& reference() {
    if (!reference_) reference_ = Problem::reference(input_);
    return *reference_;
  }

 private:
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
