// A plan as JSON: the record by which `exec` re-applies what `create` decided.
#include "runtime/confine/json_reader.h"
#include "runtime/confine/landlock.h"

namespace langsbx::confine {
namespace {

constexpr std::uint64_t kAnyBits = ~std::uint64_t{0};
constexpr std::uint64_t kHighestPort = 65535;
constexpr std::uint64_t kMostLayers = 16;

Json layer_to_json(const LandlockLayer& layer) {
  Json paths = Json::array();
  for (const LandlockPathGrant& grant : layer.paths) {
    paths.push_back({{"path", grant.path},
                     {"access", grant.access},
                     {"rights", right_names(LandlockKind::kFs, grant.access)},
                     {"mustExist", grant.must_exist}});
    if (!grant.beneath.empty()) paths.back()["beneath"] = grant.beneath;
  }
  Json ports = Json::array();
  for (const LandlockPortGrant& grant : layer.ports) {
    ports.push_back({{"port", grant.port},
                     {"access", grant.access},
                     {"rights", right_names(LandlockKind::kNet, grant.access)}});
  }
  return {{"name", layer.name},
          {"origin", layer.origin},
          {"handledFs", layer.handled_fs},
          {"handledNet", layer.handled_net},
          {"scoped", layer.scoped},
          {"stdio", layer.stdio},
          {"paths", std::move(paths)},
          {"ports", std::move(ports)}};
}

Result<LandlockLayer> layer_from_json(const JsonView& view) {
  LandlockLayer layer;
  TRY(view.read("name", layer.name));
  TRY(view.read("origin", layer.origin));
  TRY(view.read_number("handledFs", layer.handled_fs, kAnyBits));
  TRY(view.read_number("handledNet", layer.handled_net, kAnyBits));
  TRY(view.read_number("scoped", layer.scoped, kAnyBits));
  TRY(view.read_number("stdio", layer.stdio, kAnyBits));
  TRY(view.each("paths", [&layer](const JsonView& item) -> Result<void> {
    LandlockPathGrant grant;
    TRY(item.read("path", grant.path));
    TRY(item.read_number("access", grant.access, kAnyBits));
    TRY(item.read("mustExist", grant.must_exist));
    TRY(item.read("beneath", grant.beneath));
    if (!grant.path.starts_with('/')) return item.error("path is not absolute");
    const std::string* longer = &grant.path;
    for (auto above = grant.beneath.rbegin(); above != grant.beneath.rend(); ++above) {
      if (!above->starts_with('/') || !is_path_below(*longer, *above)) {
        return item.error("beneath names what is not above path");
      }
      longer = &*above;
    }
    layer.paths.push_back(std::move(grant));
    return {};
  }));
  TRY(view.each("ports", [&layer](const JsonView& item) -> Result<void> {
    LandlockPortGrant grant;
    TRY(item.read_number("port", grant.port, kHighestPort));
    TRY(item.read_number("access", grant.access, kAnyBits));
    layer.ports.push_back(grant);
    return {};
  }));
  return layer;
}

}  // namespace

std::string to_json(const LandlockPlan& plan) {
  Json layers = Json::array();
  for (const LandlockLayer& layer : plan.layers) layers.push_back(layer_to_json(layer));
  const Json document = {{"abi", plan.abi},
                         {"layers", std::move(layers)},
                         {"logDenials", plan.log_denials},
                         {"unenforced", plan.unenforced},
                         {"notes", plan.notes}};
  return document.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Result<LandlockPlan> landlock_plan_from_json(std::string_view json) {
  const Json document = TRY(parse_json(json, "Landlock plan"));
  return landlock_plan_from(JsonView(document, "landlock"));
}

Result<LandlockPlan> landlock_plan_from(const JsonView& root) {
  LandlockPlan plan;
  TRY(root.read_number("abi", plan.abi, 1000));
  TRY(root.read("logDenials", plan.log_denials));
  TRY(root.read("unenforced", plan.unenforced));
  TRY(root.read("notes", plan.notes));
  TRY(root.each("layers", [&plan](const JsonView& item) -> Result<void> {
    if (plan.layers.size() >= kMostLayers) return item.error("more layers than the kernel takes");
    plan.layers.push_back(TRY(layer_from_json(item)));
    return {};
  }));
  return plan;
}

}  // namespace langsbx::confine
