// Docker: "runtimes" in daemon.json.
#include <nlohmann/json.hpp>

#include "cmd/langsbx/clients/client.h"
#include "cmd/langsbx/clients/json_edit.h"

namespace langsbx::clients {
namespace {

using Json = nlohmann::ordered_json;

std::string file_of(const Host& host) {
  return host.user_config.empty() ? "/etc/docker/daemon.json"
                                  : host.user_config + "/docker/daemon.json";
}

// An entry is ours when its program is called so, or was installed under this path.
bool is_ours(const Json& entry, const Handler& handler) {
  if (!entry.is_object() || !entry.contains("path") || !entry["path"].is_string()) return false;
  const auto path = entry["path"].get<std::string>();
  return path == handler.binary || path.substr(path.rfind('/') + 1) == "langsbx";
}

const Json* entry_of(const Json& document, const std::string& name) {
  if (!document.is_object() || !document.contains("runtimes")) return nullptr;
  const Json& runtimes = document["runtimes"];
  return runtimes.is_object() && runtimes.contains(name) ? &runtimes[name] : nullptr;
}

// Other arguments that stand there stay.
Json entry_for(const Json* old, const Handler& handler) {
  Json entry = old != nullptr ? *old : Json::object();
  entry["path"] = handler.binary;
  Json args = Json::array();
  const Json before = entry.value("runtimeArgs", Json::array());
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (before[i] == "--profile")
      ++i;
    else
      args.push_back(before[i]);
  }
  if (!handler.profile.empty()) {
    args.push_back("--profile");
    args.push_back(handler.profile);
  }
  if (args.empty())
    entry.erase("runtimeArgs");
  else
    entry["runtimeArgs"] = args;
  return entry;
}

Error foreign(const std::string& file, const Handler& handler) {
  return make_error(ErrorKind::kInvalidInput, file + ": the runtime \"" + handler.name +
                                                  "\" there is not langsbx; choose another --name");
}

Result<Plan> install(const Host& host, const Handler& handler) {
  const std::string file = file_of(host);
  const std::string text = TRY(host.read(file)).value_or("{}\n");
  const Json document = TRY_CONTEXT(parse_object(text), file);
  const Json* const old = entry_of(document, handler.name);
  if (old != nullptr && !is_ours(*old, handler)) return foreign(file, handler);
  if (old != nullptr && old->contains("runtimeArgs") && !(*old)["runtimeArgs"].is_array())
    return make_error(ErrorKind::kInvalidInput,
                      file + ": runtimes." + handler.name + ".runtimeArgs is not a list");
  const Json entry = entry_for(old, handler);
  Plan plan;
  FileChange change{file, text};
  if (old == nullptr || *old != entry)
    change.text = TRY_CONTEXT(set_member(text, {"runtimes", handler.name}, entry.dump()), file);
  plan.changes.push_back(std::move(change));
  plan.notes.push_back("docker run --runtime " + handler.name + " ...");
  return plan;
}

Result<Plan> uninstall(const Host& host, const Handler& handler) {
  const std::string file = file_of(host);
  Plan plan;
  const auto text = TRY(host.read(file));
  if (!text) return plan;
  const Json document = TRY_CONTEXT(parse_object(*text), file);
  const Json* const old = entry_of(document, handler.name);
  if (old == nullptr) return plan;
  if (!is_ours(*old, handler)) return foreign(file, handler);
  if (document.contains("default-runtime") && document["default-runtime"] == handler.name)
    return make_error(ErrorKind::kInvalidInput, file + ": \"" + handler.name +
                                                    "\" is its default-runtime: change that first");
  plan.changes.push_back(
      {file, TRY_CONTEXT(remove_member(*text, {"runtimes", handler.name}), file)});
  return plan;
}

}  // namespace

extern const Client kDocker{.name = "docker",
                            .restart = "systemctl reload docker",
                            .install = install,
                            .uninstall = uninstall};

}  // namespace langsbx::clients
