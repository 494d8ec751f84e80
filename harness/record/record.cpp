// The JSON of records. The order of fields is fixed: people read the first ones, and the checksums must be last.
#include "harness/record/record.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <span>
#include <utility>

namespace warpbench::harness {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kOwnCrcKey = R"(,"own_crc32":")";
constexpr std::size_t kCrcDigits = 8;

constexpr std::array<std::pair<Verdict, const char*>, 4> kVerdicts{{{Verdict::exact, "exact"},
                                                                    {Verdict::approximate, "approximate"},
                                                                    {Verdict::wrong, "wrong"},
                                                                    {Verdict::unverified, "unverified"}}};

Json json_of(const Value& value) {
  return std::visit([](const auto& held) { return Json(held); }, value);
}

Json json_of(const datasets::Property& value) {
  return std::visit([](const auto& held) { return Json(held); }, value);
}

template <typename Map>
Json object_of(const Map& map) {
  Json object = Json::object();
  for (const auto& [name, value] : map) {
    if constexpr (std::is_same_v<typename Map::mapped_type, double>) {
      object[name] = value;  // NaN and infinities become null
    } else {
      object[name] = json_of(value);
    }
  }
  return object;
}

template <typename T>
Json optional_of(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json json_of(const JudgementFacts& facts) {
  return {{"verdict", to_string(facts.verdict)},
          {"metrics", object_of(facts.metrics)},
          {"digest", facts.digest ? Json(fmt::format("{:016x}", *facts.digest)) : Json(nullptr)},
          {"verified_samples", {facts.verified, facts.taken}},
          {"first_difference", facts.first_difference.empty() ? Json(nullptr) : Json(facts.first_difference)}};
}

Json json_of(const TimeFacts& facts) {
  return {{"median_s", facts.median},
          {"low_s", facts.low},
          {"high_s", facts.high},
          {"confidence", facts.confidence},
          {"samples_s", facts.samples},
          {"covers", facts.covers},
          {"threads", optional_of(facts.threads)},
          {"precision", optional_of(facts.precision)},
          {"stopped_by", facts.stopped_by},
          {"retaken", facts.retaken}};
}

Json json_of(const PrepareFacts& facts) {
  Json json{{"median_s", facts.median}, {"phases_s", object_of(facts.phases)}};
  if (facts.samples.empty()) return json;
  json["low_s"] = facts.low;
  json["high_s"] = facts.high;
  json["samples_s"] = facts.samples;
  return json;
}

Json json_of(const MemoryFacts& facts) {
  return {{"device_peak_bytes", optional_of(facts.device_peak)}, {"host_peak_bytes", optional_of(facts.host_peak)}};
}

/// Nothing for what was not measured, as in records of before.
void put_memory_of_preparation(Json& json, const MemoryFacts& facts) {
  if (facts.device_peak) json["prepare_device_peak_bytes"] = *facts.device_peak;
  if (facts.host_peak) json["prepare_host_peak_bytes"] = *facts.host_peak;
}

Json json_of(const DatasetFacts& facts) {
  return {{"name", facts.name},
          {"digest", optional_of(facts.digest)},
          {"stand_in", facts.stand_in},
          {"properties", object_of(facts.properties)},
          {"parameters", object_of(facts.parameters)}};
}

Json json_of(const Protocol& protocol) {
  Json json = Json::object();
  Protocol::for_each_field([&](const auto& field) { json[field.record_key()] = protocol.*field.member; });
  return json;
}

/// The fields of an outcome, appended to `json` in the schema's order.
void put_outcome(Json& json, const Outcome& outcome) {
  json["status"] = to_string(outcome.status);
  json["reason"] = outcome.reason.empty() ? Json(nullptr) : Json(outcome.reason);
  json["judgement"] = outcome.judgement ? json_of(*outcome.judgement) : Json(nullptr);
  json["time"] = outcome.time ? json_of(*outcome.time) : Json(nullptr);
  json["phases_s"] = object_of(outcome.phases);
  json["prepare"] = outcome.prepare ? json_of(*outcome.prepare) : Json(nullptr);
  json["memory"] = json_of(outcome.memory);
  if (outcome.prepare) put_memory_of_preparation(json["memory"], outcome.prepare->memory);
  json["work"] = object_of(outcome.work);
  json["counters"] = object_of(outcome.counters);
  if (!outcome.facts.empty()) json["facts"] = outcome.facts;
  if (!outcome.profile_covers.empty()) json["profile"] = {{"covers", outcome.profile_covers}};
  json["nvml"] = object_of(outcome.nvml);
  json["extra"] = object_of(outcome.extra);
}

Value value_from(const Json& json) {
  if (json.is_boolean()) return json.get<bool>();
  if (json.is_number_integer()) return json.get<std::int64_t>();
  if (json.is_number()) return json.get<double>();
  return json.get<std::string>();
}

datasets::Property property_from(const Json& json) {
  if (json.is_number_integer()) return json.get<std::int64_t>();
  if (json.is_number()) return json.get<double>();
  return json.get<std::string>();
}

Numbers numbers_from(const Json& json) {
  Numbers numbers;
  for (const auto& [name, value] : json.items()) {
    numbers[name] = value.is_null() ? std::numeric_limits<double>::quiet_NaN() : value.get<double>();
  }
  return numbers;
}

std::map<std::string, Value> values_from(const Json& json) {
  std::map<std::string, Value> values;
  for (const auto& [name, value] : json.items()) values[name] = value_from(value);
  return values;
}

datasets::Properties properties_from(const Json& json) {
  datasets::Properties properties;
  for (const auto& [name, value] : json.items()) properties[name] = property_from(value);
  return properties;
}

template <typename T>
std::optional<T> optional_from(const Json& object, const char* name) {
  const auto found = object.find(name);
  if (found == object.end() || found->is_null()) return std::nullopt;
  return found->get<T>();
}

JudgementFacts judgement_from(const Json& json) {
  JudgementFacts facts;
  const auto text = json.at("verdict").get<std::string>();
  const auto* known = std::ranges::find(kVerdicts, text, [](const auto& pair) { return std::string(pair.second); });
  if (known == kVerdicts.end()) throw RecordError("judgement.verdict is '" + text + "'");
  facts.verdict = known->first;
  facts.metrics = numbers_from(json.at("metrics"));
  if (const auto digest = optional_from<std::string>(json, "digest")) facts.digest = std::stoull(*digest, nullptr, 16);
  facts.verified = json.at("verified_samples").at(0).get<std::int64_t>();
  facts.taken = json.at("verified_samples").at(1).get<std::int64_t>();
  facts.first_difference = optional_from<std::string>(json, "first_difference").value_or("");
  return facts;
}

TimeFacts time_from(const Json& json) {
  TimeFacts facts;
  facts.median = json.at("median_s").get<double>();
  facts.low = json.at("low_s").get<double>();
  facts.high = json.at("high_s").get<double>();
  facts.confidence = json.at("confidence").get<double>();
  facts.samples = json.at("samples_s").get<std::vector<double>>();
  facts.covers = json.at("covers").get<std::vector<std::string>>();
  facts.threads = optional_from<std::int64_t>(json, "threads");
  facts.precision = optional_from<std::string>(json, "precision");
  facts.stopped_by = json.at("stopped_by").get<std::string>();
  facts.retaken = optional_from<std::int64_t>(json, "retaken").value_or(0);
  return facts;
}

PrepareFacts prepare_from(const Json& json) {
  PrepareFacts facts;
  facts.median = optional_from<double>(json, "median_s").value_or(0.0);
  facts.low = optional_from<double>(json, "low_s").value_or(facts.median);
  facts.high = optional_from<double>(json, "high_s").value_or(facts.median);
  if (json.contains("samples_s")) facts.samples = json["samples_s"].get<std::vector<double>>();
  facts.phases = numbers_from(json.at("phases_s"));
  return facts;
}

Outcome outcome_from(const Json& json) {
  Outcome outcome;
  outcome.status = status_from(json.at("status").get<std::string>());
  outcome.reason = optional_from<std::string>(json, "reason").value_or("");
  if (const Json& judged = json.at("judgement"); !judged.is_null()) outcome.judgement = judgement_from(judged);
  if (const Json& time = json.at("time"); !time.is_null()) outcome.time = time_from(time);
  if (const Json& phases = json.at("phases_s"); !phases.is_null()) outcome.phases = numbers_from(phases);
  if (const Json& prepare = json.at("prepare"); !prepare.is_null()) {
    outcome.prepare = prepare_from(prepare);
  }
  if (const Json& memory = json.at("memory"); !memory.is_null()) {
    outcome.memory = {optional_from<std::int64_t>(memory, "device_peak_bytes"),
                      optional_from<std::int64_t>(memory, "host_peak_bytes")};
    if (outcome.prepare) {
      outcome.prepare->memory = {optional_from<std::int64_t>(memory, "prepare_device_peak_bytes"),
                                 optional_from<std::int64_t>(memory, "prepare_host_peak_bytes")};
    }
  }
  if (const Json& work = json.at("work"); !work.is_null()) outcome.work = numbers_from(work);
  if (json.contains("counters")) outcome.counters = numbers_from(json["counters"]);
  if (json.contains("facts")) outcome.facts = json["facts"].get<decltype(outcome.facts)>();
  if (json.contains("profile")) outcome.profile_covers = json["profile"].at("covers").get<std::string>();
  if (json.contains("nvml")) outcome.nvml = numbers_from(json["nvml"]);
  if (json.contains("extra")) outcome.extra = numbers_from(json["extra"]);
  return outcome;
}

DatasetFacts dataset_from(const Json& json) {
  DatasetFacts facts;
  facts.name = json.at("name").get<std::string>();
  facts.digest = optional_from<std::string>(json, "digest");
  facts.stand_in = json.at("stand_in").get<bool>();
  facts.properties = properties_from(json.at("properties"));
  if (json.contains("parameters")) facts.parameters = properties_from(json["parameters"]);
  return facts;
}

Protocol protocol_from(const Json& json) {
  Protocol protocol;
  Protocol::for_each_field([&]<typename T>(const Protocol::Field<T>& field) {
    T& value = protocol.*field.member;
    value = optional_from<T>(json, field.record_key().c_str()).value_or(value);
  });
  return protocol;
}

Record record_from(const Json& json) {
  const auto schema = json.at("schema").get<std::string>();
  if (schema.substr(0, schema.find('.')) != "1") {
    throw RecordError(fmt::format("schema version {} is newer than this program's {}; use a newer warpbench", schema,
                                  kSchemaVersion));
  }
  Record record;
  record.run = json.at("run").get<std::string>();
  record.trial = json.at("trial").get<std::string>();
  record.experiment = json.at("experiment").get<std::string>();
  record.problem = json.at("problem").get<std::string>();
  record.task = values_from(json.at("task"));
  record.dataset = dataset_from(json.at("dataset"));
  const Json& solver = json.at("solver");
  record.solver = {solver.at("name").get<std::string>(), solver.at("role").get<std::string>(),
                   solver.at("device").get<std::string>(), values_from(solver.at("parameters")),
                   solver.value("point", std::string())};
  record.backend = json.at("backend").get<std::string>();
  record.machine = json.at("environment").at("machine").get<std::string>();
  record.revision = json.at("environment").at("revision").get<std::string>();
  record.made_at = json.value("made_at", std::string());
  if (json.contains("protocol")) record.protocol = protocol_from(json["protocol"]);
  record.outcome = outcome_from(json);
  if (const Json& ceiling = json.at("ceiling"); !ceiling.is_null()) {
    record.ceiling = CeilingShare{ceiling.at("name").get<std::string>(), optional_from<double>(ceiling, "share")};
  }
  return record;
}

/// Parses a text and calls `read` on it; turns every failure into a RecordError of one sentence.
template <typename Read>
auto parsed(std::string_view text, Read read) {
  try {
    return read(Json::parse(text));
  } catch (const nlohmann::json::exception& error) {
    throw RecordError(fmt::format("not a record: {}", error.what()));
  } catch (const std::logic_error& error) {  // from status_from, stoull
    throw RecordError(fmt::format("not a record: {}", error.what()));
  }
}

}  // namespace

bool Record::timed() const {
  return outcome.status == Status::ok && outcome.time && !(backend == "simt" && solver.device != "cpu");
}

std::string to_line(const Record& record, std::string_view previous_crc) {
  Json json;
  json["schema"] = kSchemaVersion;
  json["run"] = record.run;
  json["trial"] = record.trial;
  json["experiment"] = record.experiment;
  json["problem"] = record.problem;
  json["task"] = object_of(record.task);
  json["dataset"] = json_of(record.dataset);
  json["solver"] = {{"name", record.solver.name},
                    {"role", record.solver.role},
                    {"device", record.solver.device},
                    {"parameters", object_of(record.solver.parameters)}};
  if (!record.solver.point.empty()) json["solver"]["point"] = record.solver.point;
  json["backend"] = record.backend;
  put_outcome(json, record.outcome);
  json["ceiling"] =
      record.ceiling ? Json{{"name", record.ceiling->name}, {"share", optional_of(record.ceiling->share)}} : Json();
  json["environment"] = {{"machine", record.machine}, {"revision", record.revision}};
  if (!record.made_at.empty()) json["made_at"] = record.made_at;
  json["protocol"] = json_of(record.protocol);
  json["crc32"] = std::string(previous_crc);
  // A solver's message may hold any bytes, but the line must be UTF-8.
  std::string line = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  line.pop_back();  // the closing brace
  const std::string own = crc32_of(line);
  return line.append(kOwnCrcKey).append(own).append("\"}");
}

Record record_from(std::string_view line) {
  return parsed(line, [](const Json& json) { return record_from(json); });
}

std::string crc_field(std::string_view line) {
  return parsed(line, [](const Json& json) { return json.at("crc32").get<std::string>(); });
}

void check_own_crc(std::string_view line) {
  constexpr std::string_view kEnd = "\"}";
  constexpr std::size_t kTail = kOwnCrcKey.size() + kCrcDigits + kEnd.size();
  const std::string_view sealed = line.substr(0, line.size() - std::min(kTail, line.size()));
  const std::string_view tail = line.substr(sealed.size());
  if (tail.starts_with(kOwnCrcKey) && tail.ends_with(kEnd)) {
    const std::string_view own = tail.substr(kOwnCrcKey.size(), kCrcDigits);
    if (const std::string found = crc32_of(sealed); own != found) {
      throw RecordError(fmt::format("own_crc32 is {}, but the line has {}: it was altered", own, found));
    }
    return;
  }
  const auto schema = parsed(line, [](const Json& json) { return json.at("schema").get<std::string>(); });
  if (schema != "1.0") {
    throw RecordError(fmt::format("expected own_crc32 at the end, as schema version {} has, found none", schema));
  }
}

std::string crc32_of(std::string_view bytes) {
  const std::span<const Bytef> data(reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
  return fmt::format("{:08x}", ::crc32_z(0, data.data(), data.size()));
}

std::string to_json(const Outcome& outcome) {
  Json json;
  put_outcome(json, outcome);
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Outcome outcome_from(std::string_view json) {
  return parsed(json, [](const Json& value) { return outcome_from(value); });
}

std::string to_json(const DatasetFacts& facts) {
  return json_of(facts).dump(-1, ' ', false, Json::error_handler_t::replace);
}

DatasetFacts dataset_from(std::string_view json) {
  return parsed(json, [](const Json& value) { return dataset_from(value); });
}

}  // namespace warpbench::harness
