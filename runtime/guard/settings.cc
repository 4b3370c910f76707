// Settling who may say what.
#include "runtime/guard/settings.h"

#include <algorithm>
#include <cerrno>

#include "languages/yaml.h"
#include "runtime/base/text.h"
#include "runtime/kernel/file.h"

namespace langsbx::guard {
namespace {

using languages::YamlDocument;
using languages::YamlNode;

std::string_view name_of(Origin origin) {
  switch (origin) {
    case Origin::kEnvironment:
      return "LANGSBX_PROFILE in the environment";
    case Origin::kAnnotation:
      return "annotation io.langsbx.*";
    case Origin::kFlag:
      return "--profile";
    case Origin::kRecord:
      return "the container's settings";
    case Origin::kAdministrator:
      return kConfigFile;
  }
  return "";
}

Error wrong(std::string_view file, const YamlNode& node, const std::string& expected) {
  return make_error(ErrorKind::kInvalidInput,
                    std::string(file) + ":" + node.position() + ": expected " + expected);
}

Result<std::vector<Origin>> read_loosen(const YamlNode& node, std::string_view file) {
  if (node.kind() != YamlNode::Kind::kSequence) return wrong(file, node, "a list");
  std::vector<Origin> origins;
  for (const YamlNode& item : node.items()) {
    const auto name = item.scalar();
    if (name == "flag") {
      origins.push_back(Origin::kFlag);
    } else if (name == "annotation") {
      origins.push_back(Origin::kAnnotation);
    } else if (name == "environment") {
      origins.push_back(Origin::kEnvironment);
    } else {
      return wrong(file, item, "flag, annotation or environment");
    }
  }
  return origins;
}

Result<void> read_field(const YamlNode& key, const YamlNode& value, std::string_view file,
                        Administrator& out) {
  const auto name = key.scalar();
  if (name == "loosen") {
    out.may_loosen = TRY(read_loosen(value, file));
    return {};
  }
  if (name != "mode" && name != "profile" && name != "language" && name != "exec") {
    return wrong(file, key, "mode, profile, language, exec or loosen");
  }
  if (value.kind() != YamlNode::Kind::kScalar || value.scalar().empty()) {
    return wrong(file, value, "a name");
  }
  const auto text = value.scalar();
  if (name == "mode") {
    out.request.mode = mode_from(text);
    if (!out.request.mode) return wrong(file, value, "enforce, observe or off");
  } else if (name == "exec") {
    out.request.exec = exec_policy_from(text);
    if (!out.request.exec) return wrong(file, value, "enforce, confine or off");
  } else if (name == "profile") {
    out.request.profile = text;
  } else {
    out.request.language = text;
  }
  return {};
}

Result<std::uint64_t> read_number(const YamlNode& value, std::string_view file,
                                  std::uint64_t most) {
  const auto number = to_number<std::uint64_t>(value.scalar());
  if (!number || *number > most) {
    return wrong(file, value, "a number up to " + std::to_string(most));
  }
  return *number;
}

Result<void> read_verdicts_field(const YamlNode& key, const YamlNode& value, std::string_view file,
                                 VerdictLogSettings& out) {
  constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30U;
  constexpr std::uint64_t kMostFiles = 999;
  const auto name = key.scalar();
  const auto text = value.scalar();
  if (name == "max_bytes") {
    out.most_bytes = TRY(read_number(value, file, kMostBytes));
  } else if (name == "keep") {
    out.keep = static_cast<unsigned>(TRY(read_number(value, file, kMostFiles)));
  } else if (name == "required") {
    if (text != "true" && text != "false") return wrong(file, value, "true or false");
    out.required = text == "true";
  } else if (name == "to") {
    if (text == "file") {
      out.to = VerdictTarget::kFile;
    } else if (text == "journald") {
      out.to = VerdictTarget::kJournal;
    } else if (text == "syslog") {
      out.to = VerdictTarget::kSyslog;
    } else if (text == "off") {
      out.to = VerdictTarget::kOff;
    } else {
      return wrong(file, value, "file, journald, syslog or off");
    }
  } else if (name == "socket") {
    if (!text.starts_with('/')) return wrong(file, value, "an absolute path");
    out.socket = text;
  } else {
    return wrong(file, key, "to, max_bytes, keep, required or socket");
  }
  return {};
}

Result<void> read_landlock_field(const YamlNode& key, const YamlNode& value, std::string_view file,
                                 Administrator& out) {
  if (key.scalar() == "loosen") {
    out.may_loosen_landlock = TRY(read_loosen(value, file));
    return {};
  }
  if (key.scalar() != "mode") return wrong(file, key, "mode or loosen");
  const bool is_word = value.kind() == YamlNode::Kind::kScalar;
  if (is_word) out.landlock = confine::landlock_mode_from(value.scalar());
  if (!out.landlock) return wrong(file, value, std::string(confine::kLandlockModes));
  return {};
}

class Settling {
 public:
  Settling(const Administrator& administrator, std::vector<std::string>& warnings)
      : administrator_(administrator), warnings_(warnings) {}

  Result<void> add(const Request& request) {
    const auto& loosen = administrator_.may_loosen;
    const bool may = std::find(loosen.begin(), loosen.end(), request.origin) != loosen.end();
    if (request.exec) TRY(add_exec(request, may));
    if (request.empty()) return {};
    settings_.asked = true;
    const bool enforces = request.mode.value_or(Mode::kEnforce) == Mode::kEnforce;
    if (enforces && !settings_.enforced_from) settings_.enforced_from = request.origin;
    if (!request.judged_as.empty()) settings_.judged_as = request.judged_as;
    if (request.mode) TRY(add_mode(request, may));
    TRY(add_name(request, "profile", request.profile, settings_.profile, has_profile_, may));
    if (request.profile && settings_.profile == *request.profile && !settings_.profile_from) {
      settings_.profile_from = request.origin;
    }
    // "auto" says nothing.
    const bool named = request.language && *request.language != "auto";
    if (named) {
      TRY(add_name(request, "language", request.language, settings_.language, has_language_, may));
    }
    // Asking by a profile's name asks for enforcement: an "observe" of a weaker one loosens that.
    if (!request.mode && request.profile && !settings_.mode) by_profile_ = true;
    return {};
  }

  Settings take() { return std::move(settings_); }

 private:
  Result<void> conflict(const Request& request, const std::string& what) {
    const std::string text = std::string(name_of(request.origin)) + ": " + what +
                             " would loosen what is set already; the administrator may allow it "
                             "under `loosen` in " +
                             kConfigFile;
    if (request.origin == Origin::kEnvironment) {
      warnings_.push_back(text);
      return {};
    }
    return make_error(ErrorKind::kInvalidInput, text);
  }

  Result<void> add_mode(const Request& request, bool may) {
    const bool looser = settings_.mode ? *request.mode < *settings_.mode
                                       : by_profile_ && *request.mode < Mode::kEnforce;
    if (looser && !may) {
      return conflict(request, "guard=" + std::string(to_string(*request.mode)));
    }
    settings_.mode = request.mode;
    return {};
  }

  Result<void> add_exec(const Request& request, bool may) {
    if (settings_.exec && *request.exec < *settings_.exec && !may) {
      return conflict(request, "exec=" + std::string(to_string(*request.exec)));
    }
    settings_.exec = request.exec;
    return {};
  }

  Result<void> add_name(const Request& request, const char* what,
                        const std::optional<std::string>& value, std::string& target, bool& has,
                        bool may) {
    if (!value) return {};
    if (has && target != *value && !may) return conflict(request, what + ("=" + *value));
    target = *value;
    has = true;
    return {};
  }

  const Administrator& administrator_;
  std::vector<std::string>& warnings_;
  Settings settings_;
  bool has_profile_ = false;
  bool has_language_ = false;
  bool by_profile_ = false;
};

std::optional<std::string> value_of(const std::map<std::string, std::string>& annotations,
                                    const char* name) {
  const auto place = annotations.find(name);
  if (place == annotations.end()) return std::nullopt;
  return place->second;
}

}  // namespace

std::string_view to_string(Mode mode) {
  return mode == Mode::kOff ? "off" : mode == Mode::kObserve ? "observe" : "enforce";
}

std::optional<Mode> mode_from(std::string_view text) {
  for (const Mode mode : {Mode::kOff, Mode::kObserve, Mode::kEnforce}) {
    if (to_string(mode) == text) return mode;
  }
  return std::nullopt;
}

std::string_view to_string(ExecPolicy policy) {
  return policy == ExecPolicy::kOff       ? "off"
         : policy == ExecPolicy::kConfine ? "confine"
                                          : "enforce";
}

std::optional<ExecPolicy> exec_policy_from(std::string_view text) {
  for (const auto policy : {ExecPolicy::kOff, ExecPolicy::kConfine, ExecPolicy::kEnforce}) {
    if (to_string(policy) == text) return policy;
  }
  return std::nullopt;
}

Result<Administrator> read_administrator(std::string_view yaml, std::string_view file) {
  const auto document = TRY(YamlDocument::parse(yaml, file));
  Administrator out;
  const YamlNode root = document.root();
  if (root.kind() != YamlNode::Kind::kMapping)
    return wrong(file, root, "a mapping with `guard`, `landlock` or `verdicts`");
  for (const auto& [key, value] : root.pairs()) {
    const auto part = key.scalar();
    if (part != "guard" && part != "landlock" && part != "verdicts") {
      return wrong(file, key, "guard, landlock or verdicts");
    }
    if (value.kind() != YamlNode::Kind::kMapping) return wrong(file, value, "a mapping");
    for (const auto& [name, field] : value.pairs()) {
      if (part == "guard") TRY(read_field(name, field, file, out));
      if (part == "landlock") TRY(read_landlock_field(name, field, file, out));
      if (part == "verdicts") TRY(read_verdicts_field(name, field, file, out.verdicts));
    }
  }
  return out;
}

Result<Administrator> administrator_of(const std::string& file) {
  constexpr std::size_t kMostConfig = 1U << 20U;
  const auto text = read_file(file, kMostConfig);
  if (text.ok()) return read_administrator(*text, file);
  if (text.error().errno_value == ENOENT || text.error().errno_value == ENOTDIR) {
    return Administrator();
  }
  return text.error();
}

Result<Request> request_of(const std::map<std::string, std::string>& annotations) {
  Request request{Origin::kAnnotation, {}, {}, {}};
  request.profile = value_of(annotations, "io.langsbx.profile");
  request.language = value_of(annotations, "io.langsbx.language");
  if (const auto mode = value_of(annotations, "io.langsbx.guard")) {
    request.mode = mode_from(*mode);
    if (!request.mode) {
      return make_error(ErrorKind::kInvalidInput, "annotation io.langsbx.guard: \"" + *mode +
                                                      "\" is not enforce, observe or off");
    }
  }
  if (const auto policy = value_of(annotations, "io.langsbx.exec")) {
    request.exec = exec_policy_from(*policy);
    if (!request.exec) {
      return make_error(ErrorKind::kInvalidInput, "annotation io.langsbx.exec: \"" + *policy +
                                                      "\" is not enforce, confine or off");
    }
  }
  return request;
}

Request request_of(const std::vector<std::string>& environment) {
  constexpr std::string_view kName = "LANGSBX_PROFILE=";
  Request request;
  for (const std::string& entry : environment) {
    if (entry.starts_with(kName)) request.profile = entry.substr(kName.size());
  }
  if (request.profile && request.profile->empty()) request.profile.reset();
  return request;
}

Result<Settings> settle(const Administrator& administrator, const std::vector<Request>& requests,
                        std::vector<std::string>& warnings) {
  Settling settling(administrator, warnings);
  TRY(settling.add(administrator.request));
  for (const Request& request : requests) TRY(settling.add(request));
  return settling.take();
}

GuardRecord record_of(const Settings& settings) {
  GuardRecord record;
  record.asked = settings.asked;
  record.profile = settings.profile;
  record.language = settings.language;
  if (settings.mode) record.mode = to_string(*settings.mode);
  if (settings.exec) record.exec = to_string(*settings.exec);
  record.judged_as = settings.judged_as;
  return record;
}

Result<Request> request_of(const GuardRecord& record) {
  Request request{Origin::kRecord, {}, {}, {}};
  if (!record.asked) return request;
  if (!record.profile.empty()) request.profile = record.profile;
  if (!record.language.empty()) request.language = record.language;
  request.judged_as = record.judged_as;
  if (!record.exec.empty()) {
    request.exec = exec_policy_from(record.exec);
    if (!request.exec) {
      return make_error(ErrorKind::kInvalidInput, "state.json: guard.exec: unknown");
    }
  }
  if (!record.mode.empty()) {
    request.mode = mode_from(record.mode);
    if (!request.mode) {
      return make_error(ErrorKind::kInvalidInput, "state.json: guard.mode: unknown");
    }
  }
  return request;
}

}  // namespace langsbx::guard
