// References as bytes, which a cache keeps: numbers and arrays of numbers, one after the other, and back. A reference
// is one of these, or a struct that names its parts:
//
//   struct Reference {
//     std::vector<std::uint32_t> neighbors;
//     std::vector<double> distances;
//
//     [[nodiscard]] auto parts() const { return std::tie(neighbors, distances); }
//   };
//
// The bytes hold no sizes: whoever reads them knows from the input how many elements there must be.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace warpbench {

namespace detail {
template <typename Part>
void append_bytes(const Part& part, std::vector<std::byte>& all) {
  if constexpr (requires { part.parts(); }) {
    std::apply([&all](const auto&... parts) { (append_bytes(parts, all), ...); }, part.parts());
  } else if constexpr (std::is_arithmetic_v<Part>) {
    append_bytes(std::span(&part, 1), all);
  } else {
    const std::span<const std::byte> bytes = std::as_bytes(std::span(part));
    all.insert(all.end(), bytes.begin(), bytes.end());
  }
}
}  // namespace detail

/// The bytes of a reference that a cache keeps.
template <typename Reference>
[[nodiscard]] std::vector<std::byte> bytes_of(const Reference& reference) {
  std::vector<std::byte> all;
  detail::append_bytes(reference, all);
  return all;
}

/// Reads the parts in the order in which they were written. Every member refuses what does not fit by throwing
/// std::runtime_error.
class ReferenceReader {
 public:
  /// `bytes` outlives the reader.
  ReferenceReader(std::string problem, std::span<const std::byte> bytes)
      : problem_(std::move(problem)), all_(bytes), rest_(bytes) {}

  /// The next `count` elements.
  template <typename T>
  [[nodiscard]] std::vector<T> take(std::size_t count) {
    static_assert(std::is_trivially_copyable_v<T>);
    if (count > rest_.size() / sizeof(T)) refuse_size("at least", count * sizeof(T));
    std::vector<T> values(count);
    const std::span<const std::byte> bytes = rest_.first(count * sizeof(T));
    if (!bytes.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
    rest_ = rest_.subspan(bytes.size());
    return values;
  }

  /// All elements that are left: the last part, where the input does not tell its size.
  template <typename T>
  [[nodiscard]] std::vector<T> take_rest() {
    if (rest_.size() % sizeof(T) != 0) refuse_size("a multiple, so", rest_.size() / sizeof(T) * sizeof(T));
    return take<T>(rest_.size() / sizeof(T));
  }

  /// To be called after the last part.
  void finish() const {
    if (!rest_.empty()) refuse_size("only", 0);
  }
  [[noreturn]] void refuse(const std::string& difference) const {
    throw std::runtime_error("a stored reference of " + problem_ + ": " + difference);
  }

 private:
  [[noreturn]] void refuse_size(const std::string& bound, std::size_t further) const {
    const std::size_t expected = all_.size() - rest_.size() + further;
    refuse("expected " + bound + " " + std::to_string(expected) + " bytes, found " + std::to_string(all_.size()));
  }

  std::string problem_;
  std::span<const std::byte> all_;
  std::span<const std::byte> rest_;
};

}  // namespace warpbench
