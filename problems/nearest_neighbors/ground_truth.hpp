// The exact nearest neighbours: by brute force in double precision on the CPU or, where a faster search has been
// registered, by its candidates. These are measured again in double precision and proved to be complete, query by
// query. Queries that cannot be proved are searched by brute force, so that the result does not depend on the search.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "problems/nearest_neighbors/problem.hpp"

namespace warpbench::nearest_neighbors {

/// Answers `input` with k ids for each query (kNone fills a row), such that no point outside a row has a lesser float
/// distance than one inside. Float distances are sums over coordinates in any order: of squared differences for
/// Euclidean; of products, for cosine with points scaled to length 1. Empty: it cannot, here and now.
using CandidateSearch = std::function<std::vector<std::uint32_t>(const NearestNeighbors::Input&)>;

/// Registers a search that the reference may take candidates from: an algorithm for a GPU, in a build for one.
bool offer_candidate_search(CandidateSearch search);

/// The reference of nearest_neighbors, by the search offered, if any. O(queries × points × dimension).
NearestNeighbors::Reference ground_truth(const NearestNeighbors::Input& input);
/// The same by `search`; empty: by brute force alone. Throws std::logic_error where a sample of queries shows that the
/// search does not keep its promise.
NearestNeighbors::Reference ground_truth(const NearestNeighbors::Input& input, const CandidateSearch& search);

}  // namespace warpbench::nearest_neighbors
