// Every way in which a Landlock policy comes in: documents, annotations, the state file's record.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "oci/reader.h"
#include "runtime/confine/landlock.h"

namespace confine = langsbx::confine;

namespace {

void must_round_trip(const confine::LandlockPlan& plan) {
  const auto again = confine::landlock_plan_from_json(confine::to_json(plan));
  if (!again.ok() || again->layers != plan.layers) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const int abi = data[0] % 12;
  const std::string text(reinterpret_cast<const char*>(data + 1), size - 1);
  if (const auto plan = confine::landlock_plan_from_json(text); plan.ok()) must_round_trip(*plan);
  auto document = langsbx::oci::read_landlock(text, "fuzz");
  for (const auto form : {confine::LandlockForm::kProposal, confine::LandlockForm::kDocument}) {
    if (!document.ok()) break;
    std::vector<std::string> unenforced;
    const auto layer = confine::landlock_layer_from(*document, form, "fuzz", abi, unenforced);
    if (layer.ok()) {
      const auto same = confine::intersect_layers(*layer, *layer);
      if (same.handled_fs != layer->handled_fs) std::abort();
    }
    if (!confine::resolve_document_paths(*document, "/work", "fuzz").ok()) break;
  }
  langsbx::oci::Spec spec;
  const std::size_t middle = text.find('=');
  if (middle == std::string::npos) return 0;
  const std::string value = text.substr(middle + 1);
  // A path would be read from the host.
  if (value.starts_with('/')) return 0;
  spec.annotations[std::string("io.langsbx.landlock") + text.substr(0, middle)] = value;
  const auto plan = confine::plan_landlock({&spec, {}, abi, false});
  if (plan.ok()) {
    if (plan->layers.size() > 2) std::abort();
  }
  return 0;
}
