#include "baselines/subgraph_matching/external.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "device/integers.hpp"
#include "problems/subgraph_matching/counting.hpp"
#include "solvers/external/own_program.hpp"

namespace warpbench::matching {
namespace {

using Json = nlohmann::json;
using Output = SubgraphMatching::Output;

constexpr const char* kProblem = "subgraph_matching";
constexpr const char* kCountFile = "counts.u64";
constexpr const char* kMatchFile = "matches.u32";

const char* name_of(Output output) {
  if (output == Output::count) return "count";
  if (output == Output::digest) return "digest";
  return output == Output::first ? "first" : "matches";
}

Json task_of(const SubgraphMatching::Input& input) {
  return {{"semantics", input.injective() ? "isomorphism" : "homomorphism"},
          {"output", name_of(input.output)},
          {"first", input.first},
          {"query_timeout", input.query_timeout_seconds}};
}

Json sizes_of(const Graph& graph) {
  return {{"vertices", graph.vertices()}, {"slots", graph.slots()}, {"labels", graph.labels.size()}};
}

void write(const ExternalSession& session, const std::string& name, const Graph& graph) {
  session.write(name + ".offsets.u64", graph.offsets);
  session.write(name + ".neighbors.u32", graph.neighbors);
  session.write(name + ".edge_labels.u32", graph.edge_labels);
  session.write(name + ".label_offsets.u64", graph.label_offsets);
  session.write(name + ".labels.u32", graph.labels);
}

[[maybe_unused]] const bool kRegisteredOwnProgram = register_own_program<SubgraphMatching, ExternalMatching>();

}  // namespace

void ExternalMatching::prepare(const Input& input, Phases& phases) {
  input_ = &input;
  start(phases);
  Json queries = Json::array();
  {
    const auto scope = phases.cpu("write");
    write(session(), "data", input.data());
    for (std::size_t i = 0; i < input.queries().size(); ++i) {
      write(session(), fmt::format("query_{}", i), input.queries()[i]);
      queries.push_back(sizes_of(input.queries()[i]));
    }
  }
  session().prepare(kProblem, {{"data", sizes_of(input.data())}, {"queries", queries}}, parameters(), phases);
}

void ExternalMatching::solve(Phases& phases) {
  {
    // So that nothing of an earlier request is taken for the answer to this one.
    const auto scope = phases.untimed("program");
    answer_ = {};
    std::filesystem::remove(session().file(kCountFile));
    std::filesystem::remove(session().file(kMatchFile));
  }
  const std::vector<double> ends =
      session().solve(kProblem, {{"task", task_of(*input_)}}, parameters(), "match", phases);
  if (ends.empty()) {
    throw std::runtime_error(
        fmt::format("expected {} to run the clock while it matches, found no turn", session().program().title()));
  }
  const auto scope = phases.untimed("program");
  for (const std::uint64_t count : session().read<std::uint64_t>(kCountFile, input_->queries().size())) {
    const bool is_solved = count != kNone<std::uint64_t>;
    answer_.queries.push_back({is_solved, is_solved ? count : 0, 0, {}});
  }
  if (input_->output != Output::count) take_matches();
}

void ExternalMatching::take_matches() {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 40;  // more than any memory holds
  std::uint64_t values = 0;
  for (std::size_t i = 0; i < answer_.queries.size(); ++i) {
    const auto vertices = static_cast<std::uint64_t>(input_->queries()[i].vertices());
    const std::uint64_t count = answer_.queries[i].count;
    if (count > (kMost - values) / vertices) {
      throw std::runtime_error(fmt::format("{} says that it wrote {} matches of {}", session().program().title(), count,
                                           input_->name_of_query(i)));
    }
    values += count * vertices;
  }
  const std::vector<Vertex> all = session().read<Vertex>(kMatchFile, values);
  std::span<const Vertex> left(all);
  for (std::size_t i = 0; i < answer_.queries.size(); ++i) {
    SubgraphMatching::QueryAnswer& query = answer_.queries[i];
    const auto vertices = static_cast<std::size_t>(input_->queries()[i].vertices());
    const std::span<const Vertex> own = left.first(query.count * vertices);
    left = left.subspan(own.size());
    if (input_->output == Output::digest) {
      for (std::size_t at = 0; at < own.size(); at += vertices)
        query.digest += digest_of_match(own.subspan(at, vertices));
    } else {
      query.matches.assign(own.begin(), own.end());
    }
  }
}

void ExternalMatching::download(Answer& answer, Phases& /*phases*/) {
  answer = answer_;
}

}  // namespace warpbench::matching
