// The formats of vectors: each reads back what was written.
#include <bit>
#include <cstring>

#include "datasets/loaders/vectors/hdf5_vectors.hpp"
#include "tests/datasets/support.hpp"
#include "tests/support/thorough.hpp"

namespace warpbench::datasets::testing {
namespace {

using warpbench::testing::usual_or_thorough;
using Floats = std::vector<float>;

/// The bytes of `value`, lowest first; highest first for IDX.
template <typename T>
std::string bytes_of(T value, bool big_endian = false) {
  std::string bytes(sizeof value, '\0');
  std::memcpy(bytes.data(), &value, sizeof value);
  return big_endian ? std::string(bytes.rbegin(), bytes.rend()) : bytes;
}

template <typename T>
std::string texmex(std::int32_t dimension, const std::vector<T>& values) {
  std::string bytes;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i % static_cast<std::size_t>(dimension) == 0) bytes += bytes_of(dimension);
    bytes += bytes_of(values[i]);
  }
  return bytes;
}

template <typename T>
std::string idx(char type, const std::vector<std::uint32_t>& sizes, const std::vector<T>& values) {
  std::string bytes{'\0', '\0', type, static_cast<char>(sizes.size())};
  for (const std::uint32_t size : sizes) bytes += bytes_of(size, true);
  for (const T value : values) bytes += bytes_of(value, true);
  return bytes;
}

VectorSet read(const std::string& bytes, const std::string& format, const Options& options = {}) {
  const Content content = parse_string(bytes, format, options);
  validate(content.data);
  return std::get<VectorSet>(content.data);
}

void expect_points(const VectorSet& set, std::int64_t dimension, const Floats& points) {
  EXPECT_EQ(set.dimension(), dimension);
  EXPECT_EQ(set.points, Array<float>(points));
  EXPECT_EQ(set.query_count(), 0);
}

TEST(TexmexLoader, ReadsEachType) {
  const Floats reals{0.5F, -1.25F, 3e38F, 1e-40F, -0.0F, 7.0F};
  expect_points(read(texmex(3, reals), "fvecs"), 3, reals);
  expect_points(read(texmex(1, reals), "fvecs"), 1, reals);
  expect_points(read(texmex<std::uint8_t>(2, {0, 255, 128, 1}), "bvecs"), 2, {0, 255, 128, 1});
  expect_points(read(texmex<std::int32_t>(2, {0, -5, 1 << 20, 1}), "ivecs"), 2, {0, -5, 1 << 20, 1});
  EXPECT_EQ(read(texmex(3, reals), "fvecs").metric(), Metric::euclidean);
  EXPECT_EQ(read(texmex(3, reals), "fvecs", {{"metric", "inner_product"}}).metric(), Metric::inner_product);
}

TEST(TexmexLoader, ReadsManyRowsOnManyThreads) {
  Floats values(5'000 * 7);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
  const std::string bytes = texmex(7, values);
  const Content content = parse(Text{nullptr, bytes, "test"}, "fvecs", {}, 4);
  EXPECT_EQ(std::get<VectorSet>(content.data).points, Array<float>(values));
}

TEST(IdxLoader, ReadsEachTypeAndFoldsTheSizesAfterTheFirst) {
  expect_points(read(idx<std::uint8_t>(8, {2, 2, 3}, {0, 1, 2, 3, 4, 255, 6, 7, 8, 9, 10, 11}), "idx"), 6,
                {0, 1, 2, 3, 4, 255, 6, 7, 8, 9, 10, 11});
  expect_points(read(idx<std::uint8_t>(8, {3}, {7, 8, 9}), "idx"), 1, {7, 8, 9});
  expect_points(read(idx<std::int8_t>(9, {2, 1}, {-128, 127}), "idx"), 1, {-128, 127});
  expect_points(read(idx<std::int16_t>(11, {1, 2}, {-300, 300}), "idx"), 2, {-300, 300});
  expect_points(read(idx<std::int32_t>(12, {1, 2}, {-70'000, 70'000}), "idx"), 2, {-70'000, 70'000});
  expect_points(read(idx<float>(13, {1, 2}, {-0.5F, 3e38F}), "idx"), 2, {-0.5F, 3e38F});
  expect_points(read(idx<double>(14, {2, 1}, {0.1, -2}), "idx"), 1, {0.1F, -2});
  EXPECT_EQ(read(idx<std::uint8_t>(8, {1}, {1}), "idx", {{"metric", "cosine"}}).metric(), Metric::cosine);
}

TEST(VectorsTextLoader, ReadsEverySeparator) {
  expect_points(read("1 2\t3\n 4,5 , 6 \r\n7 -8e1\t+9", "vectors_text"), 3, {1, 2, 3, 4, 5, 6, 7, -80, 9});
  expect_points(read("0.5\n1e-400\n", "vectors_text"), 1, {0.5F, 0});
}

TEST(VectorsTextLoader, DropsTheLastColumn) {
  expect_points(read("1 2 100001\n3,4,name\n5\t6\t7\t\n", "vectors_text", {{"last_column", "drop"}}), 2,
                {1, 2, 3, 4, 5, 6});
}

VectorSet read_good(const std::string& name, const Options& options = {}) {
  const Content content = parse(read_text(source_dir() / "tests" / "data" / "good_vectors" / name), "hdf5", options);
  validate(content.data);
  return std::get<VectorSet>(content.data);
}

TEST(Hdf5Loader, ReadsTablesAndTheDistance) {
  if (!has_hdf5()) GTEST_SKIP() << "built without HDF5";
  const VectorSet set = read_good("angular.hdf5");
  EXPECT_EQ(set.metric(), Metric::cosine);
  EXPECT_EQ(set.dimension(), 3);
  EXPECT_EQ(set.points, Array<float>(Floats{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}));
  EXPECT_EQ(set.queries, Array<float>(Floats{3, 4, 5, 6, 7, 8}));
  EXPECT_EQ(read_good("angular.hdf5", {{"metric", "euclidean"}}).metric(), Metric::euclidean);
}

TEST(Hdf5Loader, ReadsCompressedTablesWithoutQueries) {
  if (!has_hdf5()) GTEST_SKIP() << "built without HDF5";
  const VectorSet set = read_good("compressed.hdf5");
  EXPECT_EQ(set.metric(), Metric::euclidean);
  EXPECT_EQ(set.count(), 1000);
  EXPECT_EQ(set.query_count(), 0);
  for (std::int64_t i = 0; i < 1000; ++i) EXPECT_EQ(set.point(i)[1], static_cast<float>((2 * i + 1) % 7)) << i;
}

TEST(Hdf5Loader, AChangedByteIsRefusedByNameOrHarmless) {
  if (!has_hdf5()) GTEST_SKIP() << "built without HDF5";
  const std::string whole = read_file(source_dir() / "tests" / "data" / "good_vectors" / "compressed.hdf5");
  // With one of these bytes changed, in the descriptions of the filter and of the chunks, HDF5 1.10.8 reads out of
  // bounds.
  std::vector<std::size_t> places{935, 964, 965, 966, 1063, 1064, 1065};
  for (std::size_t at = 0; at < whole.size(); at += usual_or_thorough(97, 1)) places.push_back(at);
  int refused = 0;
  for (const std::size_t at : places) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ (at == 935 ? 0x20 : 0x80));
    try {
      static_cast<void>(parse(Text{nullptr, damaged, "damaged.hdf5"}, "hdf5", {{"metric", "euclidean"}}));
    } catch (const InputError& error) {
      ++refused;
      EXPECT_TRUE(error.file().starts_with("damaged.hdf5")) << error.what();
    }
  }
  EXPECT_GE(refused, 7);
}

}  // namespace
}  // namespace warpbench::datasets::testing
