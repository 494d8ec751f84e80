// References as bytes, which a cache keeps: arrays of numbers, one after the other, and back.
//
//   return bytes_of(reference.neighbors, reference.distances);
//
//   ReferenceReader reader("nearest_neighbors", bytes);
//   reference.neighbors = reader.take<std::uint32_t>(size);
//   reference.distances = reader.take<double>(size);
//   reader.finish();
#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace warpbench {

/// The bytes of the arrays, anything that a span can be made of.
template <typename... Arrays>
[[nodiscard]] std::vector<std::byte> bytes_of(const Arrays&... arrays) {
  std::vector<std::byte> all;
  const auto append = [&all](std::span<const std::byte> bytes) { all.insert(all.end(), bytes.begin(), bytes.end()); };
  (append(std::as_bytes(std::span(arrays))), ...);
  return all;
}

/// Throws std::runtime_error: a stored reference of `problem` does not fit the input.
[[noreturn]] inline void refuse_reference(const std::string& problem, const std::string& difference) {
  throw std::runtime_error("a stored reference of " + problem + ": " + difference);
}

/// Reads the arrays in the order in which they were written. Every member refuses bytes of another size.
class ReferenceReader {
 public:
  /// `bytes` outlives the reader.
  ReferenceReader(std::string problem, std::span<const std::byte> bytes)
      : problem_(std::move(problem)), all_(bytes), rest_(bytes) {}

  /// The next `count` elements.
  template <typename T>
  [[nodiscard]] std::vector<T> take(std::size_t count) {
    static_assert(std::is_trivially_copyable_v<T>);
    if (count > rest_.size() / sizeof(T)) refuse("at least", count * sizeof(T));
    std::vector<T> values(count);
    const std::span<const std::byte> bytes = rest_.first(count * sizeof(T));
    if (!bytes.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
    rest_ = rest_.subspan(bytes.size());
    return values;
  }

  /// To be called after the last array.
  void finish() const {
    if (!rest_.empty()) refuse("only", 0);
  }

 private:
  [[noreturn]] void refuse(const std::string& bound, std::size_t further) const {
    const std::size_t expected = all_.size() - rest_.size() + further;
    refuse_reference(problem_, "expected " + bound + " " + std::to_string(expected) + " bytes, found " +
                                   std::to_string(all_.size()));
  }

  std::string problem_;
  std::span<const std::byte> all_;
  std::span<const std::byte> rest_;
};

}  // namespace warpbench
