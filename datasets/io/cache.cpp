#include "datasets/io/cache.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <bit>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <system_error>
#include <type_traits>
#include <utility>

#include "datasets/input_error.hpp"
#include "datasets/io/digest.hpp"
#include "datasets/io/mapped_file.hpp"
#include "datasets/io/temporary.hpp"
#include "device/integers.hpp"

namespace warpbench::datasets {
namespace {

// Layout: Header | metadata | padding | array | padding | array | … ; every array starts at a multiple of
// kAlignment. Metadata: digest, kind, properties, then name, element size and count of each array.
constexpr std::size_t kAlignment = 64;
constexpr std::array<char, 8> kMagic{'W', 'A', 'R', 'P', 'D', 'A', 'T', 'A'};

struct Header {
  std::array<char, 8> magic;
  std::uint64_t version;
  std::uint64_t file_bytes;
  std::uint64_t metadata_bytes;
  std::uint64_t payload_checksum;  // of everything after the header
  std::uint64_t header_checksum;   // of the fields above
};
static_assert(sizeof(Header) == 48);

constexpr std::size_t padded(std::size_t size) {
  return round_up(size, kAlignment);
}

std::uint64_t checksum_of(const Header& header) {
  return checksum(std::as_bytes(std::span(&header, 1)).first(offsetof(Header, header_checksum)));
}

class Writer {
 public:
  void number(std::uint64_t value) { bytes_.append(reinterpret_cast<const char*>(&value), sizeof value); }
  void text(std::string_view value) {
    number(value.size());
    bytes_.append(value);
  }
  void property(const Property& value) {
    number(value.index());
    if (const auto* whole = std::get_if<std::int64_t>(&value)) number(static_cast<std::uint64_t>(*whole));
    if (const auto* real = std::get_if<double>(&value)) number(std::bit_cast<std::uint64_t>(*real));
    if (const auto* word = std::get_if<std::string>(&value)) text(*word);
  }
  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

class Reader {
 public:
  Reader(std::string_view bytes, std::string file) : bytes_(bytes), file_(std::move(file)) {}
  std::uint64_t number() {
    std::uint64_t value = 0;
    std::memcpy(&value, take(sizeof value).data(), sizeof value);
    return value;
  }
  std::string text() { return std::string(take(number())); }
  Property property() {
    switch (number()) {
      case 0:
        return static_cast<std::int64_t>(number());
      case 1:
        return std::bit_cast<double>(number());
      case 2:
        return text();
      default:
        fail("a property of type 0, 1 or 2");
    }
  }
  [[noreturn]] void fail(const std::string& expected) const {
    throw InputError::at_byte(file_, sizeof(Header) + at_, expected, "other metadata");
  }

 private:
  std::string_view take(std::uint64_t size) {
    if (size > bytes_.size() - at_) fail("metadata of " + std::to_string(size) + " bytes");
    const std::string_view result = bytes_.substr(at_, size);
    at_ += size;
    return result;
  }

  std::string_view bytes_;
  std::string file_;
  std::size_t at_ = 0;
};

template <typename Visitor>
void visit_model_arrays(auto& data, Visitor&& visit) {
  std::visit(
      [&visit](auto& model) {
        using Model = std::decay_t<decltype(model)>;
        if constexpr (!std::is_same_v<Model, std::monostate>) Model::visit_arrays(model, visit);
      },
      data);
}

/// Visits every array of the content; those that are not part of the data come last.
template <typename Visitor>
void visit_all_arrays(auto& content, Visitor&& visit) {
  visit_model_arrays(content.data, visit);
  visit("original_ids", content.original_ids);
  visit("query_names", content.query_names);
}

/// An empty model of that kind, to be filled.
template <std::size_t Index = 0>
Data model_of(std::string_view kind, const Reader& reader) {
  if constexpr (Index == std::variant_size_v<Data>) {
    reader.fail("a kind of data that this program knows");
  } else {
    Data data{std::in_place_index<Index>};
    if (to_string(kind_of(data)) == kind) return data;
    return model_of<Index + 1>(kind, reader);
  }
}

std::string metadata_of(const CacheEntry& entry) {
  Writer writer;
  writer.text(entry.digest);
  writer.text(to_string(kind_of(entry.content.data)));
  writer.number(entry.content.properties.size());
  for (const auto& [name, value] : entry.content.properties) {
    writer.text(name);
    writer.property(value);
  }
  visit_all_arrays(entry.content, [&writer](std::string_view name, const auto& array) {
    writer.text(name);
    writer.number(sizeof(*array.data()));
    writer.number(array.size());
  });
  return writer.bytes();
}

/// A file written under a temporary name, removed unless it was renamed: then the name may be another program's.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::filesystem::path& target) : target_(target) {
    file_ = create_temporary(target, path_);
    if (!file_.open()) fail("create");
  }
  ~TemporaryFile() {
    if (!file_.open()) return;
    if (renamed_) return;
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  void write(std::span<const std::byte> bytes, std::uint64_t at) const {
    while (!bytes.empty()) {
      const ssize_t done = ::pwrite(file_.get(), bytes.data(), bytes.size(), static_cast<off_t>(at));
      if (done < 0 && errno == EINTR) continue;
      if (done <= 0) fail("write");
      bytes = bytes.subspan(static_cast<std::size_t>(done));
      at += static_cast<std::uint64_t>(done);
    }
  }
  void resize(std::uint64_t size) const {
    if (::ftruncate(file_.get(), static_cast<off_t>(size)) != 0) fail("size");
  }
  void commit() {
    if (::fsync(file_.get()) != 0) fail("flush");
    if (std::rename(path_.c_str(), target_.c_str()) != 0) fail("rename");
    renamed_ = true;
    const Descriptor folder(::open(target_.parent_path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!folder.open()) fail("open the folder of");
    if (::fsync(folder.get()) != 0) fail("flush the folder of");
  }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw std::system_error(errno, std::generic_category(), "cannot " + what + ' ' + path_.string());
  }

  std::filesystem::path target_;
  std::filesystem::path path_;
  bool renamed_ = false;
  Descriptor file_;
};

void require(bool good, const std::string& file, std::uint64_t offset, const std::string& expected,
             const std::string& found) {
  if (!good) throw InputError::at_byte(file, offset, expected, found);
}

Header checked_header(const MappedFile& mapped, const std::string& file) {
  const auto bytes = mapped.bytes();
  require(bytes.size() >= sizeof(Header), file, bytes.size(), "a cache header", "the end of the file");
  Header header{};
  std::memcpy(&header, bytes.data(), sizeof header);
  require(header.magic == kMagic, file, 0, "the magic of a cache file", "other bytes");
  require(header.header_checksum == checksum_of(header), file, 0, "a sound cache header", "a wrong checksum");
  require(header.version == kCacheVersion, file, offsetof(Header, version),
          "cache version " + std::to_string(kCacheVersion), std::to_string(header.version));
  require(header.file_bytes == bytes.size(), file, bytes.size(), std::to_string(header.file_bytes) + " bytes",
          std::to_string(bytes.size()));
  require(header.payload_checksum == checksum(bytes.subspan(sizeof(Header))), file, sizeof(Header), "a sound payload",
          "a wrong checksum");
  require(header.metadata_bytes <= bytes.size() - sizeof(Header), file, offsetof(Header, metadata_bytes),
          "metadata inside the file", std::to_string(header.metadata_bytes) + " bytes");
  return header;
}

}  // namespace

void write_cache(const std::filesystem::path& path, const CacheEntry& entry) {
  const std::string metadata = metadata_of(entry);
  TemporaryFile file(path);
  file.write(std::as_bytes(std::span(metadata)), sizeof(Header));
  std::size_t at = padded(sizeof(Header) + metadata.size());
  visit_all_arrays(entry.content, [&](std::string_view, const auto& array) {
    file.write(std::as_bytes(array.span()), at);
    at = padded(at + array.bytes());
  });
  file.resize(at);
  const auto written = MappedFile::open(file.path());  // gaps read as zeros; the checksum covers the bytes on disk
  Header header{kMagic, kCacheVersion, at, metadata.size(), checksum(written->bytes().subspan(sizeof(Header))), 0};
  header.header_checksum = checksum_of(header);
  file.write(std::as_bytes(std::span(&header, 1)), 0);
  file.commit();
}

std::optional<CacheEntry> read_cache(const std::filesystem::path& path) {
  if (!std::filesystem::exists(path)) return std::nullopt;
  const auto mapped = MappedFile::open(path);
  const std::string file = path.string();
  const Header header = checked_header(*mapped, file);
  const auto bytes = mapped->bytes();
  Reader reader(mapped->text().substr(sizeof(Header), header.metadata_bytes), file);
  CacheEntry entry;
  entry.digest = reader.text();
  entry.content.data = model_of(reader.text(), reader);
  for (std::uint64_t left = reader.number(); left > 0; --left) {
    std::string name = reader.text();
    entry.content.properties[std::move(name)] = reader.property();
  }
  std::size_t at = padded(sizeof(Header) + header.metadata_bytes);
  visit_all_arrays(entry.content, [&]<typename T>(std::string_view name, Array<T>& array) {
    if (reader.text() != name || reader.number() != sizeof(T)) reader.fail("array " + std::string(name));
    const std::uint64_t count = reader.number();
    if (at > bytes.size() || count > (bytes.size() - at) / sizeof(T)) reader.fail("an array inside the file");
    const auto* values = reinterpret_cast<const T*>(bytes.data() + at);  // aligned: 64 divides `at`
    array = Array<T>(mapped, std::span<const T>(values, count));
    at = padded(at + array.bytes());
  });
  return entry;
}

}  // namespace warpbench::datasets
