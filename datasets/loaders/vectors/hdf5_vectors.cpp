#include "datasets/loaders/vectors/hdf5_vectors.hpp"

#include "datasets/input_error.hpp"
#include "datasets/loaders/vectors/vector_rows.hpp"

#if defined(WARPBENCH_HAS_HDF5)
#include <hdf5.h>

#include <array>
#include <cmath>
#include <cstring>
#include <span>
#include <utility>

#include "datasets/io/isolated.hpp"
#include "device/integers.hpp"
#endif

namespace warpbench::datasets {

OptionDeclaration hdf5_metric_option() {
  OptionDeclaration option = metric_option();
  option.choices.insert(option.choices.begin(), "file");
  option.meaning += "; file: as its attribute `distance` says";
  return option;
}

#if !defined(WARPBENCH_HAS_HDF5)

bool has_hdf5() noexcept {
  return false;
}

Content parse_hdf5(const Text& text, const Options& /*options*/, int /*threads*/) {
  throw InputError(text.file, 0, "a program built with the HDF5 library", "one without it",
                   "install the Debian package libhdf5-dev and build again");
}

#else

namespace {

/// Owns an identifier of the library. A negative one means that a call failed.
class Handle {
 public:
  using Close = herr_t (*)(hid_t);
  Handle(hid_t id, Close close) : id_(id), close_(close) {}
  ~Handle() {
    if (id_ >= 0) static_cast<void>(close_(id_));
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  [[nodiscard]] hid_t id() const noexcept { return id_; }
  [[nodiscard]] bool good() const noexcept { return id_ >= 0; }

 private:
  hid_t id_;
  Close close_;
};

struct Table {
  std::size_t rows = 0;
  std::size_t dimension = 0;
  std::vector<float> values;
};

class Reader {
 public:
  explicit Reader(const Text& text)
      : text_(text), access_(H5Pcreate(H5P_FILE_ACCESS), &H5Pclose), file_(open(text, access_.id()), &H5Fclose) {
    if (!file_.good()) fail("", "an HDF5 file", "bytes that the HDF5 library does not read");
  }

  [[nodiscard]] bool has(const char* name) const { return H5Lexists(file_.id(), name, H5P_DEFAULT) > 0; }

  [[nodiscard]] Table table(const char* name) const {
    if (!has(name)) fail("", "a table \"" + std::string(name) + '"', "none of that name");
    H5L_info_t link{};
    if (H5Lget_info(file_.id(), name, &link, H5P_DEFAULT) < 0 || link.type != H5L_TYPE_HARD) {
      fail(name, "a table in this file", "a link");
    }
    const Handle set(H5Dopen2(file_.id(), name, H5P_DEFAULT), &H5Dclose);
    if (!set.good()) fail(name, "a table", "something else");
    Table result;
    read_shape(set.id(), name, result);
    check_storage(set.id(), name, result);
    result.values.resize(result.rows * result.dimension);
    if (H5Dread(set.id(), H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, result.values.data()) < 0) {
      fail(name, "readable values", "damage, or a compression that the HDF5 library lacks");
    }
    check_finite(name, result);
    return result;
  }

  [[nodiscard]] Metric metric() const {
    constexpr const char* kFix = "give the format's option `metric`";
    if (H5Aexists(file_.id(), "distance") <= 0) fail("", "an attribute \"distance\"", "none", kFix);
    const std::string name = attribute();
    const std::array<std::pair<std::string_view, Metric>, 6> known{{{"euclidean", Metric::euclidean},
                                                                    {"angular", Metric::cosine},
                                                                    {"cosine", Metric::cosine},
                                                                    {"dot", Metric::inner_product},
                                                                    {"ip", Metric::inner_product},
                                                                    {"inner_product", Metric::inner_product}}};
    for (const auto& [word, metric] : known) {
      if (name == word) return metric;
    }
    fail("", "distance euclidean, angular or dot", '"' + name.substr(0, 40) + '"', kFix);
  }

  [[noreturn]] void fail(const std::string& part, const std::string& expected, const std::string& found,
                         const std::string& fix = {}) const {
    throw InputError(text_.file + (part.empty() ? "" : ":" + part), 0, expected, found, fix);
  }

 private:
  /// The library copies the bytes. It uses the name only internally and opens no such file.
  static hid_t open(const Text& text, hid_t access) {
    constexpr std::size_t kStep = std::size_t{1} << 20U;
    if (access < 0 || H5Pset_fapl_core(access, kStep, 0) < 0 ||
        H5Pset_file_image(access, const_cast<char*>(text.bytes.data()), text.bytes.size()) < 0) {
      return H5I_INVALID_HID;
    }
    return H5Fopen("warpbench-memory.hdf5", H5F_ACC_RDONLY, access);
  }

  void read_shape(hid_t set, const char* name, Table& table) const {
    const Handle type(H5Dget_type(set), &H5Tclose);
    const H5T_class_t kind = type.good() ? H5Tget_class(type.id()) : H5T_NO_CLASS;
    if (kind != H5T_FLOAT && kind != H5T_INTEGER) fail(name, "numbers", "values of another type");
    const Handle space(H5Dget_space(set), &H5Sclose);
    if (!space.good() || H5Sget_simple_extent_ndims(space.id()) != 2)
      fail(name, "a table of rows and columns", "another shape");
    std::array<hsize_t, 2> sizes{};
    if (H5Sget_simple_extent_dims(space.id(), sizes.data(), nullptr) != 2) fail(name, "a table's shape", "damage");
    if (sizes[1] < 1 || sizes[1] > static_cast<hsize_t>(kMaxDimension)) {
      fail(name, "1 to " + std::to_string(kMaxDimension) + " columns", std::to_string(sizes[1]));
    }
    if (sizes[0] < 1 || sizes[0] > 0xffff'fffeU) fail(name, "1 to 4294967294 rows", std::to_string(sizes[0]));
    table.rows = sizes[0];
    table.dimension = sizes[1];
  }

  /// All values must be stored in this file; otherwise a few bytes could claim any amount of memory.
  void check_storage(hid_t set, const char* name, const Table& table) const {
    constexpr std::uint64_t kMaxCompression = 1100;  // deflate reaches a factor of 1032
    const Handle made(H5Dget_create_plist(set), &H5Pclose);
    const Handle type(H5Dget_type(set), &H5Tclose);
    if (!made.good() || !type.good()) fail(name, "a table's description", "damage");
    if (H5Pget_layout(made.id()) == H5D_VIRTUAL) fail(name, "values in this file", "a virtual table");
    if (H5Pget_layout(made.id()) == H5D_CONTIGUOUS && H5Pget_external_count(made.id()) != 0) {
      fail(name, "values in this file", "external storage");
    }
    const std::uint64_t stored = H5Dget_storage_size(set);
    if (stored > text_.bytes.size()) {
      fail(name, "at most " + std::to_string(text_.bytes.size()) + " stored bytes, as many as the file has",
           std::to_string(stored));
    }
    const bool compressed = H5Pget_nfilters(made.id()) > 0;
    const std::uint64_t claimed = table.rows * table.dimension * H5Tget_size(type.id());
    if (claimed > (compressed ? kMaxCompression * stored : stored)) {
      fail(name, std::to_string(claimed) + " bytes of values", std::to_string(stored) + " stored bytes");
    }
    if (H5Pget_layout(made.id()) == H5D_CHUNKED) check_chunks(set, made.id(), name, table);
  }

  /// A chunk that was never written reads as zeros, which would be rows that nobody measured.
  void check_chunks(hid_t set, hid_t made, const char* name, const Table& table) const {
    std::array<hsize_t, 2> chunk{};
    hsize_t written = 0;
    const Handle space(H5Dget_space(set), &H5Sclose);
    if (!space.good() || H5Pget_chunk(made, 2, chunk.data()) != 2 || chunk[0] == 0 || chunk[1] == 0 ||
        H5Dget_num_chunks(set, space.id(), &written) < 0) {
      fail(name, "a table's chunks", "damage");
    }
    const hsize_t needed = ceil_div(hsize_t{table.rows}, chunk[0]) * ceil_div(hsize_t{table.dimension}, chunk[1]);
    if (written != needed) {
      fail(name, std::to_string(needed) + " chunks of values", std::to_string(written),
           "the others were never written: fetch the file again");
    }
  }

  void check_finite(const char* name, const Table& table) const {
    for (std::size_t i = 0; i < table.values.size(); ++i) {
      if (std::isfinite(table.values[i])) continue;
      fail(name, "a finite number that a float holds",
           std::string(std::isnan(table.values[i]) ? "nan" : "inf") + " in row " + std::to_string(i / table.dimension) +
               ", coordinate " + std::to_string(i % table.dimension));
    }
  }

  [[nodiscard]] std::string attribute() const {
    const Handle attribute(H5Aopen(file_.id(), "distance", H5P_DEFAULT), &H5Aclose);
    const Handle type(attribute.good() ? H5Aget_type(attribute.id()) : H5I_INVALID_HID, &H5Tclose);
    const Handle space(attribute.good() ? H5Aget_space(attribute.id()) : H5I_INVALID_HID, &H5Sclose);
    if (!type.good() || !space.good() || H5Tget_class(type.id()) != H5T_STRING ||
        H5Sget_simple_extent_npoints(space.id()) != 1) {
      fail("distance", "one word", "another attribute");
    }
    if (H5Tis_variable_str(type.id()) > 0) {
      char* word = nullptr;
      if (H5Aread(attribute.id(), type.id(), static_cast<void*>(&word)) < 0 || word == nullptr) {
        fail("distance", "one word", "damage");
      }
      std::string text(word);
      static_cast<void>(H5free_memory(word));
      return text;
    }
    const std::size_t size = H5Tget_size(type.id());
    if (size == 0 || size > text_.bytes.size()) fail("distance", "one word", "damage");
    std::string text(size, '\0');
    if (H5Aread(attribute.id(), type.id(), text.data()) < 0) fail("distance", "one word", "damage");
    return text.substr(0, text.find_first_of(std::string_view("\0 ", 2)));
  }

  const Text& text_;
  Handle access_;
  Handle file_;
};

/// What the child sends before the coordinates of the points and of the queries.
struct Shape {
  std::uint64_t dimension = 0;
  std::uint64_t points = 0;
  std::uint64_t queries = 0;
  std::uint64_t metric = 0;
};

/// The child's work.
void write_tables(const Text& text, const Options& options, int descriptor) {
  static_cast<void>(H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr));  // it prints its errors by default
  const Reader reader(text);
  const std::string& metric = options.at("metric");
  const Metric distance = metric == "file" ? reader.metric() : metric_from_string(metric).value_or(Metric::euclidean);
  const Table points = reader.table("train");
  Table queries;
  if (reader.has("test")) {
    queries = reader.table("test");
    if (queries.dimension != points.dimension) {
      reader.fail("test", std::to_string(points.dimension) + " columns, as train has",
                  std::to_string(queries.dimension));
    }
  }
  const Shape shape{points.dimension, points.rows, queries.rows, static_cast<std::uint64_t>(distance)};
  write_whole(descriptor, std::as_bytes(std::span(&shape, 1)));
  write_whole(descriptor, std::as_bytes(std::span(points.values)));
  write_whole(descriptor, std::as_bytes(std::span(queries.values)));
}

}  // namespace

bool has_hdf5() noexcept {
  return true;
}

Content parse_hdf5(const Text& text, const Options& options, int /*threads*/) {
  // Damaged files crash the library (1.10.8: one changed byte in the description of a filter or of the chunks) or let
  // it loop. A sound one is read far faster than this, from a slow disk on a busy machine, too.
  constexpr std::size_t kSlowestBytesPerSecond = 4'000'000;
  const std::chrono::seconds limit(60 + text.bytes.size() / kSlowestBytesPerSecond);
  const auto bytes =
      isolated(text.file, "the HDF5 library", limit, [&](int descriptor) { write_tables(text, options, descriptor); });
  Shape shape;
  std::memcpy(&shape, bytes->bytes().data(), sizeof shape);
  const auto* const values = reinterpret_cast<const float*>(bytes->bytes().subspan(sizeof shape).data());
  const std::span all(values, (shape.points + shape.queries) * shape.dimension);
  VectorSet set;
  set.facts =
      std::vector<std::uint32_t>{static_cast<std::uint32_t>(shape.dimension), static_cast<std::uint32_t>(shape.metric)};
  set.points = Array<float>(bytes, all.first(shape.points * shape.dimension));
  set.queries = Array<float>(bytes, all.subspan(shape.points * shape.dimension));
  return {std::move(set), {}, {}};
}

#endif

}  // namespace warpbench::datasets
