// ArrayRoom: memory for an array that is filled in place, such as a part of a cache file, so that a generator of tens
// of gigabytes needs no memory for them beside.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "datasets/array.hpp"

namespace warpbench::datasets {

struct ArrayRoom {
  std::shared_ptr<void> owner;
  std::span<std::byte> bytes;  ///< zeros, aligned for any number
};

using MakeRoom = std::function<ArrayRoom(std::size_t bytes)>;

/// Room of the process's own.
[[nodiscard]] inline ArrayRoom room_in_memory(std::size_t bytes) {
  const auto owner = std::make_shared<std::vector<std::byte>>(bytes);
  return {owner, *owner};
}

/// `count` values of T that `fill` writes, in room that `make_room` gives.
template <typename T, typename Fill>
[[nodiscard]] Array<T> filled_array(std::size_t count, const MakeRoom& make_room, const Fill& fill) {
  ArrayRoom room = make_room(count * sizeof(T));
  const std::span<T> values(reinterpret_cast<T*>(room.bytes.data()), count);
  fill(values);
  return Array<T>(std::move(room.owner), values);
}

}  // namespace warpbench::datasets
