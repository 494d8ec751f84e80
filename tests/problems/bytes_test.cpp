// References as bytes and back (problems/bytes.hpp).
#include "problems/bytes.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace warpbench {
namespace {

const std::vector<std::uint32_t> kIds{1, 2, 3};
const std::vector<double> kDistances{0.5, 4};

struct Neighbors {
  std::vector<std::uint32_t> ids = kIds;
  std::vector<double> distances = kDistances;

  [[nodiscard]] auto parts() const { return std::tie(ids, distances); }
};

struct Labelled {
  std::uint64_t label = 7;
  Neighbors neighbors;
  std::vector<float> none;

  [[nodiscard]] auto parts() const { return std::tie(label, neighbors, none); }
};

std::string refusal(std::span<const std::byte> bytes) {
  try {
    ReferenceReader reader("a_problem", bytes);
    static_cast<void>(reader.take<std::uint32_t>(3));
    static_cast<void>(reader.take<double>(2));
    reader.finish();
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

TEST(ReferenceBytes, RoundTripInOrder) {
  const std::vector<std::byte> bytes = bytes_of(Labelled());
  ASSERT_EQ(bytes.size(), 8 + 3 * 4 + 2 * 8);
  ReferenceReader reader("a_problem", bytes);
  EXPECT_EQ(reader.take<std::uint64_t>(1)[0], 7);
  EXPECT_EQ(reader.take<std::uint32_t>(3), kIds);
  EXPECT_EQ(reader.take<double>(2), kDistances);
  EXPECT_TRUE(reader.take<float>(0).empty());
  EXPECT_NO_THROW(reader.finish());
}

TEST(ReferenceBytes, OfOneNumberOrArrayNeedNoParts) {
  const std::vector<std::byte> bytes = bytes_of(std::uint64_t{7});
  EXPECT_EQ(ReferenceReader("a_problem", bytes).take<std::uint64_t>(1)[0], 7);
  EXPECT_EQ(bytes_of(kIds).size(), 3 * 4);
}

TEST(ReferenceBytes, RefuseAnotherSize) {
  std::vector<std::byte> bytes = bytes_of(Neighbors());
  EXPECT_EQ(refusal(bytes), "");
  for (std::size_t size = 0; size < bytes.size(); ++size) EXPECT_NE(refusal(std::span(bytes).first(size)), "") << size;
  EXPECT_EQ(refusal(std::span(bytes).first(11)),
            "a stored reference of a_problem: expected at least 12 bytes, found 11");
  bytes.push_back({});
  EXPECT_EQ(refusal(bytes), "a stored reference of a_problem: expected only 28 bytes, found 29");
}

TEST(ReferenceBytes, RefuseAnySizeBeforeTheyTakeMemory) {
  ReferenceReader reader("a_problem", {});
  EXPECT_THROW(static_cast<void>(reader.take<double>(std::size_t{1} << 61U)), std::runtime_error);
}

}  // namespace
}  // namespace warpbench
