// What a kept filter's file holds.
#include "runtime/confine/seccomp_cache.h"

#include <cstring>

#include "runtime/confine/bpf.h"
#include "runtime/kernel/kept_files.h"

namespace langsbx::confine {
namespace {

// Goes up when the same profile compiles to another program: an upgrade leaves old entries behind.
constexpr std::uint64_t kCompiler = 3;

class Writer {
 public:
  void number(std::uint64_t value) {
    char bytes[sizeof(value)];
    std::memcpy(bytes, &value, sizeof(value));
    text_.append(bytes, sizeof(bytes));
  }
  void bytes(std::string_view value) {
    number(value.size());
    text_.append(value);
  }
  void list(const std::vector<std::string>& values) {
    number(values.size());
    for (const std::string& value : values) bytes(value);
  }
  void optional(const std::optional<std::uint32_t>& value) {
    number(value ? std::uint64_t{*value} + 1 : 0);
  }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

// Reads what Writer wrote; the first thing that does not fit makes it not ok for good.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}
  std::uint64_t number() {
    std::uint64_t value = 0;
    const std::string_view raw = take(sizeof(value));
    if (ok_) std::memcpy(&value, raw.data(), sizeof(value));
    return value;
  }
  std::string_view bytes() {
    const std::uint64_t size = number();
    return take(size);
  }
  std::vector<std::string> list() {
    std::vector<std::string> values;
    for (std::uint64_t left = number(); left > 0 && ok_; --left) values.emplace_back(bytes());
    return values;
  }
  [[nodiscard]] bool ok() const { return ok_; }
  [[nodiscard]] bool at_end() const { return ok_ && text_.empty(); }

 private:
  std::string_view take(std::uint64_t size) {
    if (!ok_ || size > text_.size()) {
      ok_ = false;
      return {};
    }
    const std::string_view part = text_.substr(0, size);
    text_.remove_prefix(size);
    return part;
  }
  std::string_view text_;
  bool ok_ = true;
};

std::string encode(const CompiledProfile& compiled) {
  Writer writer;
  writer.bytes(compiled.filter.name);
  writer.number(compiled.filter.flags);
  writer.number(compiled.filter.has_notify ? 1 : 0);
  const auto& program = compiled.filter.program;
  writer.bytes(
      {reinterpret_cast<const char*>(program.data()), program.size() * sizeof(sock_filter)});
  writer.bytes(compiled.summary.default_action);
  writer.list(compiled.summary.architectures);
  writer.list(compiled.summary.flags);
  writer.list(compiled.summary.skipped);
  writer.list(compiled.summary.unrefused);
  return writer.take();
}

std::optional<CompiledProfile> decode(std::string_view text) {
  Reader reader(text);
  CompiledProfile compiled;
  compiled.filter.name = reader.bytes();
  compiled.filter.flags = static_cast<std::uint32_t>(reader.number());
  compiled.filter.has_notify = reader.number() != 0;
  const std::string_view program = reader.bytes();
  if (program.empty() || program.size() % sizeof(sock_filter) != 0) return std::nullopt;
  compiled.filter.program.resize(program.size() / sizeof(sock_filter));
  std::memcpy(compiled.filter.program.data(), program.data(), program.size());
  compiled.summary.name = compiled.filter.name;
  compiled.summary.default_action = reader.bytes();
  compiled.summary.architectures = reader.list();
  compiled.summary.flags = reader.list();
  compiled.summary.skipped = reader.list();
  compiled.summary.unrefused = reader.list();
  compiled.summary.instructions = static_cast<std::uint32_t>(compiled.filter.program.size());
  compiled.summary.from_cache = true;
  if (!reader.at_end()) return std::nullopt;
  return compiled;
}

}  // namespace

std::string seccomp_cache_key(const oci::Seccomp& profile, std::string_view json,
                              std::string_view name, UnknownCalls unknown_calls) {
  Writer writer;
  writer.number(kCompiler);
  writer.bytes(libseccomp_version());
  writer.number(native_audit_arch());
  writer.number(static_cast<std::uint32_t>(unknown_calls));
  writer.bytes(name);
  writer.bytes(json);
  if (!json.empty()) return writer.take();
  writer.bytes(profile.default_action);
  writer.optional(profile.default_errno_ret);
  writer.list(profile.architectures);
  writer.list(profile.flags);
  writer.number(profile.flags_present ? 1 : 0);
  writer.number(profile.listener_path.empty() ? 0 : 1);
  for (const oci::SeccompRule& rule : profile.syscalls) {
    writer.list(rule.names);
    writer.bytes(rule.action);
    writer.optional(rule.errno_ret);
    writer.number(rule.args.size());
    for (const oci::SeccompArg& arg : rule.args) {
      writer.number(arg.index);
      writer.number(arg.value);
      writer.number(arg.value_two);
      writer.bytes(arg.op);
    }
  }
  return writer.take();
}

std::optional<CompiledProfile> read_seccomp_cache(const std::string& directory,
                                                  std::string_view key) {
  const auto text = read_kept({directory}, key);
  return text ? decode(*text) : std::nullopt;
}

void write_seccomp_cache(const std::string& directory, std::string_view key,
                         const CompiledProfile& compiled) {
  write_kept({directory}, key, encode(compiled));
}

}  // namespace langsbx::confine
