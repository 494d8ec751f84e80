// Identity: the text and the hash that tell trials apart. Two trials are the same if all that decides the result and
// the meaning of its time is the same: problem, task, dataset, solver, parameters, and five fields of the protocol
// (warm-ups, transfers, L2 flush, thread pinning, device memory limit). The number of samples and the time limit are
// not part of the identity.
//
// Canonical texts name every value's type and length, so that no text can imitate other values: the integer `1` is
// `i1`, the real numbers `1` and `1.0` are both `r1`, and the text "1" is `t1:1`.
#pragma once

#include <string>

#include "datasets/source.hpp"
#include "harness/plan/plan.hpp"

namespace warpbench::harness {

[[nodiscard]] std::string canonical_text(const Parameters& parameters);
/// Everything that load() depends on, so no titles, licences, citations or URLs.
[[nodiscard]] std::string canonical_text(const datasets::Source& source);
[[nodiscard]] std::string canonical_text(const NamedDataset& dataset);
/// The fields that change the meaning of a time.
[[nodiscard]] std::string canonical_text(const Protocol& protocol);

/// XXH3-64 over all parts, in 16 hex digits. O(length of the texts). `dataset` and `protocol` are canonical texts.
[[nodiscard]] std::string trial_id(const Trial& trial, const std::string& dataset, const std::string& protocol);

}  // namespace warpbench::harness
