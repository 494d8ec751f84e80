// Resident arrays, growing buffers and the arena.
#include <algorithm>
#include <numeric>

#include "device/arena.hpp"
#include "device/growing.hpp"
#include "device/resident.hpp"
#include "tests/device/support.hpp"

namespace warpbench {
namespace {

using ResidentTest = testing::DeviceTest;
using GrowingTest = testing::DeviceTest;
using ArenaTest = testing::DeviceTest;

std::vector<int> ascending(int count) {
  std::vector<int> values(static_cast<std::size_t>(count));
  std::iota(values.begin(), values.end(), 1);
  return values;
}

std::vector<int> downloaded(View<const int> values, Stream& stream) {
  Buffer<int> copy(values.size(), stream);
  copy.copy_from(values, stream);
  return copy.to_vector(stream);
}

using DownloadTest = testing::DeviceTest;

TEST_F(DownloadTest, WhatWasBroughtDownIsOverwritten) {
  Buffer<int> answer(ascending(100), stream());
  Buffer<int> other(ascending(100), stream());
  Buffer<int> freed(ascending(100), stream());
  static_cast<void>(other.to_vector(stream()));  // nobody watches
  std::vector<int> part(40);
  {
    const DownloadWatch watch;
    answer.download(part, stream(), 10);
    static_cast<void>(freed.to_vector(stream()));
  }
  freed.reset();
  poison_downloaded();
  std::vector<int> expected = ascending(100);
  std::fill(expected.begin() + 10, expected.begin() + 50, static_cast<int>(0xdbdbdbdbU));
  EXPECT_EQ(answer.to_vector(stream()), expected);
  EXPECT_EQ(other.to_vector(stream()), ascending(100));

  answer.upload(ascending(100), stream());
  poison_downloaded();
  EXPECT_EQ(answer.to_vector(stream()), ascending(100)) << "it was forgotten";
}

TEST_F(ResidentTest, UploadsAsOftenAsAsked) {
  const std::int64_t before = memory_in_use();
  Resident<int> array(ascending(100));
  EXPECT_EQ(memory_in_use(), before) << "nothing is on the device before the first upload";
  EXPECT_TRUE(array.view().empty());
  EXPECT_EQ(array.size(), 100);
  EXPECT_EQ(array.bytes(), 400);

  array.upload(stream());
  EXPECT_EQ(downloaded(array.view(), stream()), ascending(100));
  const int* const place = array.view().data();
  array.upload(stream());
  EXPECT_EQ(array.view().data(), place) << "a second upload goes where the first lay";

  array.release();
  stream().synchronize();
  EXPECT_EQ(memory_in_use(), before);
  EXPECT_EQ(array.host()[99], 100) << "the pinned copy stays";
  array.allocate(stream());
  EXPECT_EQ(memory_in_use(), before + 400);
  array.upload(stream());
  EXPECT_EQ(downloaded(array.view(), stream()), ascending(100));
}

TEST_F(ResidentTest, TakesOtherValues) {
  Resident<int> array(ascending(100));
  array.upload(stream());
  stream().synchronize();
  array.pin(ascending(30));
  EXPECT_TRUE(array.view().empty()) << "memory of another size is given back";
  array.upload(stream());
  EXPECT_EQ(downloaded(array.view(), stream()), ascending(30));
  array.pin({});
  array.upload(stream());
  EXPECT_TRUE(array.view().empty());
}

TEST_F(GrowingTest, HasRoomForTheCount) {
  Buffer<int> buffer;
  grow(buffer, 0, stream());
  EXPECT_EQ(buffer.size(), 4096) << "a kernel may be given its view in any case";
  const int* const place = buffer.data();
  grow(buffer, 4096, stream());
  EXPECT_EQ(buffer.data(), place);
  grow(buffer, 4097, stream());
  EXPECT_EQ(buffer.size(), 6144);
  grow(buffer, 100'000, stream());
  EXPECT_EQ(buffer.size(), 100'000);
}

TEST_F(GrowingTest, KeepsContentsIfAsked) {
  Buffer<int> buffer(ascending(10), stream());
  grow(buffer, 5000, stream(), Contents::kept);
  EXPECT_EQ(buffer.size(), 5000);
  EXPECT_EQ(downloaded(buffer.view().first(10), stream()), ascending(10));
}

TEST_F(GrowingTest, TakesTheExactCountWhereMemoryIsShort) {
  Buffer<int> buffer(10'000, stream());
  set_memory_limit(memory_in_use() - 40'000 + 44'004);  // 11,001 elements without the old ones
  grow(buffer, 11'000, stream());
  EXPECT_EQ(buffer.size(), 11'000);
  EXPECT_THROW(grow(buffer, 12'000, stream()), OutOfDeviceMemory);
  EXPECT_TRUE(buffer.empty());
}

TEST_F(GrowingTest, LeavesKeptContentsIfItCannotGrow) {
  Buffer<int> buffer(ascending(10'000), stream());
  set_memory_limit(memory_in_use() + 40'000);
  EXPECT_THROW(grow(buffer, 11'000, stream(), Contents::kept), OutOfDeviceMemory);
  EXPECT_EQ(downloaded(buffer.view().first(3), stream()), ascending(3));
}

TEST_F(GrowingTest, GrowsPinnedMemory) {
  PinnedBuffer<int> buffer;
  grow(buffer, 5000);
  EXPECT_EQ(buffer.size(), 5000);
  const int* const place = buffer.span().data();
  grow(buffer, 10);
  EXPECT_EQ(buffer.span().data(), place);
  grow(buffer, 5001);
  EXPECT_EQ(buffer.size(), 7500);
}

TEST_F(ArenaTest, TakesPartsAndGivesThemBack) {
  Arena arena(4096, stream());
  const std::int64_t in_use = memory_in_use();
  const View<int> first = arena.take<int>(10);
  const View<double> second = arena.take<double>(1);
  EXPECT_EQ(first.size(), 10);
  EXPECT_EQ(reinterpret_cast<std::byte*>(second.data()) - reinterpret_cast<std::byte*>(first.data()), 256);
  EXPECT_EQ(arena.left(), 4096 - 512);

  const Arena::Mark mark = arena.mark();
  static_cast<void>(arena.take<std::byte>(3584));
  EXPECT_EQ(arena.left(), 0);
  EXPECT_THROW(static_cast<void>(arena.take<std::byte>(1)), OutOfDeviceMemory);
  arena.release(mark);
  EXPECT_EQ(arena.left(), 4096 - 512);
  EXPECT_EQ(arena.peak(), 4096);

  arena.reset();
  EXPECT_EQ(arena.peak(), 0);
  EXPECT_EQ(arena.take<int>(1).data(), first.data());
  EXPECT_EQ(memory_in_use(), in_use) << "nothing was allocated";
}

TEST_F(ArenaTest, LiesInMemoryOfAnotherOwner) {
  Buffer<std::byte> memory(2048, stream());
  Arena first(memory.view().first(1024));
  Arena second(memory.view().subview(1024, 1024), 512);
  EXPECT_EQ(first.take<std::byte>(1024).data(), memory.data());
  EXPECT_THROW(static_cast<void>(first.take<std::byte>(1)), OutOfDeviceMemory);
  const std::vector<std::int32_t> numbers{3, 1, 4};
  EXPECT_EQ(static_cast<const void*>(second.put(std::span(numbers), stream()).data()), memory.data() + 1024);
  EXPECT_EQ(second.left(), 768);
  Arena moved(std::move(second));
  EXPECT_EQ(static_cast<void*>(moved.take<std::byte>(1).data()), memory.data() + 1280);
  stream().synchronize();
}

TEST_F(ArenaTest, CopiesSeveralTablesAtOnce) {
  Arena arena(4096, stream(), 1000);
  static_cast<void>(arena.take<int>(1));  // the two sides need not be equally far
  std::vector<int> values = ascending(3);
  const std::vector<int> none;
  const std::vector<int> sevens(70, 7);
  const auto [first, second, third] = arena.put_all(stream(), std::span(values), std::span(none), std::span(sevens));
  values.assign(3, 0);
  EXPECT_EQ(downloaded(first, stream()), ascending(3));
  EXPECT_TRUE(second.empty());
  EXPECT_EQ(downloaded(third, stream()), sevens);
  const std::vector<int> rest = ascending(58);  // all that is left of the pinned bytes, which are no whole unit
  EXPECT_EQ(downloaded(std::get<0>(arena.put_all(stream(), std::span(rest))), stream()), rest);
  EXPECT_THROW(static_cast<void>(arena.put_all(stream(), std::span(none), std::span(rest))), std::length_error);
}

TEST_F(ArenaTest, CopiesSmallTables) {
  Arena arena(4096, stream(), 1024);
  std::vector<int> values = ascending(100);
  const View<const int> first = arena.put(std::span<const int>(values), stream());
  values.assign(100, 7);
  const View<const int> second = arena.put(std::span(values), stream());
  values.assign(100, 0);
  EXPECT_EQ(downloaded(first, stream()), ascending(100));
  EXPECT_EQ(downloaded(second, stream()), std::vector<int>(100, 7));
  EXPECT_THROW(static_cast<void>(arena.put(std::span(values), stream())), std::length_error);
  EXPECT_TRUE(arena.put(std::span<const int>(), stream()).empty());
  arena.reset();
  EXPECT_EQ(downloaded(arena.put(std::span(values), stream()), stream()), std::vector<int>(100, 0));
}

}  // namespace
}  // namespace warpbench
