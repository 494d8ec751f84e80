// Writes and reads environment.json.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "harness/process/durable.hpp"
#include "harness/record/environment_json.hpp"
#include "harness/record/record.hpp"

namespace warpbench::harness {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kEnvironmentVersion = "1.0";

Json json_of(const Ceilings& ceilings) {
  Json object = Json::object();
  for (const auto& [name, ceiling] : ceilings) {
    object[name] = {{"value", ceiling.value}, {"unit", ceiling.unit}, {"samples", ceiling.samples}};
  }
  return object;
}

Json json_of(const std::vector<GpuFacts>& gpus) {
  Json list = Json::array();
  for (const GpuFacts& gpu : gpus) {
    list.push_back({{"name", gpu.name},
                    {"driver", gpu.driver},
                    {"memory_bytes", gpu.memory_bytes},
                    {"compute_capability", gpu.compute_capability},
                    {"multiprocessors", gpu.multiprocessors}});
  }
  return list;
}

Environment read(const Json& json) {
  Environment e;
  if (json.at("schema").get<std::string>().substr(0, 2) != "1.") {
    throw RecordError("environment.json: its schema version is newer than this program's " +
                      std::string(kEnvironmentVersion));
  }
  e.machine = json.at("machine").get<std::string>();
  const Json& cpu = json.at("cpu");
  e.cpu = {cpu.at("model").get<std::string>(), cpu.at("cores").get<int>(), cpu.at("threads").get<int>(),
           cpu.at("simd").get<std::vector<std::string>>()};
  e.memory_bytes = json.at("memory_bytes").get<std::int64_t>();
  for (const Json& gpu : json.at("gpu")) {
    e.gpus.push_back({gpu.at("name").get<std::string>(), gpu.at("driver").get<std::string>(),
                      gpu.at("memory_bytes").get<std::int64_t>(), gpu.at("compute_capability").get<std::string>(),
                      gpu.at("multiprocessors").get<int>()});
  }
  e.backend = json.at("backend").get<std::string>();
  e.compiler = json.at("compiler").get<std::string>();
  e.flags = json.at("flags").get<std::string>();
  if (!json.at("toolkit").is_null()) e.toolkit = json["toolkit"].get<std::string>();
  e.kernel = json.at("kernel").get<std::string>();
  if (!json.at("governor").is_null()) e.governor = json["governor"].get<std::string>();
  e.git = {json.at("git").at("revision").get<std::string>(), json.at("git").at("dirty").get<bool>()};
  for (const auto& [name, ceiling] : json.at("ceilings").items()) {
    e.ceilings[name] = {ceiling.at("value").get<double>(), ceiling.at("unit").get<std::string>(),
                        ceiling.at("samples").get<std::vector<double>>()};
  }
  e.started_at = json.at("started_at").get<std::string>();
  e.command = json.at("command").get<std::string>();
  e.run = json.at("extra").at("run").get<std::string>();
  e.trials = json.at("extra").value("trials", std::int64_t{0});
  e.merged = json.at("extra").value("merged_runs", std::vector<std::string>{});
  e.outside = json.at("extra").value("trials_outside_spec", std::vector<std::string>{});
  e.spec_crc32 = json.at("extra").value("spec_crc32", std::string());
  return e;
}

}  // namespace

std::string to_json(const Environment& e) {
  Json json;
  json["schema"] = kEnvironmentVersion;
  json["machine"] = e.machine;
  json["cpu"] = {{"model", e.cpu.model}, {"cores", e.cpu.cores}, {"threads", e.cpu.threads}, {"simd", e.cpu.simd}};
  json["memory_bytes"] = e.memory_bytes;
  json["gpu"] = json_of(e.gpus);
  json["backend"] = e.backend;
  json["compiler"] = e.compiler;
  json["flags"] = e.flags;
  json["toolkit"] = e.toolkit.empty() || e.toolkit == "none" ? Json(nullptr) : Json(e.toolkit);
  json["kernel"] = e.kernel;
  json["governor"] = e.governor.empty() ? Json(nullptr) : Json(e.governor);
  json["git"] = {{"revision", e.git.revision}, {"dirty", e.git.dirty}};
  json["ceilings"] = json_of(e.ceilings);
  json["started_at"] = e.started_at;
  json["command"] = e.command;
  json["extra"] = {{"run", e.run}};
  if (e.trials > 0) json["extra"]["trials"] = e.trials;
  if (!e.merged.empty()) json["extra"]["merged_runs"] = e.merged;
  if (!e.outside.empty()) json["extra"]["trials_outside_spec"] = e.outside;
  if (!e.spec_crc32.empty()) json["extra"]["spec_crc32"] = e.spec_crc32;
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Environment environment_from(const std::string& json) {
  try {
    return read(Json::parse(json));
  } catch (const nlohmann::json::exception& error) {
    throw RecordError(fmt::format("environment.json: {}", error.what()));
  }
}

Environment read_environment(const std::filesystem::path& file) {
  try {
    return environment_from(read_file(file));
  } catch (const RecordError& error) {
    throw RecordError(fmt::format("{}/{}", file.parent_path().string(), error.what()));
  }
}

}  // namespace warpbench::harness
