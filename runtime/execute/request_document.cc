#include "runtime/execute/request_document.h"

#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "runtime/base/base64.h"
#include "runtime/execute/host_files.h"
#include "runtime/execute/limits.h"
#include "runtime/execute/tiers.h"
#include "runtime/kernel/file.h"

namespace langsbx::execute {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kMostItems = 4096;

Error fault(const std::string& member, const std::string& what) {
  return make_error(ErrorKind::kInvalidInput, "request: " + member + ": " + what);
}

std::string place_of(std::string member, const std::string& name) {
  return member.append(".").append(name);
}

Result<void> read_text(const Json& value, const std::string& member, std::string& text) {
  if (!value.is_string()) return fault(member, "not a string");
  text = value.get<std::string>();
  if (text.find('\0') != std::string::npos) return fault(member, "holds a NUL byte");
  return {};
}

Result<void> read_flag(const Json& value, const std::string& member, bool& flag) {
  if (!value.is_boolean()) return fault(member, "not true or false");
  flag = value.get<bool>();
  return {};
}

Result<void> read_texts(const Json& value, const std::string& member,
                        std::vector<std::string>& texts) {
  if (!value.is_array()) return fault(member, "not a list of strings");
  if (value.size() > kMostItems) return fault(member, "more than 4096 items");
  for (std::size_t i = 0; i < value.size(); ++i) {
    std::string text;
    TRY(read_text(value[i], member + "[" + std::to_string(i) + "]", text));
    texts.push_back(std::move(text));
  }
  return {};
}

// Bytes: a string as it is, or its Base64 under the same name with "_base64" behind it.
Result<std::string> read_bytes(const Json& value, const std::string& member, bool base64) {
  if (!value.is_string()) return fault(member, "not a string");
  if (!base64) return value.get<std::string>();
  auto bytes = from_base64(value.get_ref<const std::string&>());
  if (!bytes) return fault(member, "not Base64");
  return std::move(*bytes);
}

Result<void> read_env(const Json& value, std::vector<std::string>& env) {
  if (!value.is_object()) return fault("env", "not an object of strings");
  if (value.size() > kMostItems) return fault("env", "more than 4096 variables");
  for (const auto& [name, content] : value.items()) {
    std::string text;
    TRY(read_text(content, std::string("env.").append(name), text));
    if (name.empty() || name.find('=') != std::string::npos ||
        name.find('\0') != std::string::npos) {
      return fault("env", "\"" + name + "\" can't be a variable's name");
    }
    env.push_back(std::string(name).append("=").append(text));
  }
  return {};
}

Result<Input> read_file_member(const Json& value, const std::string& member) {
  if (!value.is_object()) return fault(member, "not an object");
  Input input;
  bool has_content = false;
  for (const auto& [name, content] : value.items()) {
    const std::string place = place_of(member, name);
    if (name == "name") {
      TRY(read_text(content, place, input.name));
    } else if (name == "content" || name == "content_base64") {
      if (has_content) return fault(member, "content stands there twice");
      has_content = true;
      input.content = TRY(read_bytes(content, place, name == "content_base64"));
    } else {
      return fault(place, "not known");
    }
  }
  if (!has_content) return fault(member + ".content", "missing");
  if (!is_plain_name(input.name)) {
    return fault(member + ".name", "\"" + input.name + "\" is no name below the work directory");
  }
  return input;
}

Result<void> read_files(const Json& value, std::vector<Input>& inputs) {
  if (!value.is_array()) return fault("files", "not a list");
  if (value.size() > kMostItems) return fault("files", "more than 4096 items");
  for (std::size_t i = 0; i < value.size(); ++i) {
    auto input = TRY(read_file_member(value[i], "files[" + std::to_string(i) + "]"));
    for (const auto& known : inputs) {
      if (known.name == input.name) return fault("files", "\"" + input.name + "\" comes twice");
    }
    inputs.push_back(std::move(input));
  }
  return {};
}

// By the names of the record: wall_time_ms, memory_bytes, ...
Result<void> read_limits(const Json& value, const std::string& member, LimitOptions& limits) {
  if (!value.is_object()) return fault(member, "not an object");
  const auto& table = limit_table();
  for (const auto& [name, number] : value.items()) {
    const std::string place = place_of(member, name);
    std::size_t row = 0;
    while (row < table.size() && table[row].field != name) ++row;
    if (row == table.size()) return fault(place, "not known");
    if (table[row].unit == Unit::kProcessors) {
      const double cpus = number.is_number() ? number.get<double>() : 0;
      if (!(cpus >= 0.01) || cpus > 4096) return fault(place, "not a number of processors");
      limits[row] = static_cast<std::uint64_t>(std::llround(cpus * 1000));
      continue;
    }
    const bool fits = number.is_number_integer() && number > 0 && number < std::uint64_t{1} << 62U;
    if (!fits) return fault(place, "not a whole number above 0");
    limits[row] = number.get<std::uint64_t>();
  }
  return {};
}

Result<void> read_network(const Json& value, Request& request) {
  std::string name;
  TRY(read_text(value, "network", name));
  if (name == "none") {
    request.network = Network::kNone;
  } else if (name == "proxy") {
    request.network = Network::kProxy;
  } else if (name == "host") {
    request.network = Network::kHost;
  } else {
    return fault("network", "\"" + name + "\" is not none, proxy or host");
  }
  return {};
}

Result<void> read_hosts(const Json& value, Request& request) {
  std::vector<std::string> hosts;
  TRY(read_texts(value, "allow_hosts", hosts));
  request.allowed_hosts = TRY_CONTEXT(egress::AllowList::parse(hosts), "request: allow_hosts");
  return {};
}

Result<void> keep_stdin(const std::string& bytes, Request& request, UniqueFd* kept) {
  if (kept == nullptr) return {};
  UniqueFd& file = *kept;
  file = UniqueFd(::memfd_create("langsbx-stdin", MFD_CLOEXEC));
  if (!file.valid()) return system_error("memfd_create for stdin");
  TRY(write_fd(file.get(), bytes, "stdin"));
  if (::lseek(file.get(), 0, SEEK_SET) != 0) return system_error("lseek in stdin");
  request.stdin_fd = file.get();
  return {};
}

// True when the member was one of these.
Result<bool> read_simple(const std::string& name, const Json& value, Request& request) {
  const std::array<std::pair<const char*, std::string*>, 7> texts = {
      {{"language", &request.language},
       {"file", &request.file},
       {"profile", &request.profile},
       {"preset", &request.preset},
       {"isolation", &request.isolation},
       {"setup", &request.setup},
       {"id", &request.id}}};
  for (const auto& [known, target] : texts) {
    if (name != known) continue;
    TRY(read_text(value, name, *target));
    return true;
  }
  if (name == "args") {
    TRY(read_texts(value, name, request.args));
  } else if (name == "artifacts") {
    TRY(read_texts(value, name, request.artifacts));
  } else if (name == "explain") {
    TRY(read_flag(value, name, request.explain));
  } else if (name == "run") {
    bool runs = true;
    TRY(read_flag(value, name, runs));
    request.only_judge = !runs;
  } else if (name == "cache") {
    TRY(read_flag(value, name, request.use_cache));
  } else {
    return false;
  }
  return true;
}

Result<void> read_member(const std::string& name, const Json& value, Request& request,
                         UniqueFd* stdin_file) {
  if (TRY(read_simple(name, value, request))) return {};
  if (name == "source" || name == "source_base64") {
    request.source = TRY(read_bytes(value, name, name == "source_base64"));
    return {};
  }
  if (name == "stdin" || name == "stdin_base64") {
    return keep_stdin(TRY(read_bytes(value, name, name == "stdin_base64")), request, stdin_file);
  }
  if (name == "env") return read_env(value, request.env);
  if (name == "files") return read_files(value, request.inputs);
  if (name == "limits") return read_limits(value, name, request.limits);
  if (name == "ceilings") return read_limits(value, name, request.ceilings);
  if (name == "network") return read_network(value, request);
  if (name == "allow_hosts") return read_hosts(value, request);
  return fault(name, "not known");
}

}  // namespace

Result<void> take_request(const Json& document, Request& request, UniqueFd* stdin_file) {
  if (!document.is_object()) return fault("the document", "not a JSON object");
  if (document.contains("source") == document.contains("source_base64")) {
    return fault("source", "source or source_base64 has to be there, and one of them only");
  }
  if (document.contains("stdin") && document.contains("stdin_base64")) {
    return fault("stdin", "stdin and stdin_base64 exclude each other");
  }
  request.stdin_fd = -1;
  for (const auto& [name, value] : document.items()) {
    TRY(read_member(name, value, request, stdin_file));
  }
  if (request.file.empty()) request.file = "main";
  const bool proxy = request.network == Network::kProxy;
  if (request.network && proxy == request.allowed_hosts.empty()) {
    return fault("network", "\"proxy\" and allow_hosts need each other");
  }
  TRY_CONTEXT(parse_tier(request.isolation), "request");
  return {};
}

Result<void> read_request(std::string_view text, Request& request, UniqueFd& stdin_file) {
  return take_request(Json::parse(text, nullptr, false), request, &stdin_file);
}

}  // namespace langsbx::execute
