// The guard's part of state.json: to text and back.
#include "runtime/guard/guard_record.h"

#include "oci/decode.h"
#include "runtime/base/json_writer.h"

namespace langsbx::guard {
namespace {

namespace decode = oci::decode;

constexpr decode::Field kFields[] = {
    decode::field<&GuardRecord::asked>("asked"),
    decode::field<&GuardRecord::profile>("profile"),
    decode::field<&GuardRecord::language>("language"),
    decode::field<&GuardRecord::mode>("mode"),
    decode::field<&GuardRecord::exec>("exec"),
    decode::field<&GuardRecord::judged_as>("judged_as"),
    decode::field<&GuardRecord::wall_time>("wall_time_ms"),
    decode::field<&GuardRecord::cpu_time>("cpu_time_ms"),
    decode::field<&GuardRecord::facts>("facts"),
};
constexpr decode::Type kRecord = decode::object<kFields>();

}  // namespace

std::string to_json(const GuardRecord& record) {
  JsonWriter out;
  out.add("asked", record.asked);
  out.add("profile", record.profile);
  out.add("language", record.language);
  if (!record.mode.empty()) out.add("mode", record.mode);
  if (!record.exec.empty()) out.add("exec", record.exec);
  if (!record.judged_as.empty()) out.add("judged_as", record.judged_as);
  if (record.wall_time) out.add("wall_time_ms", *record.wall_time);
  if (record.cpu_time) out.add("cpu_time_ms", *record.cpu_time);
  if (!record.facts.empty()) {
    out.open_object("facts");
    for (const auto& [name, text] : record.facts) out.add_entry(name, text);
    out.close_object();
  }
  return out.finish();
}

Result<GuardRecord> guard_record_from_json(std::string_view json) {
  GuardRecord record;
  if (json.empty()) return record;
  TRY(decode::decode(json, kRecord, &record, "state.json: guard"));
  return record;
}

}  // namespace langsbx::guard
