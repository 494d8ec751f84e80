#include "datasets/loaders/text.hpp"

#include <zlib.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>
#include <vector>

#include "datasets/input_error.hpp"
#include "datasets/io/mapped_file.hpp"
#include "datasets/io/usable_memory.hpp"
#include "datasets/parameters/declared.hpp"
#include "datasets/parameters/nearest_name.hpp"
#include "device/integers.hpp"

namespace warpbench::datasets {
namespace {

constexpr std::string_view kGzipMagic{"\x1f\x8b", 2};

/// Owns zlib's inflater. 32 + 15: gzip or zlib header, largest window.
class Inflater {
 public:
  Inflater() : good_(::inflateInit2(&stream_, 32 + 15) == Z_OK) {}
  ~Inflater() {
    if (good_) static_cast<void>(::inflateEnd(&stream_));
  }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
  [[nodiscard]] bool good() const noexcept { return good_; }
  z_stream& stream() noexcept { return stream_; }

 private:
  z_stream stream_{};
  bool good_ = false;
};

std::string_view field(std::string_view header, std::size_t at, std::size_t length) {
  const std::string_view raw = header.substr(at, length);
  return raw.substr(0, std::min(raw.find('\0'), raw.size()));
}

/// Parses an octal number, as tar writes sizes; accepts nothing else.
bool octal(std::string_view digits, std::uint64_t& value) {
  while (!digits.empty() && digits.front() == ' ') digits.remove_prefix(1);
  while (!digits.empty() && digits.back() == ' ') digits.remove_suffix(1);
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, 8);
  return error == std::errc{} && end == digits.data() + digits.size();
}

}  // namespace

std::string inflate(std::string_view compressed, const std::string& file, std::uint64_t max_bytes) {
  constexpr std::size_t kStep = std::size_t{1} << 30U;  // zlib counts in 32 bits
  Inflater inflater;
  if (!inflater.good()) throw std::bad_alloc();
  z_stream& stream = inflater.stream();
  std::string plain;
  std::size_t consumed = 0;
  std::size_t produced = 0;
  const auto fail = [&](const std::string& expected, const std::string& found) {
    throw InputError::at_byte(file, consumed, expected, found, "fetch the file again");
  };
  for (;;) {
    if (produced == plain.size()) {
      if (produced >= max_bytes) {
        throw InputError::at_byte(file, consumed, "at most " + std::to_string(max_bytes) + " inflated bytes", "more",
                                  "if the file is meant to be so large, allow it with --max-inflation");
      }
      plain.resize(std::min<std::uint64_t>(max_bytes, std::max(4 * compressed.size(), 2 * produced) + 64));
    }
    const std::size_t in = std::min(kStep, compressed.size() - consumed);
    const std::size_t out = std::min(kStep, plain.size() - produced);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(compressed.data() + consumed));
    stream.avail_in = static_cast<uInt>(in);
    stream.next_out = reinterpret_cast<Bytef*>(plain.data() + produced);
    stream.avail_out = static_cast<uInt>(out);
    const int status = ::inflate(&stream, Z_NO_FLUSH);
    consumed += in - stream.avail_in;
    produced += out - stream.avail_out;
    if (status == Z_STREAM_END) {
      if (consumed == compressed.size()) break;
      if (!compressed.substr(consumed).starts_with(kGzipMagic)) {
        fail("the end of the gzip stream", std::to_string(compressed.size() - consumed) + " more bytes");
      }
      if (::inflateReset(&stream) != Z_OK) fail("a gzip stream", "one that zlib cannot continue");
    } else if (status == Z_DATA_ERROR || status == Z_NEED_DICT) {
      fail("a sound gzip stream", stream.msg != nullptr ? stream.msg : "damage");
    } else if (status != Z_OK && status != Z_BUF_ERROR) {
      fail("a gzip stream", "zlib error " + std::to_string(status));
    } else if (consumed == compressed.size() && stream.avail_out != 0) {
      fail("the rest of the gzip stream", "the end of the file");
    }
  }
  plain.resize(produced);
  return plain;
}

bool is_tar(std::string_view bytes) noexcept {
  return bytes.size() >= kTarBlock && bytes.substr(257, 5) == "ustar";
}

TarHeader tar_header(std::string_view block, const std::string& file, std::uint64_t at) {
  TarHeader header;
  if (!is_tar(block) || !octal(field(block, 124, 12), header.size)) {
    throw InputError::at_byte(file, at, "a tar header (ustar)", "other bytes");
  }
  const std::string_view prefix = field(block, 345, 155);
  header.name = field(block, 0, 100);
  if (!prefix.empty() && block[263] == '0') header.name.insert(0, 1, '/').insert(0, prefix);
  header.regular = block[156] == '0' || block[156] == '\0';
  return header;
}

void visit_tar(std::string_view archive, const std::string& file,
               const std::function<bool(const std::string&, std::string_view)>& visit) {
  std::size_t at = 0;
  while (at + kTarBlock <= archive.size() && archive[at] != '\0') {
    const TarHeader header = tar_header(archive.substr(at, kTarBlock), file, at);
    at += kTarBlock;
    if (header.size > archive.size() - at) {
      throw InputError::at_byte(file, at, std::to_string(header.size) + " bytes of a tar member",
                                std::to_string(archive.size() - at));
    }
    if (header.regular && !visit(header.name, archive.substr(at, header.size))) return;
    at += std::min<std::uint64_t>(round_up(header.size, kTarBlock), archive.size() - at);
  }
}

std::string_view tar_member(std::string_view archive, const std::string& member, const std::string& file) {
  std::vector<std::string> names;
  std::optional<std::string_view> found;
  visit_tar(archive, file, [&](const std::string& name, std::string_view bytes) {
    if (name == member) found = bytes;
    names.push_back(name);
    return !found;
  });
  if (found) return *found;
  throw_no_member(file, member, names);
}

void throw_no_member(const std::string& file, const std::string& member, const std::vector<std::string>& names) {
  const std::string close = nearest_name(member, names);
  throw InputError(file, 0, "a tar member \"" + member + '"', std::to_string(names.size()) + " others",
                   close.empty() ? "" : "did you mean \"" + close + "\"?");
}

Text read_text(const std::filesystem::path& path, const std::string& member, std::int64_t max_inflation) {
  const auto mapped = MappedFile::open(path);
  Text text{mapped, mapped->text(), path.string()};
  if (text.bytes.empty()) throw InputError(text.file, 0, "data", "an empty file");
  if (text.bytes.starts_with(kGzipMagic)) {
    constexpr std::uint64_t kAlwaysAllowed = std::uint64_t{16} << 20U;
    const auto factor = static_cast<std::uint64_t>(max_inflation);
    const std::uint64_t largest = static_cast<std::uint64_t>(usable_memory_bytes()) / 2;
    const std::uint64_t inflated = text.bytes.size() > largest / factor ? largest : factor * text.bytes.size();
    const std::uint64_t limit = std::min(largest, std::max(kAlwaysAllowed, inflated));
    auto plain = std::make_shared<const std::string>(inflate(text.bytes, text.file, limit));
    text.bytes = *plain;
    text.owner = std::move(plain);
  }
  if (!member.empty()) {
    text.bytes = tar_member(text.bytes, member, text.file);
    text.file += ':' + member;
  }
  if (text.bytes.empty()) throw InputError(text.file, 0, "data", "an empty file");
  return text;
}

}  // namespace warpbench::datasets
