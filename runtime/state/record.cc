// state.json: to text and back.
#include "runtime/state/record.h"

#include <cstdint>
#include <limits>

#include "oci/decode.h"
#include "runtime/base/json_writer.h"

namespace langsbx::state {
namespace {

namespace decode = oci::decode;

constexpr int kDeepest = 64;

// A missing member is an error too: the record is ours, so whatever lacks one was not written by
// us. What a later version added has a default.
constexpr decode::Field kFields[] = {
    decode::required(decode::field<&Record::id>("id")),
    decode::required(decode::field<&Record::oci_version>("ociVersion")),
    decode::required(decode::field<&Record::bundle>("bundle")),
    decode::required(decode::field<&Record::rootfs>("rootfs")),
    decode::required(decode::field<&Record::created>("created")),
    decode::required(decode::field<&Record::complete>("complete")),
    decode::required(decode::field<&Record::init_pid>(
        "initPid", &decode::kInteger<pid_t, 0, std::numeric_limits<pid_t>::max()>)),
    decode::required(decode::field<&Record::init_start_time>("initStartTime")),
    decode::required(decode::field<&Record::runtime_name>("runtimeName")),
    decode::required(decode::field<&Record::rootless>("rootless")),
    decode::required(decode::field<&Record::no_pivot>("noPivot")),
    decode::required(decode::field<&Record::no_new_keyring>("noNewKeyring")),
    decode::required(decode::field<&Record::terminal>("terminal")),
    decode::required(decode::field<&Record::notify_socket>("notifySocket")),
    decode::required(decode::field<&Record::resctrl_directory>("resctrlDirectory")),
    decode::field<&Record::asks_config>("asksConfig"),
    decode::required(decode::field<&Record::annotations>("annotations")),
    // Others read these; most calls need none of them.
    decode::required(decode::field<&Record::cgroup>("cgroup", &decode::kRaw)),
    decode::required(decode::field<&Record::confinement>("confinement", &decode::kRaw)),
    decode::required(decode::field<&Record::guard>("guard", &decode::kRaw)),
};
constexpr decode::Type kRecord = decode::object<kFields>();

// Escaped, a config's annotations are longer than they were.
constexpr decode::Limits kLimits{.bytes = std::size_t{128} << 20U, .depth = kDeepest};

// A guess that is never too small for what needs no escapes.
std::size_t size_of(const Record& record) {
  constexpr std::size_t kRest = 512;
  std::size_t size = kRest + record.bundle.size() + record.rootfs.size() + record.cgroup.size() +
                     record.confinement.size() + record.guard.size();
  for (const auto& [name, value] : record.annotations) size += name.size() + value.size() + 6;
  return size;
}

}  // namespace

std::string to_json(const Record& record) {
  JsonWriter out(size_of(record));
  out.add("id", record.id);
  out.add("ociVersion", record.oci_version);
  out.add("bundle", record.bundle);
  out.add("rootfs", record.rootfs);
  out.add("created", record.created);
  out.add("complete", record.complete);
  out.add("initPid", static_cast<std::uint64_t>(record.init_pid));
  out.add("initStartTime", record.init_start_time);
  out.add("runtimeName", record.runtime_name);
  out.add("rootless", record.rootless);
  out.add("noPivot", record.no_pivot);
  out.add("noNewKeyring", record.no_new_keyring);
  out.add("terminal", record.terminal);
  out.add("notifySocket", record.notify_socket);
  out.add("resctrlDirectory", record.resctrl_directory);
  out.add("asksConfig", record.asks_config);
  out.open_object("annotations");
  for (const auto& [name, value] : record.annotations) out.add_entry(name, value);
  out.close_object();
  out.add_json("cgroup", record.cgroup);
  out.add_json("confinement", record.confinement);
  out.add_json("guard", record.guard);
  return out.finish();
}

Result<Record> record_from_json(std::string_view text, std::string_view file) {
  const auto invalid = [&](std::string_view problem) {
    return make_error(ErrorKind::kInvalidInput, std::string(file) + ": " + std::string(problem));
  };
  Record record;
  TRY(decode::decode(text, kRecord, &record, file, kLimits));
  // A pid of 1 would make `delete --force` kill the host's init.
  if (record.init_pid == 1) return invalid("initPid: is 1");
  if (record.complete && record.init_pid == 0) {
    return invalid("initPid: is 0 in a complete record");
  }
  return record;
}

}  // namespace langsbx::state
