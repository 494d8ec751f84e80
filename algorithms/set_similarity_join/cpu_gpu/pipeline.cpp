#include "algorithms/set_similarity_join/cpu_gpu/pipeline.hpp"

#include <atomic>
#include <optional>

#include "algorithms/set_similarity_join/cpu_gpu/channel.hpp"
#include "problems/first_failure.hpp"

namespace warpbench::similarity {
namespace {

class Pipeline {
 public:
  Pipeline(std::span<Chunk> chunks, std::size_t fillers, const PipelineRoles& roles)
      : roles_(roles), fillers_(fillers), filling_(fillers) {
    for (Chunk& chunk : chunks) empty_.push(&chunk);
  }

  PipelineTimes run(ThreadTeam& team) {
    guard([&] {
      team.start(fillers_ + (roles_.post_process ? 1 : 0),
                 [this](std::size_t i) { i < fillers_ ? fill(i) : post_process(); });
      verify();
    });
    verified_.close();
    team.wait();
    failure_.rethrow();
    return times_;
  }

 private:
  using Clock = std::chrono::steady_clock;

  /// Runs body(). If it fails, the channels stop, and with them all threads.
  template <typename Body>
  void guard(const Body& body) noexcept {
    failure_.guard(body);
    if (!failure_.has_failed()) return;
    for (Channel<Chunk*>* const channel : {&empty_, &full_, &verified_}) channel->stop();
  }

  void fill(std::size_t rank) {
    guard([&] {
      roles_.fill(rank,
                  {[this] { return empty_.pop().value_or(nullptr); }, [this](Chunk* chunk) { full_.push(chunk); }});
    });
    if (filling_.fetch_sub(1) > 1) return;
    times_.filled = Clock::now();
    full_.close();
  }

  void verify() {
    while (const std::optional<Chunk*> chunk = full_.pop()) {
      roles_.verify(**chunk);
      (roles_.post_process ? verified_ : empty_).push(*chunk);
    }
    times_.verified = Clock::now();
  }

  void post_process() {
    guard([&] {
      while (const std::optional<Chunk*> chunk = verified_.pop()) {
        roles_.post_process(**chunk);
        empty_.push(*chunk);
      }
    });
  }

  const PipelineRoles& roles_;
  std::size_t fillers_;
  std::atomic<std::size_t> filling_;  ///< threads
  FirstFailure failure_;
  Channel<Chunk*> empty_;
  Channel<Chunk*> full_;
  Channel<Chunk*> verified_;
  PipelineTimes times_;
};

}  // namespace

PipelineTimes run_pipeline(std::span<Chunk> chunks, std::size_t fillers, const PipelineRoles& roles, ThreadTeam& team) {
  return Pipeline(chunks, fillers, roles).run(team);
}

}  // namespace warpbench::similarity
