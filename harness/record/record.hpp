// Record: the facts kept about one trial, and their one line of JSON (results/schema/record-1.2.json). Reading is
// strict: a line is refused unless it is a whole record of a known major schema version.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/parameters/property.hpp"
#include "harness/record/status.hpp"
#include "harness/spec/protocol.hpp"
#include "problems/judgement.hpp"
#include "problems/parameters.hpp"

namespace warpbench::harness {

inline constexpr const char* kSchemaVersion = "1.2";

using Numbers = std::map<std::string, double>;

/// The judges' findings on a trial's timed samples.
struct JudgementFacts {
  Verdict verdict = Verdict::wrong;
  Numbers metrics;                      ///< means over the judged samples
  std::optional<std::uint64_t> digest;  ///< of the first sample's answer
  std::int64_t verified = 0;            ///< samples judged right
  std::int64_t taken = 0;               ///< samples timed
  std::string first_difference;         ///< "" unless wrong
};

/// Times of the samples, seconds.
struct TimeFacts {
  double median = 0.0;
  double low = 0.0;  ///< bounds of the median's confidence interval
  double high = 0.0;
  double confidence = 0.0;
  std::vector<double> samples;
  std::vector<std::string> covers;      ///< {"solve"} or {"upload", "solve", "download"}
  std::optional<std::int64_t> threads;  ///< threads on the host, if the solver has such a parameter
  std::optional<std::string> precision;
  std::string stopped_by;    ///< half_width, repetitions, timeout
  std::int64_t retaken = 0;  ///< samples thrown away because the machine reported throttling
};

/// In bytes; nullopt if not measured.
struct MemoryFacts {
  std::optional<std::int64_t> device_peak;
  std::optional<std::int64_t> host_peak;
};

/// Of a group's preparations.
struct PrepareFacts {
  std::vector<double> samples;  ///< seconds of each; empty in records of before
  double median = 0.0;
  double low = 0.0;  ///< bounds of the median's confidence interval
  double high = 0.0;
  Numbers phases;           ///< median seconds by phase
  MemoryFacts memory = {};  ///< recorded beside the trial's
};

struct CeilingShare {
  std::string name;
  std::optional<double> share;  ///< achieved rate over the ceiling; nullopt where it exceeds it
};

/// The status of a trial and its measurements, which a worker sends to its parent.
struct Outcome {
  Status status = Status::crash;
  std::string reason;  ///< "" only for ok
  std::optional<JudgementFacts> judgement;
  std::optional<TimeFacts> time;
  Numbers phases;  ///< median seconds by phase
  std::optional<PrepareFacts> prepare;
  MemoryFacts memory;
  Numbers work;
  Numbers counters;
  std::map<std::string, std::string> facts;  ///< what the solver tells in words: the query that it ran, …
  std::string profile_covers;  ///< what the hardware counters cover: "solve" or a part of it; "" without such counters
  Numbers nvml;                ///< clocks, power, temperature during the samples; empty without a GPU
  Numbers extra;               ///< drift, below_floor, reference_s, …
};

struct DatasetFacts {
  std::string name;
  std::optional<std::string> digest;  ///< nullopt until it was loaded
  bool stand_in = false;
  datasets::Properties properties;
  datasets::Properties parameters;  ///< of its generator
};

struct SolverFacts {
  std::string name;
  std::string role;
  std::string device;
  std::map<std::string, Value> parameters;
  std::string point = {};  ///< document, best or other, as point_of() says; "" in older records, which have no points
};

struct Record {
  std::string run;
  std::string trial;
  std::string experiment;
  std::string problem;
  std::map<std::string, Value> task;
  DatasetFacts dataset;
  SolverFacts solver;
  std::string backend;
  std::string machine;
  std::string revision;
  std::string made_at = {};  ///< UTC, 2025-01-31T23:59:59Z, when the trial ended; "" in older records
  Protocol protocol;
  Outcome outcome;
  std::optional<CeilingShare> ceiling;

  /// Whether its time counts: the status is ok, and it is not a GPU solver executed on the CPU.
  [[nodiscard]] bool timed() const;
};

/// Not a record: not JSON, a field missing or of the wrong type, an unknown major version.
class RecordError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The record as one line without its line feed. The last two fields seal it: crc32 is `previous_crc`, own_crc32 the
/// CRC-32 of all bytes of this line before `,"own_crc32"`.
std::string to_line(const Record& record, std::string_view previous_crc);
/// Throws RecordError.
Record record_from(std::string_view line);
/// The crc32 field of a line. Throws RecordError.
std::string crc_field(std::string_view line);
/// Throws RecordError unless the line ends in the checksum of its own bytes. Lines of schema version 1.0 have none.
void check_own_crc(std::string_view line);

/// zlib's CRC-32 in 8 lower-case hex digits.
std::string crc32_of(std::string_view bytes);

/// The JSON that a worker sends to its parent. Throws RecordError.
std::string to_json(const Outcome& outcome);
Outcome outcome_from(std::string_view json);
std::string to_json(const DatasetFacts& facts);
DatasetFacts dataset_from(std::string_view json);

}  // namespace warpbench::harness
