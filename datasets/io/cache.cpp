#include "datasets/io/cache.hpp"

#include <unistd.h>

#include <array>
#include <bit>
#include <cstddef>
#include <cstring>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "datasets/input_error.hpp"
#include "datasets/io/digest.hpp"
#include "datasets/io/mapped_file.hpp"
#include "datasets/io/temporary.hpp"
#include "device/integers.hpp"

namespace warpbench::datasets {
namespace {

// Layout: Header | padding | array | padding | array | … | metadata; every array starts at a multiple of kAlignment.
// Metadata: digest, kind, properties, then name, element size, count and place of each array.
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
  /// `begin`: where in the file the bytes are.
  Reader(std::string_view bytes, std::size_t begin, std::string file)
      : bytes_(bytes), begin_(begin), file_(std::move(file)) {}
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
    throw InputError::at_byte(file_, begin_ + at_, expected, "other metadata");
  }

 private:
  std::string_view take(std::uint64_t size) {
    if (size > bytes_.size() - at_) fail("metadata of " + std::to_string(size) + " bytes");
    const std::string_view result = bytes_.substr(at_, size);
    at_ += size;
    return result;
  }

  std::string_view bytes_;
  std::size_t begin_;
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

/// `places`: where the arrays are, in the order of visit_all_arrays().
std::string metadata_of(const CacheEntry& entry, std::span<const std::size_t> places) {
  Writer writer;
  writer.text(entry.digest);
  writer.text(to_string(kind_of(entry.content.data)));
  writer.number(entry.content.properties.size());
  for (const auto& [name, value] : entry.content.properties) {
    writer.text(name);
    writer.property(value);
  }
  visit_all_arrays(entry.content, [&, next = places.begin()](std::string_view name, const auto& array) mutable {
    writer.text(name);
    writer.number(sizeof(*array.data()));
    writer.number(array.size());
    writer.number(*next++);
  });
  return writer.bytes();
}

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

struct CacheDraft::Rooms {
  explicit Rooms(const std::filesystem::path& path) : file(path) {}

  /// Where in the file the array's values are, if they have room there.
  [[nodiscard]] std::optional<std::size_t> place_of(std::span<const std::byte> array) const {
    for (const auto& [at, room] : given) {
      if (array.data() == room.bytes.data() && array.size() <= room.bytes.size()) return at;
    }
    return std::nullopt;
  }

  TemporaryFile file;
  std::size_t end = padded(sizeof(Header));
  std::vector<std::pair<std::size_t, ArrayRoom>> given;  ///< kept, so that no other array comes to lie there
};

CacheDraft::CacheDraft(const std::filesystem::path& path) : rooms_(std::make_unique<Rooms>(path)) {}
CacheDraft::~CacheDraft() = default;

ArrayRoom CacheDraft::room(std::size_t bytes) {
  if (bytes == 0) return room_in_memory(0);
  const std::size_t at = round_up(rooms_->end, static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)));
  ArrayRoom room = rooms_->file.map(at, bytes);
  rooms_->end = padded(at + bytes);
  rooms_->given.emplace_back(at, room);
  return room;
}

void CacheDraft::commit(const CacheEntry& entry) {
  TemporaryFile& file = rooms_->file;
  std::vector<std::size_t> places;
  visit_all_arrays(entry.content, [&](std::string_view, const auto& array) {
    const auto values = std::as_bytes(array.span());
    const std::optional<std::size_t> given = rooms_->place_of(values);
    places.push_back(given.value_or(rooms_->end));
    if (given) return;
    file.write(values, rooms_->end);
    rooms_->end = padded(rooms_->end + values.size());
  });
  const std::string metadata = metadata_of(entry, places);
  const std::size_t size = rooms_->end + metadata.size();
  file.resize(size);
  file.write(std::as_bytes(std::span(metadata)), rooms_->end);
  const auto written = MappedFile::open(file.path());  // gaps read as zeros; the checksum covers the bytes on disk
  Header header{kMagic, kCacheVersion, size, metadata.size(), checksum(written->bytes().subspan(sizeof(Header))), 0};
  header.header_checksum = checksum_of(header);
  file.write(std::as_bytes(std::span(&header, 1)), 0);
  file.commit();
}

void write_cache(const std::filesystem::path& path, const CacheEntry& entry) {
  CacheDraft(path).commit(entry);
}

std::optional<CacheEntry> read_cache(const std::filesystem::path& path) {
  if (!std::filesystem::exists(path)) return std::nullopt;
  const auto mapped = MappedFile::open(path);
  const std::string file = path.string();
  const Header header = checked_header(*mapped, file);
  const auto bytes = mapped->bytes();
  const std::size_t end = bytes.size() - header.metadata_bytes;  // of the arrays
  Reader reader(mapped->text().substr(end), end, file);
  CacheEntry entry;
  entry.digest = reader.text();
  entry.content.data = model_of(reader.text(), reader);
  for (std::uint64_t left = reader.number(); left > 0; --left) {
    std::string name = reader.text();
    entry.content.properties[std::move(name)] = reader.property();
  }
  visit_all_arrays(entry.content, [&]<typename T>(std::string_view name, Array<T>& array) {
    if (reader.text() != name || reader.number() != sizeof(T)) reader.fail("array " + std::string(name));
    const std::uint64_t count = reader.number();
    const std::uint64_t at = reader.number();
    if (at % kAlignment != 0 || at > end || count > (end - at) / sizeof(T)) reader.fail("an array inside the file");
    const auto* values = reinterpret_cast<const T*>(bytes.data() + at);  // aligned: 64 divides `at`
    array = Array<T>(mapped, std::span<const T>(values, count));
  });
  return entry;
}

}  // namespace warpbench::datasets
