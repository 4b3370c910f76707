// Kubernetes: manifests for kubectl, made from one template; nothing on this machine changes.
#include "cmd/langsbx/clients/client.h"
#include "langsbx_kubernetes.h"

namespace langsbx::clients {
namespace {

void replace_all(std::string& text, std::string_view mark, std::string_view with) {
  for (std::size_t at = 0; (at = text.find(mark, at)) != std::string::npos; at += with.size())
    text.replace(at, mark.size(), with);
}

Result<Plan> manifests(const Host& /*host*/, const Handler& handler) {
  Plan plan;
  plan.print = kKubernetesTemplate;
  replace_all(plan.print, "@NAME@", handler.name);
  replace_all(plan.print, "@IMAGE@", handler.image);
  replace_all(plan.print, "@PROFILE@",
              handler.profile.empty() ? "" : ", \"--profile\", \"" + handler.profile + "\"");
  return plan;
}

}  // namespace

extern const Client kKubernetes{
    .name = "kubernetes", .restart = "", .install = manifests, .uninstall = manifests};

}  // namespace langsbx::clients
