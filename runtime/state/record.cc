// state.json: to text and back.
#include "runtime/state/record.h"

#include <limits>
#include <nlohmann/json.hpp>

namespace langsbx::state {
namespace {

using nlohmann::json;

constexpr int kDeepest = 64;

// nlohmann copies and prints recursively: depth is limited before anything is built.
bool is_too_deep(std::string_view text) {
  int depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char byte = text[i];
    if (in_string) {
      if (byte == '\\') ++i;
      if (byte == '"') in_string = false;
    } else if (byte == '"') {
      in_string = true;
    } else if (byte == '[' || byte == '{') {
      if (++depth > kDeepest) return true;
    } else if (byte == ']' || byte == '}') {
      --depth;
    }
  }
  return false;
}

constexpr auto kReplace = json::error_handler_t::replace;

std::string text_of(const json& value) { return value.dump(-1, ' ', false, kReplace); }

// Reads members of one document, keeping the first error. A missing member is an error too: the
// record is ours, so whatever lacks one was not written by us.
class Reader {
 public:
  Reader(const json& document, std::string_view file) : document_(document), file_(file) {}

  void read(const char* name, std::string& target) {
    const json* const value = find(name);
    if (value == nullptr) return;
    if (!value->is_string()) return fail(name, "expected a string");
    target = value->get_ref<const std::string&>();
    if (target.find('\0') != std::string::npos) fail(name, "contains a NUL byte");
  }
  void read(const char* name, bool& target) {
    const json* const value = find(name);
    if (value == nullptr) return;
    if (!value->is_boolean()) return fail(name, "expected true or false");
    target = value->get<bool>();
  }
  void read(const char* name, std::uint64_t most, std::uint64_t& target) {
    const json* const value = find(name);
    if (value == nullptr) return;
    if (!value->is_number_unsigned() || value->get<std::uint64_t>() > most)
      return fail(name, "expected an integer from 0 to " + std::to_string(most));
    target = value->get<std::uint64_t>();
  }
  void read(const char* name, std::map<std::string, std::string>& target) {
    const json* const value = find(name);
    if (value == nullptr) return;
    if (!value->is_object()) return fail(name, "expected an object");
    for (const auto& [key, one] : value->items()) {
      if (!one.is_string()) return fail(name, "expected strings");
      target[key] = one.get_ref<const std::string&>();
    }
  }
  void read_json(const char* name, std::string& target) {
    const json* const value = find(name);
    if (value != nullptr && !value->is_null()) target = text_of(*value);
  }
  void fail(const std::string& name, const std::string& problem) {
    if (error_.empty()) error_ = std::string(file_) + ": " + name + ": " + problem;
  }
  [[nodiscard]] const std::string& error() const { return error_; }

 private:
  const json* find(const char* name) {
    const auto found = document_.find(name);
    if (found != document_.end()) return &*found;
    fail(name, "is missing");
    return nullptr;
  }

  const json& document_;
  std::string_view file_;
  std::string error_;
};

}  // namespace

std::string to_json(const Record& record) {
  nlohmann::ordered_json out;
  out["id"] = record.id;
  out["ociVersion"] = record.oci_version;
  out["bundle"] = record.bundle;
  out["rootfs"] = record.rootfs;
  out["created"] = record.created;
  out["annotations"] = record.annotations;
  out["complete"] = record.complete;
  out["initPid"] = record.init_pid;
  out["initStartTime"] = record.init_start_time;
  out["runtimeName"] = record.runtime_name;
  out["rootless"] = record.rootless;
  out["noPivot"] = record.no_pivot;
  out["noNewKeyring"] = record.no_new_keyring;
  out["terminal"] = record.terminal;
  out["notifySocket"] = record.notify_socket;
  out["resctrlDirectory"] = record.resctrl_directory;
  auto text = out.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  text.pop_back();
  const auto append = [&](const char* name, const std::string& value) {
    text += std::string(",\"") + name + "\":" + (value.empty() ? "null" : value);
  };
  append("cgroup", record.cgroup);
  append("confinement", record.confinement);
  append("guard", record.guard);
  return text + '}';
}

Result<Record> record_from_json(std::string_view text, std::string_view file) {
  const auto invalid = [&](std::string_view problem) {
    return make_error(ErrorKind::kInvalidInput, std::string(file) + ": " + std::string(problem));
  };
  if (is_too_deep(text)) return invalid("nested too deep");
  const json document = json::parse(text, nullptr, false);
  if (!document.is_object()) return invalid("not a JSON object");
  Record record;
  Reader reader(document, file);
  reader.read("id", record.id);
  reader.read("ociVersion", record.oci_version);
  reader.read("bundle", record.bundle);
  reader.read("rootfs", record.rootfs);
  reader.read("created", record.created);
  reader.read("annotations", record.annotations);
  reader.read("complete", record.complete);
  std::uint64_t pid = 0;
  reader.read("initPid", std::numeric_limits<pid_t>::max(), pid);
  record.init_pid = static_cast<pid_t>(pid);
  reader.read("initStartTime", std::numeric_limits<std::uint64_t>::max(), record.init_start_time);
  reader.read("runtimeName", record.runtime_name);
  reader.read("rootless", record.rootless);
  reader.read("noPivot", record.no_pivot);
  reader.read("noNewKeyring", record.no_new_keyring);
  reader.read("terminal", record.terminal);
  reader.read("notifySocket", record.notify_socket);
  reader.read("resctrlDirectory", record.resctrl_directory);
  reader.read_json("cgroup", record.cgroup);
  reader.read_json("confinement", record.confinement);
  reader.read_json("guard", record.guard);
  // A pid of 1 would make `delete --force` kill the host's init.
  if (pid == 1) reader.fail("initPid", "is 1");
  if (record.complete && pid == 0) reader.fail("initPid", "is 0 in a complete record");
  if (!reader.error().empty()) return make_error(ErrorKind::kInvalidInput, reader.error());
  return record;
}

}  // namespace langsbx::state
