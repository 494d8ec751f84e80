// AllPairs: the counts, or other values, of all pairs of sets on a GPU, around a technique: the sets up, the pairs a
// tile at a time, their values or digests, and the answers down.
//
// All pairs are one tile where its counts fit into the device's memory beside the technique's helper structures. Else
// tiles of whole rows follow each other (bellas2022 §6.2.1), each brought down while the next is computed, in as few
// bytes a value as the largest set asks for: the way down takes longer than most techniques. Answers too large to keep
// are digested band by band (problems/sets/pairs.hpp): on the host what is brought down; where nothing is to come down,
// on the device, after each tile and outside the time. Of places each tile's are added to one list.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "algorithms/sets/engine/device_collection.hpp"
#include "algorithms/sets/engine/place_list.hpp"
#include "algorithms/sets/engine/technique.hpp"
#include "device/buffer.hpp"
#include "device/integers.hpp"
#include "problems/sets/pairs.hpp"
#include "solvers/phases.hpp"

namespace warpbench::sets {

/// The value of a pair, made of its count; `place`: of no pair, but the places of those that are contained.
enum class PairValue { count, degree, contained, place };

class AllPairs {
 public:
  explicit AllPairs(std::unique_ptr<Technique> technique) : technique_(std::move(technique)) {}

  void configure(const Parameters& parameters) { technique_->configure(parameters); }
  void prepare(const datasets::SetCollection& sets, PairValue value, const pairs::Limits& limits, Phases& phases);
  void upload(Phases& phases);
  void solve(Phases& phases) { solve(phases, Tiles::stay); }
  /// Views of this object's memory.
  [[nodiscard]] pairs::Answer download(Phases& phases);
  [[nodiscard]] pairs::Answer solve_with_transfers(Phases& phases);
  /// Of PairValue::place, once they came down: ascending.
  [[nodiscard]] std::span<std::uint64_t> places() { return places_.places(); }
  [[nodiscard]] std::map<std::string, double> counters() const;

 private:
  /// Whether tiles that the device does not keep go to the host as they are made, as a download would bring them.
  enum class Tiles { stay, go_down };

  /// The rows of a tile, and the band of the answer that they are a part of.
  struct TileRows {
    pairs::Band rows;
    std::size_t band;
  };

  void plan_tiles(const pairs::Limits& limits, int least_bits);
  [[nodiscard]] PairTile tile(std::size_t t);
  [[nodiscard]] Buffer<std::uint32_t>& tile_memory(std::size_t t);
  /// Adds the places of tile t's contained pairs.
  void collect_places(std::size_t t, Phases& phases);
  void solve(Phases& phases, Tiles tiles);
  /// Enqueues tile t's values.
  void enqueue(std::size_t t, Phases& phases);
  /// Waits for tile t and digests it where it lies, untimed.
  void digest_on_device(std::size_t t, Phases& phases);
  /// Enqueues tile t's way to its place on the host.
  void bring_down(std::size_t t, Phases& phases);
  /// Waits for tile t, which is on its way down, and for the tile that is computed beside it. Digests what came,
  /// untimed.
  void digest_on_host(std::size_t t, Phases& phases);
  [[nodiscard]] std::span<std::uint32_t> host_tile(std::size_t t);
  /// The words that so many values are brought down in.
  [[nodiscard]] std::int64_t words_of(std::int64_t places) const {
    return ceil_div(places, std::int64_t{kWordBits / value_bits_});
  }

  static constexpr int kWordBits = 32;

  std::unique_ptr<Technique> technique_;
  PairValue value_ = PairValue::count;
  std::int64_t set_count_ = 0;
  DeviceCollection sets_;

  PlaceList places_;
  bool kept_ = false;  ///< the answer is kept whole on the host
  std::vector<TileRows> tiles_;
  Buffer<std::uint32_t> tile_memory_[2];
  int value_bits_ = kWordBits;               ///< of a value of a tile that is brought down: 8, 16 or 32
  Buffer<std::uint32_t> packed_[2];          ///< such tiles, where these are fewer bits than a word
  PinnedBuffer<std::uint32_t> host_values_;  ///< all, or two tiles in turn
  Buffer<DigestWord> digests_;
  PinnedBuffer<DigestWord> host_digests_;
  std::vector<std::uint64_t> band_digests_;
  bool brought_down_ = false;  ///< band_digests_ are those of values that came down
  std::array<Event, 2> copied_;

  Stream stream_;  ///< the streams last, so that they wait for their copies before host memory is freed
  Stream copies_;
};

}  // namespace warpbench::sets
