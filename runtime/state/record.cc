// state.json: to text and back.
#include "runtime/state/record.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <span>

#include "runtime/base/json_writer.h"

namespace langsbx::state {
namespace {

using nlohmann::json;

constexpr int kDeepest = 64;

constexpr std::string_view kBlank = " \t\r\n";

// Whose text is not looked into here: it belongs to others, and most calls need none of it.
struct Foreign {
  std::string_view name;
  std::string* text;
};

// Goes through the document once: refuses what is nested too deep, since nlohmann copies and prints
// recursively, takes the foreign members' texts, and leaves null in their place.
class Splitter {
 public:
  explicit Splitter(std::span<const Foreign> foreign) : foreign_(foreign) {}

  bool split(std::string_view text) {
    text_ = text;
    for (at_ = 0; at_ < text.size(); ++at_) {
      const char byte = text[at_];
      if (byte == '"') {
        skip_string();
      } else if (byte == '[' || byte == '{') {
        if (++depth_ > kDeepest) return false;
      } else if (byte == ']' || byte == '}') {
        if (--depth_ == 0) end_value();
      } else if (byte == ',' && depth_ == 1) {
        end_value();
      } else if (byte == ':' && depth_ == 1) {
        begin_value();
      }
    }
    rest_ += text.substr(kept_);
    return true;
  }
  [[nodiscard]] const std::string& rest() const { return rest_; }

 private:
  void skip_string() {
    const std::size_t begin = at_ + 1;
    while (++at_ < text_.size() && text_[at_] != '"') {
      if (text_[at_] == '\\') ++at_;
    }
    if (depth_ == 1) last_string_ = text_.substr(begin, std::min(at_, text_.size()) - begin);
  }
  void begin_value() {
    if (current_ != nullptr) return;
    for (const Foreign& one : foreign_) {
      if (one.name == last_string_) current_ = &one;
    }
    if (current_ == nullptr) return;
    rest_ += text_.substr(kept_, at_ + 1 - kept_);
    rest_ += "null";
    kept_ = at_ + 1;
  }
  void end_value() {
    if (current_ == nullptr) return;
    auto value = text_.substr(kept_, at_ - kept_);
    value.remove_prefix(std::min(value.size(), value.find_first_not_of(kBlank)));
    value = value.substr(0, value.find_last_not_of(kBlank) + 1);
    *current_->text = value == "null" ? std::string() : std::string(value);
    kept_ = at_;
    current_ = nullptr;
  }

  std::span<const Foreign> foreign_;
  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t kept_ = 0;  // up to here everything is in rest_ or in a foreign text
  int depth_ = 0;
  std::string_view last_string_;
  const Foreign* current_ = nullptr;
  std::string rest_;
};

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
  void expect(const char* name) { find(name); }
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

// A guess that is never too small for what needs no escapes.
std::size_t size_of(const Record& record) {
  constexpr std::size_t kRest = 1024;
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
  out.open_object("annotations");
  for (const auto& [name, value] : record.annotations) out.add(name, value);
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
  const Foreign foreign[] = {
      {"cgroup", &record.cgroup}, {"confinement", &record.confinement}, {"guard", &record.guard}};
  Splitter splitter(foreign);
  if (!splitter.split(text)) return invalid("nested too deep");
  const json document = json::parse(splitter.rest(), nullptr, false);
  if (!document.is_object()) return invalid("not a JSON object");
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
  for (const Foreign& one : foreign) reader.expect(one.name.data());
  // A pid of 1 would make `delete --force` kill the host's init.
  if (pid == 1) reader.fail("initPid", "is 1");
  if (record.complete && pid == 0) reader.fail("initPid", "is 0 in a complete record");
  if (!reader.error().empty()) return make_error(ErrorKind::kInvalidInput, reader.error());
  return record;
}

}  // namespace langsbx::state
