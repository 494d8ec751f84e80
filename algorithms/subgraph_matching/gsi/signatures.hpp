// Vertex signatures of GSI (gsi2020 §III-A, §VIII-B): N bits that a data vertex must have where the query vertex has
// them. K = 32 bits are for labels, the others groups of 2 bits for pairs of an edge's label and its other end's:
// 00 none, 01 one, 11 several pairs are hashed to the group.
//
// The first word is the vertex's label, compared for equality, if each vertex of the data graph has one. Otherwise each
// label sets one of its bits, and a vertex that passes is verified (§VII-B). Homomorphisms may map two neighbours to
// one, so that equal pairs of the query's then count once; the document is silent on this.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "problems/subgraph_matching/graph.hpp"

namespace warpbench::matching::gsi {

struct SignatureScheme {
  int words = 16;              ///< N / 32; the first is for labels
  bool hashed_labels = false;  ///< vertices have several labels
};

/// The signature of vertex v, in signature[0 .. scheme.words). `each_pair_once`: equal pairs count once.
void encode(const SignatureScheme& scheme, const Graph& graph, Vertex v, bool each_pair_once,
            std::span<std::uint32_t> signature);

/// The signatures of all vertices, column first (Fig. 8(d)): word w of vertex v at w * vertices + v. In parallel.
[[nodiscard]] std::vector<std::uint32_t> signature_table(const SignatureScheme& scheme, const Graph& graph);

}  // namespace warpbench::matching::gsi
