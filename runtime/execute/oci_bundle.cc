// config.json and a root file system of empty mount points.
#include "runtime/execute/oci_bundle.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "runtime/kernel/file.h"
#include "runtime/kernel/path.h"

namespace langsbx::execute {
namespace {

using Json = nlohmann::ordered_json;

Json process_json(const oci::Process& process) {
  Json limits = Json::array();
  for (const auto& limit : process.rlimits) {
    limits.push_back({{"type", limit.type}, {"soft", limit.soft}, {"hard", limit.hard}});
  }
  const Json none = Json::array();
  return {{"terminal", false},
          {"user", {{"uid", process.user.uid}, {"gid", process.user.gid}}},
          {"args", process.args},
          {"env", process.env},
          {"cwd", process.cwd},
          {"capabilities",
           {{"bounding", none}, {"effective", none}, {"permitted", none}, {"inheritable", none}}},
          {"rlimits", limits},
          {"noNewPrivileges", true}};
}

Json mounts_json(const std::vector<oci::Mount>& mounts) {
  Json list = Json::array();
  for (const auto& mount : mounts) {
    Json options = Json::array();
    for (const auto& option : mount.options) {
      // Not every runtime knows the recursive forms and options of procfs.
      if (option == "subset=pid") continue;
      const bool recursive = option.starts_with("rr") || option == "rnosuid" || option == "rnodev";
      options.push_back(recursive ? option.substr(1) : option);
    }
    list.push_back({{"destination", mount.destination},
                    {"type", mount.type},
                    {"source", mount.source},
                    {"options", options}});
  }
  return list;
}

Json resources_json(const oci::Resources& resources) {
  Json json = Json::object();
  if (resources.memory && resources.memory->limit) {
    json["memory"] = {{"limit", *resources.memory->limit}};
  }
  if (resources.pids_limit) json["pids"] = {{"limit", *resources.pids_limit}};
  if (resources.cpu && resources.cpu->quota && resources.cpu->period) {
    json["cpu"] = {{"quota", *resources.cpu->quota}, {"period", *resources.cpu->period}};
  }
  return json;
}

Result<void> write_root(const Program& program, const std::string& rootfs) {
  if (::mkdir(rootfs.c_str(), 0755) != 0) return system_error("mkdir " + rootfs);
  const auto root = TRY(open_file(rootfs, O_PATH | O_DIRECTORY));
  Program bare = program;
  std::erase_if(bare.files, [&](const Placed& placed) {
    return is_below(placed.path, program.places.work);  // bound from the host
  });
  for (const auto& file : sandbox_files(bare)) {
    const auto place = TRY(open_parent_in_root(root.get(), file.path));
    if (file.link) {
      if (::symlinkat(file.content.c_str(), place.parent.get(), place.name.c_str()) != 0) {
        return system_error("symlink " + file.path);
      }
      continue;
    }
    TRY(replace_file_at(place.parent.get(), place.name, file.content, file.mode));
  }
  return {};
}

}  // namespace

std::string config_json(const oci::Spec& spec, const std::string& cgroups_path) {
  Json namespaces = Json::array();
  for (const char* type : {"pid", "mount", "ipc", "uts", "network"}) {
    const bool wanted =
        std::string_view(type) != "network" ||
        std::any_of(spec.linux_->namespaces.begin(), spec.linux_->namespaces.end(),
                    [](const auto& made) { return made.type == oci::NamespaceType::kNetwork; });
    if (wanted) namespaces.push_back({{"type", type}});
  }
  Json linux_part = {{"namespaces", namespaces}};
  if (!cgroups_path.empty()) {
    linux_part["cgroupsPath"] = cgroups_path;
    linux_part["resources"] = resources_json(*spec.linux_->resources);
  }
  const Json json = {{"ociVersion", "1.0.2"},
                     {"process", process_json(*spec.process)},
                     {"root", {{"path", "rootfs"}, {"readonly", true}}},
                     {"hostname", spec.hostname},
                     {"mounts", mounts_json(spec.mounts)},
                     {"linux", linux_part}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

Result<void> write_bundle(const Program& program, const std::string& folder,
                          const std::string& work, const std::string& cgroups_path) {
  auto spec = sandbox_spec(program);
  for (auto& mount : spec.mounts) {
    if (mount.destination != kWorkFolder) continue;
    mount = {mount.destination, "bind", work, {"rbind", "rw", "nosuid", "nodev", "noexec"}, {}, {}};
  }
  TRY(write_root(program, folder + "/rootfs"));
  const auto directory = TRY(open_file(folder, O_PATH | O_DIRECTORY));
  return replace_file_at(directory.get(), "config.json", config_json(spec, cgroups_path), 0600);
}

}  // namespace langsbx::execute
