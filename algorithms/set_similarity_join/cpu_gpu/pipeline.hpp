// The pipeline of the co-processing join (bellas2022 §4.2.1, Figure 4.7): chunks go round between threads that fill
// them (H0), the one that has them verified (H1), and one that reads the verdicts (H2).
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <span>

#include "algorithms/set_similarity_join/cpu_gpu/chunk.hpp"
#include "solvers/thread_team.hpp"

namespace warpbench::similarity {

/// Where chunks to fill come from and full ones go to.
struct ChunkExchange {
  std::function<Chunk*()> take;  ///< waits for an empty one; nullptr: another thread has failed
  std::function<void(Chunk*)> send;
};

struct PipelineRoles {
  /// H0: fills chunks until nothing is left, or there are no more chunks. The first of them has rank 0.
  std::function<void(std::size_t rank, const ChunkExchange&)> fill;
  /// H1, on the calling thread: each full chunk.
  std::function<void(Chunk&)> verify;
  /// H2: each chunk after that; may be empty.
  std::function<void(Chunk&)> post_process;
};

struct PipelineTimes {
  std::chrono::steady_clock::time_point filled;    ///< when the last thread of H0 ended
  std::chrono::steady_clock::time_point verified;  ///< and H1
};

/// Runs `fillers` threads of the team as H0, the calling one as H1, and one of the team as H2 if that has something to
/// do. Throws the first exception of any of them when all have ended: they do so at their next chunk.
PipelineTimes run_pipeline(std::span<Chunk> chunks, std::size_t fillers, const PipelineRoles& roles, ThreadTeam& team);

}  // namespace warpbench::similarity
