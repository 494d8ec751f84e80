#include "datasets/loaders/archive_names.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <memory>
#include <new>
#include <string_view>
#include <system_error>

#include "datasets/input_error.hpp"
#include "datasets/loaders/text.hpp"
#include "device/integers.hpp"

namespace warpbench::datasets {
namespace {

constexpr unsigned kBuffer = 1U << 18U;
constexpr std::uint64_t kAlwaysAllowed = std::uint64_t{16} << 20U;

struct Close {
  void operator()(gzFile_s* file) const { static_cast<void>(::gzclose_r(file)); }
};
using GzipFile = std::unique_ptr<gzFile_s, Close>;  // reads plain files as they are

bool is_damaged(const GzipFile& file) {
  int code = Z_OK;
  static_cast<void>(::gzerror(file.get(), &code));
  return code != Z_OK;
}

[[noreturn]] void refuse_damage(const GzipFile& file, const std::string& name) {
  int code = Z_OK;
  const char* const said = ::gzerror(file.get(), &code);
  const bool told = code != Z_OK && said != nullptr && *said != '\0';
  throw InputError(name, 0, "a whole archive", told ? said : "its end", "fetch the file again");
}

}  // namespace

std::optional<std::vector<std::string>> archive_names(const std::filesystem::path& path, const std::string& last,
                                                      std::int64_t max_inflation) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return std::nullopt;
  const std::uint64_t stored = std::filesystem::file_size(path, ignored);
  const std::uint64_t limit = std::max(kAlwaysAllowed, stored * static_cast<std::uint64_t>(max_inflation));
  const GzipFile file(::gzopen(path.c_str(), "rb"));
  if (!file || ::gzbuffer(file.get(), kBuffer) != 0) throw InputError(path.string(), 0, "a readable file", "another");
  std::vector<std::string> names;
  std::array<char, kTarBlock> block{};
  for (std::uint64_t at = 0; at <= limit;) {
    const int got = ::gzread(file.get(), block.data(), kTarBlock);
    const std::string_view bytes(block.data(), static_cast<std::size_t>(std::max(got, 0)));
    if (at == 0 && !is_tar(bytes)) {
      if (last.empty()) return std::nullopt;
      if (got < 0) refuse_damage(file, path.string());
      if (got == 0) throw InputError(path.string(), 0, "data", "an empty file");
      if (got == static_cast<int>(kTarBlock) && block.front() != '\0')
        static_cast<void>(tar_header(bytes, path.string(), 0));
      return names;  // what is shorter than a header, or begins as an archive ends, has no member
    }
    if (got > 0 && block.front() == '\0') return names;
    // Some archives lack the zeros at their end. A packed one that is cut also reads as ended, but for the error.
    if (got == 0 && !is_damaged(file) && (::gzdirect(file.get()) == 0 || at <= stored)) return names;
    if (got != static_cast<int>(kTarBlock)) refuse_damage(file, path.string());
    TarHeader header = tar_header(bytes, path.string(), at);
    const std::uint64_t content = round_up(header.size, kTarBlock);
    if (header.regular) names.push_back(std::move(header.name));
    if (header.regular && !last.empty() && names.back() == last) return names;
    at += kTarBlock + content;
    if (at > limit) return std::nullopt;
    if (::gzseek(file.get(), static_cast<z_off_t>(content), SEEK_CUR) < 0) refuse_damage(file, path.string());
  }
  return std::nullopt;
}

}  // namespace warpbench::datasets
