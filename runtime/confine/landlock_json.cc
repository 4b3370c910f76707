// A plan as JSON: the record by which `exec` re-applies what `create` decided.
#include "runtime/base/json_writer.h"
#include "runtime/confine/json_reader.h"
#include "runtime/confine/landlock.h"

namespace langsbx::confine {
namespace {

constexpr std::uint64_t kAnyBits = ~std::uint64_t{0};
constexpr std::uint64_t kHighestPort = 65535;
constexpr std::uint64_t kMostLayers = 16;
constexpr std::size_t kUsualSize = 4096;

void write_rights(LandlockKind kind, std::uint64_t access, Names names, JsonWriter& out) {
  out.add("access", access);
  if (names == Names::kNo) return;
  out.open_list("rights");
  each_right_name(kind, access, [&out](std::string_view name) { out.add_item(name); });
  out.close_list();
}

void write_layer(const LandlockLayer& layer, Names names, JsonWriter& out) {
  out.open_item();
  out.add("name", layer.name);
  out.add("origin", layer.origin);
  out.add("handledFs", layer.handled_fs);
  out.add("handledNet", layer.handled_net);
  out.add("scoped", layer.scoped);
  out.add("stdio", layer.stdio);
  if (layer.starts_program) out.add("startsProgram", true);
  out.open_list("paths");
  for (const LandlockPathGrant& grant : layer.paths) {
    out.open_item();
    out.add("path", grant.path);
    write_rights(LandlockKind::kFs, grant.access, names, out);
    out.add("mustExist", grant.must_exist);
    if (!grant.beneath.empty()) out.add("beneath", grant.beneath);
    if (grant.own) out.add("own", true);
    out.close_object();
  }
  out.close_list();
  out.open_list("ports");
  for (const LandlockPortGrant& grant : layer.ports) {
    out.open_item();
    out.add("port", std::uint64_t{grant.port});
    write_rights(LandlockKind::kNet, grant.access, names, out);
    out.close_object();
  }
  out.close_list();
  out.close_object();
}

Result<LandlockLayer> layer_from_json(const JsonView& view) {
  LandlockLayer layer;
  TRY(view.read("name", layer.name));
  TRY(view.read("origin", layer.origin));
  TRY(view.read_number("handledFs", layer.handled_fs, kAnyBits));
  TRY(view.read_number("handledNet", layer.handled_net, kAnyBits));
  TRY(view.read_number("scoped", layer.scoped, kAnyBits));
  TRY(view.read_number("stdio", layer.stdio, kAnyBits));
  TRY(view.read("startsProgram", layer.starts_program));
  TRY(view.each("paths", [&layer](const JsonView& item) -> Result<void> {
    LandlockPathGrant grant;
    TRY(item.read("path", grant.path));
    TRY(item.read_number("access", grant.access, kAnyBits));
    TRY(item.read("mustExist", grant.must_exist));
    TRY(item.read("beneath", grant.beneath));
    TRY(item.read("own", grant.own));
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

void write_members(const LandlockPlan& plan, Names names, JsonWriter& out) {
  out.add("abi", static_cast<std::uint64_t>(plan.abi));
  out.open_list("layers");
  for (const LandlockLayer& layer : plan.layers) write_layer(layer, names, out);
  out.close_list();
  out.add("logDenials", plan.log_denials);
  out.add("unenforced", plan.unenforced);
  out.add("notes", plan.notes);
}

std::string to_json(const LandlockPlan& plan) {
  JsonWriter out(kUsualSize);
  write_members(plan, Names::kYes, out);
  return out.finish();
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
