// What resctrl measures, in the members that clients of runc decode: zeros are left out.
#include <dirent.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <memory>
#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include "runtime/host/resctrl.h"
#include "runtime/kernel/file.h"

namespace langsbx::runtime {
namespace {

using Json = nlohmann::ordered_json;

std::string text_of(const std::string& path) {
  auto text = read_file(path, std::size_t{1} << 20U).value_or("");
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  return text;
}

void add_text(Json& json, const char* member, const std::string& text) {
  if (!text.empty()) json[member] = text;
}

void add_number(Json& json, const char* member, const std::string& path) {
  const std::string text = text_of(path);
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc() && value != 0) json[member] = value;
}

// The line of schemata for one resource: "L3:0=ff;1=ff".
std::string schema_of(const std::string& schemata, std::string_view resource) {
  std::string_view rest = schemata;
  while (!rest.empty()) {
    const auto end = std::min(rest.find('\n'), rest.size());
    auto line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    while (line.starts_with(' ')) line.remove_prefix(1);
    if (line.starts_with(resource)) return std::string(line);
  }
  return {};
}

bool has(const std::string& path) { return ::access(path.c_str(), F_OK) == 0; }

// Sorted; hidden names are left out.
std::vector<std::string> names_in(const std::string& directory) {
  std::vector<std::string> names;
  const std::unique_ptr<DIR, int (*)(DIR*)> stream(::opendir(directory.c_str()), ::closedir);
  if (!stream) return names;
  while (const dirent* const entry = ::readdir(stream.get())) {
    if (entry->d_name[0] != '.') names.emplace_back(entry->d_name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

void add_cache(Json& json, const std::string& mount, const std::string& all,
               const std::string& own) {
  const std::string info = mount + "/info/L3/";
  if (!has(info)) return;
  Json values = Json::object();
  add_text(values, "cbm_mask", text_of(info + "cbm_mask"));
  add_number(values, "min_cbm_bits", info + "min_cbm_bits");
  add_number(values, "num_closids", info + "num_closids");
  json["l3_cache_info"] = std::move(values);
  add_text(json, "l3_cache_schema_root", schema_of(all, "L3:"));
  add_text(json, "l3_cache_schema", schema_of(own, "L3:"));
}

void add_bandwidth(Json& json, const std::string& mount, const std::string& all,
                   const std::string& own) {
  const std::string info = mount + "/info/MB/";
  if (!has(info)) return;
  Json values = Json::object();
  add_number(values, "bandwidth_gran", info + "bandwidth_gran");
  add_number(values, "delay_linear", info + "delay_linear");
  add_number(values, "min_bandwidth", info + "min_bandwidth");
  add_number(values, "num_closids", info + "num_closids");
  json["mem_bw_info"] = std::move(values);
  add_text(json, "mem_bw_schema_root", schema_of(all, "MB:"));
  add_text(json, "mem_bw_schema", schema_of(own, "MB:"));
}

// One entry for each cache domain, in their order.
void add_monitoring(Json& json, const std::string& monitor) {
  Json bandwidth = Json::array();
  Json occupancy = Json::array();
  for (const auto& name : names_in(monitor + "/mon_data")) {
    const std::string domain = monitor + "/mon_data/" + name + "/";
    if (has(domain + "mbm_total_bytes") || has(domain + "mbm_local_bytes")) {
      Json values = Json::object();
      add_number(values, "mbm_total_bytes", domain + "mbm_total_bytes");
      add_number(values, "mbm_local_bytes", domain + "mbm_local_bytes");
      bandwidth.push_back(std::move(values));
    }
    if (has(domain + "llc_occupancy")) {
      Json values = Json::object();
      add_number(values, "llc_occupancy", domain + "llc_occupancy");
      occupancy.push_back(std::move(values));
    }
  }
  if (!bandwidth.empty()) json["mbm_stats"] = std::move(bandwidth);
  if (!occupancy.empty()) json["cmt_stats"] = std::move(occupancy);
}

}  // namespace

nlohmann::ordered_json read_resctrl_stats(const std::string& mount, const std::string& group,
                                          const std::string& monitor) {
  Json json = Json::object();
  const std::string all = text_of(mount + "/schemata");
  const std::string own = text_of(group + "/schemata");
  add_cache(json, mount, all, own);
  add_bandwidth(json, mount, all, own);
  add_monitoring(json, monitor);
  return json;
}

}  // namespace langsbx::runtime
