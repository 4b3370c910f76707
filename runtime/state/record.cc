// state.json: to text and back.
#include "runtime/state/record.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <span>

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

// Nearly all texts need no escapes; for two megabytes of annotations that is what counts.
void append_text(std::string& out, const std::string& text) {
  constexpr unsigned char kFirst = 0x20;
  constexpr unsigned char kLast = 0x7e;
  const bool plain = std::all_of(text.begin(), text.end(), [](unsigned char byte) {
    return byte >= kFirst && byte <= kLast && byte != '"' && byte != '\\';
  });
  if (plain)
    out.append(1, '"').append(text).append(1, '"');
  else
    out += json(text).dump(-1, ' ', false, json::error_handler_t::replace);
}

std::string text_of(const std::map<std::string, std::string>& members) {
  std::string out;
  for (const auto& [name, value] : members) {
    out += out.empty() ? '{' : ',';
    append_text(out, name);
    out += ':';
    append_text(out, value);
  }
  return out.empty() ? "{}" : out + '}';
}

}  // namespace

std::string to_json(const Record& record) {
  nlohmann::ordered_json out;
  out["id"] = record.id;
  out["ociVersion"] = record.oci_version;
  out["bundle"] = record.bundle;
  out["rootfs"] = record.rootfs;
  out["created"] = record.created;
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
  append("annotations", text_of(record.annotations));
  append("cgroup", record.cgroup);
  append("confinement", record.confinement);
  append("guard", record.guard);
  return text + '}';
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
