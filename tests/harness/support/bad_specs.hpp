// The message that refuses each file of tests/data/bad_specs: `line:column: message`. `{problems}` stands for the
// problems that are linked into the test program.
#pragma once

#include <ostream>

namespace warpbench::harness {

struct BadSpecCase {
  const char* name;
  const char* message;
};

inline std::ostream& operator<<(std::ostream& out, const BadSpecCase& spec) {
  return out << spec.name;
}

inline constexpr BadSpecCase kBadSpecCases[] = {
    {"claims-empty", "5:9: claims: expected at least one entry, found an empty list"},
    {"claims-text", "5:9: claims: expected a list, found 'demo/faster'"},
    {"claims-twice", "5:23: claim 'demo/faster' is listed twice"},
    {"claims-unknown", "5:10: unknown claim 'demo/fastr' (did you mean 'demo/faster'?)"},
    {"dataset-format-unknown",
     "3:34: dataset 'a.txt': expected a file format (one of bag_of_words, bvecs, csv, csv_graph, csv_ratings, "
     "csv_vectors, edgelist, fvecs, graph, hdf5, idx, igraph, ivecs, libmf, matrix_market, movielens, netflix, "
     "ntriples, "
     "sets_binary, snap, spmf, text_lines, transactions, triples, vectors_text), found \"snapp\" (did you mean "
     "\"snap\"?)"},
    {"dataset-generator-unknown",
     "3:24: dataset 'rmatt': expected a generator (one of clustered, coordinates, dbpedia_like, grid, hub, kronecker, "
     "planted_ratings, power_law, rmat, set_collection, set_pair, social, theta_relations, uniform, uniform_vectors, "
     "watdiv_like), found \"rmatt\" (did you mean \"rmat\"?)"},
    {"dataset-list", "3:12: datasets: expected a name or a map, found a list"},
    {"dataset-no-format", "3:12: dataset 'a.txt': expected a key 'format', found none"},
    {"dataset-no-origin", "3:12: dataset: expected a key 'name', 'file' or 'generator', found none"},
    {"dataset-nothing", "3:18: datasets: expected a name or a map, found nothing"},
    {"dataset-queries-and-test", "3:66: dataset: expected 'test', which this one has, found 'queries'"},
    {"dataset-option-list",
     "3:40: dataset 'a.txt(first=1, 2)': expected an option (one of header, relabel, trailing, strict), found "
     "\"first\""},
    {"dataset-option-unknown",
     "3:40: dataset 'a.txt(colour=red)': expected an option (one of header, relabel, trailing, strict), found "
     "\"colour\""},
    {"dataset-parameter-missing",
     "3:12: dataset 'rmat': expected a value for \"log2_vertices\", found none (2^log2_vertices vertices at scale 1)"},
    {"dataset-parameter-nan", "3:33: dataset, a: expected a finite number, found '.nan'"},
    {"dataset-parameter-range",
     "3:48: dataset 'rmat(log2_vertices=4,a=3.5)': expected a number from 0 to 1, found a: 3.5 (probability of the top "
     "left quadrant)"},
    {"dataset-parameter-unknown",
     "3:48: dataset 'rmat(log2_vertices=4,scael=1)': expected a parameter (one of log2_vertices, edge_factor, scale, "
     "a, b, c), found \"scael\" (did you mean \"scale\"?)"},
    {"dataset-seed-negative", "3:36: dataset, seed: expected a whole number from 0 to 9223372036854775807, found '-1'"},
    {"dataset-task-nothing-left", "3:32: task: mode multi needs a 'k' of at least 2"},
    {"dataset-task-unknown",
     "3:32: dataset 'tiny', task: unknown parameter 'kk' (did you mean 'k'?); known: k, mode, threshold"},
    {"dataset-transform-parameter",
     "3:63: dataset 'a.txt(labels,cuont=3)': expected a parameter (one of labels, exponent, seed), found \"cuont\""},
    {"dataset-transform-unknown",
     "3:53: dataset 'a.txt(degree_descendin)': expected a transform (one of degree_descending, distinct_sets, "
     "drop_isolated, edge_labels, enlarge, first, first_dimensions, hold_out, hold_out_ratings, labels, largest, "
     "largest_component, metric, random_relabel, random_walk_queries, sets_by_size, tokens_by_frequency), found "
     "\"degree_descendin\" (did you mean \"degree_descending\"?)"},
    {"dataset-twice", "3:25: dataset 'tiny' is listed twice"},
    {"dataset-twice-own", "3:41: dataset 'a.txt' is listed twice"},
    {"dataset-two-origins", "3:26: dataset: expected 'file' or 'generator', found both"},
    {"dataset-unknown", "3:18: unknown dataset 'smal' (did you mean 'small'?)"},
    {"dataset-unknown-far", "3:12: unknown dataset 'livejournal'"},
    {"dataset-unknown-in-map", "3:19: unknown dataset 'tinny' (did you mean 'tiny'?)"},
    {"dataset-wrong-kind", "3:12: dataset 'labelled' is of kind labelled_graph; problem spec_probe accepts graph"},
    {"datasets-empty", "3:11: datasets: expected at least one entry, found an empty list"},
    {"datasets-nothing", "3:1: datasets: expected a list, found nothing"},
    {"datasets-text", "3:11: datasets: expected a list, found 'tiny'"},
    {"experiment-absolute", "1:13: experiment: expected words such as che2019/table-4, found '/tmp/x'"},
    {"experiment-ends-in-slash", "1:13: experiment: expected words such as che2019/table-4, found 'demo/'"},
    {"experiment-escapes", "1:13: experiment: expected words such as che2019/table-4, found '../../etc/passwd'"},
    {"experiment-list", "1:13: experiment: expected a text, found a list"},
    {"experiment-nothing", "1:1: experiment: expected a text, found nothing"},
    {"experiment-spaces", "1:13: experiment: expected words such as che2019/table-4, found 'my experiment'"},
    {"figure-empty-list", "5:9: figure: expected at least one entry, found an empty list"},
    {"figure-kind",
     "5:16: figure: unknown kind 'bar' (did you mean 'bars'?); known: bars, lines, pareto, table, breakdown, boxes, "
     "curves, speedup"},
    {"figure-kind-in-list",
     "5:32: figure: unknown kind 'pie'; known: bars, lines, pareto, table, breakdown, boxes, curves, speedup"},
    {"figure-no-kind", "5:9: figure: expected a key 'kind', found none"},
    {"figure-text", "5:9: figure: expected a map of keys, found 'bars'"},
    {"figure-value-missing", "5:22: figure, x: expected a value, found nothing"},
    {"file-bom", "1:1: expected UTF-8 without a byte order mark, found one"},
    {"file-control", "5:10: expected UTF-8 text, found byte 0x00"},
    {"file-empty", "1:1: expected a map of keys, found an empty file"},
    {"file-end-of-text", "5:3: expected UTF-8 text, found byte 0x04"},
    {"file-latin1", "2:5: expected UTF-8 text, found byte 0xE9"},
    {"file-list", "1:1: spec: expected a map of keys, found a list"},
    {"file-only-comment", "1:1: expected a map of keys, found an empty file"},
    {"file-overlong", "1:14: expected UTF-8 text, found byte 0xC0"},
    {"file-scalar", "1:1: spec: expected a map of keys, found 'hello'"},
    {"file-two-documents", "6:1: expected one document, found a second"},
    {"file-utf16", "1:1: expected UTF-8 text, found byte 0xFF"},
    {"key-missing-datasets", "1:1: spec: expected a key 'datasets', found none"},
    {"key-missing-experiment", "1:1: spec: expected a key 'experiment', found none"},
    {"key-missing-problem", "1:1: spec: expected a key 'problem', found none"},
    {"key-missing-solvers", "1:1: spec: expected a key 'solvers', found none"},
    {"key-twice", "3:1: key 'problem' is given twice, first in line 2"},
    {"key-twice-nested", "5:39: key 'warmup' is given twice, first in line 5"},
    {"key-unknown",
     "2:1: spec: unknown key 'titel' (did you mean 'title'?); known: experiment, title, problem, task, datasets, "
     "solvers, protocol, figure, claims"},
    {"key-unknown-far",
     "2:1: spec: unknown key 'include'; known: experiment, title, problem, task, datasets, solvers, protocol, figure, "
     "claims"},
    {"parameter-alias-twice", "5:28: solver 'tuned', threads: value 0 is given twice"},
    {"parameter-beyond-64-bits",
     "5:17: solver 'tuned', ef: expected a whole number of at most 64 bits, found '99999999999999999999'"},
    {"parameter-beyond-double", "5:20: solver 'tuned', ratio: expected a finite number, found '1e999'"},
    {"parameter-choice",
     "5:20: solver 'tuned', graph: expected one of nsw, hnsw, knn, found 'nws' (did you mean 'nsw'?)"},
    {"parameter-empty-sweep", "5:17: solver 'tuned', ef: expected at least one entry, found an empty list"},
    {"parameter-flag-as-number", "5:19: solver 'tuned', fast: expected true or false, found '1'"},
    {"parameter-hexadecimal", "5:17: solver 'tuned', ef: expected integer 1 to 1024, found '0x20'"},
    {"parameter-infinite", "5:26: solver 'tuned', ratio: expected a finite number, found '-.inf'"},
    {"parameter-nan", "5:20: solver 'tuned', ratio: expected a finite number, found '.nan'"},
    {"parameter-negative", "5:17: solver 'tuned', ef: expected integer 1 to 1024, found '-1'"},
    {"parameter-nested-sweep", "5:18: solver 'tuned', ef: expected a value, found a list"},
    {"parameter-none-known", "5:13: solver 'plain': unknown parameter 'ef'; known: none"},
    {"parameter-nothing", "5:13: solver 'tuned', ef: expected a value, found nothing"},
    {"parameter-nothing-left",
     "5:28: solver 'tuned': none of the 6 combinations makes sense; the first: explore must not exceed ef, found 10 "
     "and 1"},
    {"parameter-number-for-text", "5:20: solver 'tuned', label: expected text, found '12'"},
    {"parameter-octal", "5:17: solver 'tuned', ef: expected integer 1 to 1024, found '0100'"},
    {"parameter-octal-real", "5:20: solver 'tuned', ratio: expected number 0 to 1, found '01'"},
    {"parameter-quoted-integer", "5:17: solver 'tuned', ef: expected integer 1 to 1024, found the text '32'"},
    {"parameter-real-for-integer", "5:17: solver 'tuned', ef: expected integer 1 to 1024, found '32.0'"},
    {"parameter-refused", "5:20: solver 'tuned': explore must not exceed ef, found 16 and 8"},
    {"parameter-same-number-twice", "5:24: solver 'tuned', ratio: value 1 is given twice"},
    {"parameter-text-for-integer", "5:17: solver 'tuned', ef: expected integer 1 to 1024, found 'many'"},
    {"parameter-too-large", "5:22: solver 'tuned', ef: expected integer 1 to 1024, found '2048'"},
    {"parameter-unknown",
     "5:13: solver 'tuned': unknown parameter 'eff' (did you mean 'ef'?); known: threads, ef, explore, graph, depth, "
     "memory, "
     "ratio, fast, label"},
    {"parameter-value-twice", "5:26: solver 'tuned', ef: value 32 is given twice"},
    {"parameter-yes", "5:19: solver 'tuned', fast: expected true or false, found 'yes'"},
    {"problem-far", "2:10: unknown problem 'sorting'; known: {problems}"},
    {"problem-number", "2:10: problem: expected a text, found a list"},
    {"problem-unknown", "2:10: unknown problem 'spec_prob' (did you mean 'spec_probe'?); known: {problems}"},
    {"protocol-flag-quoted", "5:22: protocol, flush_l2: expected true or false, found the text 'true'"},
    {"protocol-flag-yes", "5:31: protocol, include_transfers: expected true or false, found 'on'"},
    {"protocol-list", "5:11: protocol: expected a map of keys, found a list"},
    {"protocol-memory-list", "5:25: protocol, host_memory: expected a size such as 8GiB, 512MiB or 4096, found a list"},
    {"protocol-memory-unit",
     "5:27: protocol, device_memory: expected a size such as 8GiB, 512MiB or 4096, found '8 gigs'"},
    {"protocol-memory-zero", "5:25: protocol, host_memory: expected a size such as 8GiB, 512MiB or 4096, found '0'"},
    {"protocol-minimum-above-repetitions",
     "5:49: protocol, minimum_repetitions: expected at most repetitions, 3, found 5"},
    {"protocol-nothing", "5:1: protocol: expected a map of keys, found nothing"},
    {"protocol-profile-word", "5:21: protocol, profile: expected true or false, found 'ncu'"},
    {"protocol-repetitions-huge",
     "5:25: protocol, repetitions: expected a whole number from 1 to 1000000, found '10000000'"},
    {"protocol-repetitions-real",
     "5:25: protocol, repetitions: expected a whole number from 1 to 1000000, found '2.5'"},
    {"protocol-repetitions-zero", "5:25: protocol, repetitions: expected a whole number from 1 to 1000000, found '0'"},
    {"protocol-timeout-long",
     "5:21: protocol, timeout: expected a duration of at most 30d such as 500ms, 300s, 5min or 2h, found '90d'"},
    {"protocol-timeout-negative",
     "5:21: protocol, timeout: expected a duration of at most 30d such as 500ms, 300s, 5min or 2h, found '-5s'"},
    {"protocol-timeout-unit",
     "5:21: protocol, timeout: expected a duration of at most 30d such as 500ms, 300s, 5min or 2h, found '5 minutes'"},
    {"protocol-timeout-without-unit",
     "5:21: protocol, timeout: expected a duration of at most 30d such as 500ms, 300s, 5min or 2h, found '300'"},
    {"protocol-timeout-zero",
     "5:21: protocol, timeout: expected a duration of at most 30d such as 500ms, 300s, 5min or 2h, found '0s'"},
    {"protocol-unknown",
     "5:12: protocol: unknown key 'repetition' (did you mean 'repetitions'?); known: warmup, repetitions, "
     "minimum_repetitions, preparations, target_half_width, timeout, prepare_timeout, include_transfers, flush_l2, "
     "pin_threads, "
     "profile, profile_transactions, host_memory, device_memory"},
    {"protocol-warmup-negative", "5:20: protocol, warmup: expected a whole number from 0 to 1000000, found '-1'"},
    {"protocol-width-above-one", "5:31: protocol, target_half_width: expected a number from 0 to 1, found '5'"},
    {"protocol-width-text", "5:31: protocol, target_half_width: expected a number from 0 to 1, found '2%'"},
    {"range-from-zero", "5:17: solver 'tuned', ef: expected a range with 'times' to start above 0, found 0"},
    {"range-huge", "5:16: solver 'wide', p0: more than 100000 values"},
    {"range-key-unknown",
     "5:27: solver 'tuned', ef: unknown key 'too' (did you mean 'to'?); known: from, to, step, times"},
    {"range-leaves-bounds", "5:17: solver 'tuned', ef: expected integer 1 to 1024, found '1050'"},
    {"range-no-step", "5:17: solver 'tuned', ef: expected a range with either 'step' or 'times'"},
    {"range-real-for-integer", "5:17: solver 'tuned', ef: expected integer 1 to 1024, found '1.5'"},
    {"range-reversed", "5:17: solver 'tuned', ef: expected a range that rises, found 128 to 32"},
    {"range-step-and-times", "5:17: solver 'tuned', ef: expected a range with either 'step' or 'times'"},
    {"range-step-zero", "5:41: solver 'tuned', ef, step: expected a number above 0, found 0"},
    {"range-times-one", "5:42: solver 'tuned', ef, times: expected a number above 1, found 1"},
    {"solver-empty-map", "5:12: solver 'tuned': expected at least one key, found an empty map"},
    {"solver-nothing", "5:5: solver 'tuned': expected a map of keys, found nothing"},
    {"solver-number", "4:11: solvers: expected a text, found a list"},
    {"solver-twice", "4:18: solver 'plain' is listed twice, first in line 4"},
    {"solver-twice-overlap",
     "6:5: solver 'tuned' with depth=4 ef=64 explore=16 fast=false graph=nsw label=none memory=0 ratio=0.5 threads=0 "
     "is listed "
     "twice, first in line 5"},
    {"solver-two-keys", "5:5: solvers: expected a name or a map with one key, the solver, found 2 keys"},
    {"solver-unknown",
     "4:11: unknown solver 'plian' of problem spec_probe (did you mean 'plain'?); known: absent, plain, tuned, wide"},
    {"solver-unknown-in-map",
     "5:5: unknown solver 'tund' of problem spec_probe (did you mean 'tuned'?); known: absent, plain, tuned, wide"},
    {"solvers-empty", "4:10: solvers: expected at least one entry, found an empty list"},
    {"solvers-map", "4:10: solvers: expected a list, found a map"},
    {"suite-empty", "2:14: experiments: expected at least one entry, found an empty list"},
    {"suite-empty-solvers", "4:14: solvers: expected at least one entry, found an empty list"},
    {"suite-escapes", "3:11: unknown experiment '../suites/both'"},
    {"suite-includes-itself", "3:11: unknown experiment 'suites/both'"},
    {"suite-no-experiments", "1:1: suite: expected a key 'experiments', found none"},
    {"suite-text", "2:15: experiment of a suite: expected a map of keys, found 'demo/table-1'"},
    {"suite-twice", "4:11: experiment 'demo/table-2' is listed twice"},
    {"suite-unknown-dataset", "4:16: unknown dataset 'tinny' (did you mean 'tiny'?)"},
    {"suite-unknown-entry-key",
     "4:5: experiment of a suite: unknown key 'solver' (did you mean 'solvers'?); known: spec, datasets, solvers, "
     "protocol"},
    {"suite-unknown-key",
     "2:1: suite: unknown key 'experimens' (did you mean 'experiments'?); known: suite, title, experiments"},
    {"suite-unknown-protocol",
     "4:28: protocol: unknown key 'repetitons' (did you mean 'repetitions'?); known: warmup, repetitions, "
     "minimum_repetitions, preparations, target_half_width, timeout, prepare_timeout, include_transfers, flush_l2, "
     "pin_threads, "
     "profile, profile_transactions, host_memory, device_memory"},
    {"suite-unknown-spec", "3:11: unknown experiment 'demo/table-9' (did you mean 'demo/table-1'?)"},
    {"sweep-1e9", "5:5: the sweeps make 1000000000 trials, most of them by solver 'wide'; at most 100000 are allowed"},
    {"sweep-of-all-together",
     "6:5: the sweeps make 192000 trials, most of them by solver 'tuned'; at most 100000 are allowed"},
    {"sweep-overflow",
     "6:5: the sweeps make more than 9223372036854775807 trials, most of them by solver 'wide'; at most 100000 are "
     "allowed"},
    {"task-choice", "3:14: task, mode: expected one of single, multi, found 'sinlge' (did you mean 'single'?)"},
    {"task-empty", "3:7: task: expected at least one key, found an empty map"},
    {"task-list", "3:7: task: expected a map of keys, found a list"},
    {"task-range", "3:11: task, k: expected integer 1 to 1000, found '0'"},
    {"task-refused", "3:21: task: mode multi needs a 'k' of at least 2"},
    {"task-unknown", "3:8: task: unknown parameter 'kk' (did you mean 'k'?); known: k, mode, threshold"},
    {"title-map", "2:8: title: expected a text, found a map"},
    {"yaml-alias-bomb", "5:44: more than 100000 values, aliases counted as often as they are used"},
    {"yaml-alias-of-itself", "3:24: an alias stands inside the value it names, which has no end"},
    {"yaml-bad-indent", "6:2: not YAML: end of map not found"},
    {"yaml-deep", "3:43: nested deeper than 64 levels"},
    {"yaml-deep-block", "65:65: nested deeper than 64 levels"},
    {"yaml-list-as-key", "3:8: expected a word as key"},
    {"yaml-merge-key",
     "6:3: protocol: unknown key '<<'; known: warmup, repetitions, minimum_repetitions, preparations, "
     "target_half_width, timeout, "
     "prepare_timeout, include_transfers, flush_l2, pin_threads, profile, profile_transactions, host_memory, "
     "device_memory"},
    {"yaml-tab-indent", "5:2: not YAML: illegal block entry"},
    {"yaml-tag", "2:8: tags such as 'tag:yaml.org,2002:python/object' have no meaning here"},
    {"yaml-tagged-map", "5:11: tags such as '!thing' have no meaning here"},
    {"yaml-unclosed-list", "4:8: not YAML: end of sequence flow not found"},
    {"yaml-unclosed-quote", "2:8: expected a closing quote, found the end of the file"},
    {"yaml-unknown-alias", "3:11: not YAML: the referenced anchor is not defined"},
};

}  // namespace warpbench::harness
