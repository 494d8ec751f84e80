#include "problems/subgraph_matching/problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <functional>
#include <iterator>
#include <new>
#include <thread>

#include "datasets/input_error.hpp"
#include "problems/first_failure.hpp"
#include "problems/subgraph_matching/counting.hpp"
#include "problems/subgraph_matching/reference.hpp"

namespace warpbench {
namespace {

using Input = SubgraphMatching::Input;
using Output = SubgraphMatching::Output;
using QueryAnswer = SubgraphMatching::QueryAnswer;
using Semantics = SubgraphMatching::Semantics;

Semantics semantics_of(const std::string& name) {
  if (name == "homomorphism") return Semantics::homomorphism;
  return name == "edge_isomorphism" ? Semantics::edge_isomorphism : Semantics::isomorphism;
}

Output output_of(const std::string& name) {
  if (name == "digest") return Output::digest;
  if (name == "matches") return Output::matches;
  return name == "first" ? Output::first : Output::count;
}

/// For edge_isomorphism: one label a vertex, and edges to map.
void check_edge_isomorphism(const std::string& dataset, const SubgraphMatching::Graphs& graphs) {
  const auto refuse = [&dataset](const std::string& expected, const std::string& found) {
    throw datasets::InputError(dataset, 0, expected + ", for semantics: edge_isomorphism", found,
                               "ask for isomorphism or homomorphism");
  };
  if (!graphs.data.single_labels()) refuse("one label a vertex", "several in the data graph");
  for (std::size_t i = 0; i < graphs.queries.size(); ++i) {
    if (!graphs.queries[i].single_labels()) refuse("one label a vertex", fmt::format("several in query {}", i));
    if (graphs.queries[i].slots() == 0) refuse("queries with an edge", fmt::format("none in query {}", i));
  }
}

std::uint64_t rows_of(const matching::Graph& query, const QueryAnswer& answer) {
  return answer.matches.size() / static_cast<std::uint64_t>(query.vertices());
}

/// The first fault of the matches that an answer lists; "" where all are matches, and different.
std::string fault_of_matches(const Input& input, const matching::Graph& query, const QueryAnswer& answer) {
  const auto width = static_cast<std::size_t>(query.vertices());
  if (answer.matches.size() != answer.count * width) {
    return fmt::format("expected {} matches of {} vertices, as the count says, found {} vertices", answer.count, width,
                       answer.matches.size());
  }
  const auto match = [&](std::uint64_t row) { return std::span(answer.matches).subspan(row * width, width); };
  std::vector<std::uint64_t> rows(rows_of(query, answer));
  for (std::uint64_t row = 0; row < rows.size(); ++row) {
    rows[row] = row;
    std::string fault = matching::fault_of(query, input.data(), input.injective(), match(row));
    if (!fault.empty()) return fmt::format("match {}: {}", row, fault);
  }
  std::ranges::sort(rows, [&](auto a, auto b) { return std::ranges::lexicographical_compare(match(a), match(b)); });
  const auto same =
      std::ranges::adjacent_find(rows, [&](auto a, auto b) { return std::ranges::equal(match(a), match(b)); });
  return same == rows.end() ? "" : fmt::format("match {} is given twice, at {} too", *same, *(same + 1));
}

/// The digest of the matches that an answer lists, in any order.
std::uint64_t digest_of_rows(const QueryAnswer& answer) {
  const std::size_t width = answer.count == 0 ? 0 : answer.matches.size() / answer.count;
  if (width * answer.count != answer.matches.size()) return mix64(answer.matches.size());  // no table: judged in full
  std::uint64_t sum = 0;
  for (std::size_t row = 0; row < answer.matches.size(); row += width) {
    sum += matching::digest_of_match(std::span(answer.matches).subspan(row, width));
  }
  return sum;
}

constexpr std::uint64_t kOpen = kNone<std::uint64_t>;

/// The first fault of one query's answer; "" where there is none, as far as a reference that leaves it open can tell.
std::string fault_of(const Input& input, std::size_t i, const QueryAnswer& answer,
                     const SubgraphMatching::Reference& reference) {
  const std::uint64_t all = reference.counts[i];  // or enough of them
  const std::uint64_t expected = input.output == Output::first ? std::min(all, input.first) : all;
  if (all != kOpen && answer.count != expected) {
    return fmt::format("expected {} matches, found {}", expected, answer.count);
  }
  if (all == kOpen && input.output == Output::first && answer.count > input.first) {
    return fmt::format("expected at most {} matches, found {}", input.first, answer.count);
  }
  if (all != kOpen && input.output == Output::digest && answer.digest != reference.digests[i]) {
    return fmt::format("expected matches of digest {:016x}, found {:016x}", reference.digests[i], answer.digest);
  }
  if (input.output != Output::matches && input.output != Output::first) return "";
  return fault_of_matches(input, input.queries()[i], answer);
}

/// Calls work(i) for each i below `count`, shared among threads that have ended on return. After a region OpenMP's
/// threads spin for some milliseconds, on cores that the next timed solve may need; they end with the thread that began
/// the region, so that one is made for it. `work` does not throw. Throws std::system_error.
void for_each_apart(std::int64_t count, const std::function<void(std::size_t)>& work) {
  std::thread([&] {
#pragma omp parallel for schedule(dynamic)
    for (std::int64_t i = 0; i < count; ++i) work(static_cast<std::size_t>(i));
  }).join();
}

/// fault_of() of each query's answer; "" for one that is not solved. Threads share the queries: to look at a hundred
/// thousand matches of each of many takes longer than to find them.
std::vector<std::string> faults_of(const Input& input, const SubgraphMatching::Answer& answer,
                                   const SubgraphMatching::Reference& reference) {
  std::vector<std::string> faults(answer.queries.size());
  FirstFailure failure;
  for_each_apart(std::ssize(faults), [&](std::size_t i) {
    failure.guard([&] {
      if (answer.queries[i].solved) faults[i] = fault_of(input, i, answer.queries[i], reference);
    });
  });
  failure.rethrow();
  return faults;
}

/// Whether an answer without a fault is known to be right: as many matches as were asked for need no reference.
bool is_verified(const Input& input, std::size_t i, const QueryAnswer& answer,
                 const SubgraphMatching::Reference& reference) {
  return reference.counts[i] != kOpen || (input.output == Output::first && answer.count == input.first);
}

/// The matches of one query, or `limits.enough`; a count of kOpen where time or memory do not suffice.
matching::Counted counted(const Input& input, const matching::Graph& query, const matching::SearchLimits& limits) {
  const bool with_digest = input.output == Output::digest;
  try {
    return matching::backtrack(query, input.data(), input.injective(), with_digest, limits)
        .value_or(matching::Counted{kOpen, 0});
  } catch (const std::bad_alloc&) {
    return {kOpen, 0};
  }
}

}  // namespace

ProblemInfo SubgraphMatching::info() {
  ProblemInfo info;
  info.id = "subgraph_matching";
  info.title = "Subgraph matching: all matches of query graphs in a labelled graph";
  info.source = "gsi2020, §II-A; yu2023, §2.3";
  info.task = {
      parameter("semantics", "isomorphism")
          .one_of({"isomorphism", "homomorphism", "edge_isomorphism"})
          .means("different vertices to different vertices; any; or different edges to different edges"),
      parameter("output", "count")
          .one_of({"count", "digest", "matches", "first"})
          .means("of each query the number of matches; and a digest of them; and themselves; or `first` of them"),
      parameter("first", 1000).range(1, 1e9).means("output: first: so many matches"),
      parameter("query_timeout", 100.0)
          .range(1e-3, 1e6)
          .in("s")
          .means("a query that takes longer is unsolved and counts as taking so long")};
  info.accepts = {datasets::Kind::GraphQueries};
  info.work_unit = "queries";
  info.quality = {{.name = "solved", .label = "queries solved", .is_count = true}};
  info.mean_with_limits = "query_mean_s";
  info.indifferent = {{"query_timeout"}, {"output", {{"output", "first"}}}, {"first", {{"output", "first"}}}};
  return info;
}

std::map<std::string, double> SubgraphMatching::Input::work() const {
  double edges = 0;
  for (const matching::Graph& query : queries()) edges += static_cast<double>(query.slots()) / 2;
  return {{"queries", static_cast<double>(queries().size())}, {"query_edges", edges}};
}

std::uint64_t SubgraphMatching::Answer::digest() const {
  std::atomic<std::uint64_t> sum = queries.size();
  for_each_apart(std::ssize(queries), [&](std::size_t i) {
    const QueryAnswer& query = queries[i];
    if (query.solved) sum += mix64(mix64(mix64(i) ^ query.count) ^ (query.digest + digest_of_rows(query)));
  });
  return sum;
}

SubgraphMatching::Input SubgraphMatching::input(const datasets::Dataset& dataset, const Parameters& task) {
  const auto& given = dataset.as<datasets::GraphQueries>();
  const matching::LabelNumbers numbers = matching::label_numbers(given.data);
  auto graphs = std::make_shared<Graphs>();
  graphs->data = matching::numbered(given.data, numbers);
  for (std::int64_t i = 0; i < given.count(); ++i) {
    graphs->queries.push_back(matching::numbered(given.query(i), numbers));
  }
  graphs->query_files = dataset.names_of_queries();
  graphs->published_counts = {given.published_counts.begin(), given.published_counts.end()};
  Input input;
  input.semantics = semantics_of(task.text("semantics"));
  if (input.semantics == Semantics::edge_isomorphism) {
    check_edge_isomorphism(dataset.name, *graphs);
    matching::EdgeGraphs transformed = matching::edge_graphs(graphs->data, graphs->queries);
    graphs->data = std::move(transformed.data);
    graphs->queries = std::move(transformed.queries);
  }
  input.graphs = std::move(graphs);
  input.output = output_of(task.text("output"));
  input.first = input.output == Output::first ? static_cast<std::uint64_t>(task.integer("first")) : 0;
  input.query_timeout_seconds = task.real("query_timeout");
  return input;
}

std::string SubgraphMatching::Input::name_of_query(std::size_t query) const {
  const std::vector<std::string>& files = graphs->query_files;
  return query < files.size() ? fmt::format("query {} ({})", query, files[query]) : fmt::format("query {}", query);
}

SubgraphMatching::Reference SubgraphMatching::reference(const Input& input, double seconds) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  Reference reference;
  const std::vector<std::uint64_t>& published = input.graphs->published_counts;
  const bool counts_do = input.output == Output::count || input.output == Output::first;
  if (!published.empty() && input.semantics == Semantics::isomorphism && counts_do) {
    reference.counts = published;
    return reference;
  }
  matching::SearchLimits limits;
  if (input.output == Output::first) limits.enough = input.first;
  for (std::size_t i = 0; i < input.queries().size(); ++i) {
    const double left = seconds - std::chrono::duration<double>(Clock::now() - start).count();
    limits.seconds = std::max(left, 0.0) / static_cast<double>(input.queries().size() - i);
    const matching::Counted found = counted(input, input.queries()[i], limits);
    reference.counts.push_back(found.count);
    if (input.output == Output::digest) reference.digests.push_back(found.digest);
  }
  return reference;
}

namespace {

constexpr int kNamedUnsolved = 20;  ///< so many at most, lest a record of a hard data set grow without bound

/// query_sparse_20_7 where the query is of a file of that name, else query_7.
std::string short_name_of_query(const SubgraphMatching::Input& input, std::size_t query) {
  const std::vector<std::string>& files = input.graphs->query_files;
  if (query >= files.size()) return fmt::format("query_{}", query);
  return std::filesystem::path(files[query]).stem().string();
}

}  // namespace

Judgement SubgraphMatching::judge(const Input& input, const Answer& answer, const Reference& reference) {
  if (answer.queries.size() != input.queries().size()) {
    return wrong(
        fmt::format("expected answers to {} queries, found {}", input.queries().size(), answer.queries.size()));
  }
  Judgement judgement;
  judgement.verdict = Verdict::exact;
  double& solved = judgement.metrics["solved"];
  double& verified = judgement.metrics["verified"];
  double& matches = judgement.metrics["matches"];
  int unsolved = 0;
  const std::vector<std::string> faults = faults_of(input, answer, reference);
  for (std::size_t i = 0; i < answer.queries.size(); ++i) {
    if (!answer.queries[i].solved) {
      if (++unsolved <= kNamedUnsolved) judgement.metrics["unsolved_" + short_name_of_query(input, i)] = 1;
      continue;
    }
    if (!faults[i].empty()) return wrong(fmt::format("{}: {}", input.name_of_query(i), faults[i]));
    const auto count = static_cast<double>(answer.queries[i].count);
    solved += 1;
    matches += count;
    if (is_verified(input, i, answer.queries[i], reference)) {
      verified += 1;
    } else {
      judgement.metrics[fmt::format("unverified_count_of_query_{}", i)] = count;
    }
  }
  if (solved > 0 && verified == 0) {
    judgement.verdict = Verdict::unverified;
    judgement.difference = fmt::format("the reference left all {} solved queries open", solved);
  }
  return judgement;
}

SubgraphMatching::Reference SubgraphMatching::read_reference(const Input& input, ReferenceReader& stored) {
  const std::size_t queries = input.queries().size();
  Reference reference;
  reference.counts = stored.take<std::uint64_t>(queries);
  reference.digests = stored.take<std::uint64_t>(input.output == Output::digest ? queries : 0);
  return reference;
}

WARPBENCH_PROBLEM(SubgraphMatching)

}  // namespace warpbench
