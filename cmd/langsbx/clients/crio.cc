// CRI-O: a drop-in file of our own, one a handler.
#include "cmd/langsbx/clients/client.h"
#include "cmd/langsbx/clients/toml_scan.h"

namespace langsbx::clients {
namespace {

constexpr std::string_view kMark = "# Written by langsbx install";

std::string file_of(const Handler& handler) {
  return "/etc/crio/crio.conf.d/50-" + handler.name + ".conf";
}

Result<void> check_ours(const std::optional<std::string>& text, const std::string& file) {
  if (text && !text->starts_with(kMark))
    return make_error(ErrorKind::kInvalidInput, file + ": was not written by langsbx install");
  return {};
}

Result<Plan> install(const Host& host, const Handler& handler) {
  const std::string file = file_of(handler);
  TRY(check_ours(TRY(host.read(file)), file));
  Plan plan;
  const std::string binary = add_launcher(kCrio, handler, plan);
  plan.changes.push_back(
      {file,
       std::string(kMark) +
           "; langsbx uninstall --for crio removes it.\n"
           "# CRI-O hands a pod's annotations to the runtime by itself; its allowed_annotations\n"
           "# are for those that CRI-O acts on, and it refuses to start with others there.\n"
           "[crio.runtime.runtimes." +
           handler.name + "]\nruntime_path = " + toml_quoted(binary) +
           "\nruntime_type = \"oci\"\nruntime_root = \"/run/" + handler.name + "\"\n",
       0644, true});
  plan.notes.push_back("a RuntimeClass with the handler \"" + handler.name +
                       "\" selects it; langsbx install --for kubernetes prints one");
  return plan;
}

Result<Plan> uninstall(const Host& host, const Handler& handler) {
  const std::string file = file_of(handler);
  const auto text = TRY(host.read(file));
  TRY(check_ours(text, file));
  Plan plan;
  if (text) plan.changes.push_back({file, std::nullopt, 0644, true});
  TRY(remove_launcher(kCrio, host, handler, plan));
  return plan;
}

}  // namespace

extern const Client kCrio{.name = "crio",
                          .restart = "systemctl restart crio",
                          .install = install,
                          .uninstall = uninstall};

}  // namespace langsbx::clients
