// MappedFile: a whole file as read-only bytes, without a copy.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string_view>

namespace warpbench::datasets {

class MappedFile {
 public:
  /// Maps the file. Throws InputError if it does not exist, cannot be read, or is not a regular file.
  [[nodiscard]] static std::shared_ptr<const MappedFile> open(const std::filesystem::path& path);

  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  [[nodiscard]] std::span<const std::byte> bytes() const noexcept { return {data_, size_}; }
  [[nodiscard]] std::string_view text() const noexcept { return {reinterpret_cast<const char*>(data_), size_}; }

 private:
  struct Token {};  // lets make_shared, and no one else, construct

 public:
  MappedFile(Token, const std::byte* data, std::size_t size) noexcept : data_(data), size_(size) {}

 private:
  const std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace warpbench::datasets
