// YAML -> Profile, driven by one table of fields; every refusal says where and what was expected.
#include <array>
#include <charconv>
#include <span>
#include <variant>

#include "languages/profile.h"
#include "languages/yaml.h"
#include "runtime/base/text_list.h"

namespace langsbx::languages {
namespace {

using Text = std::string& (*)(Profile&);
using OptionalText = std::optional<std::string>& (*)(Profile&);
using List = std::vector<std::string>& (*)(Profile&);
using OptionalList = std::optional<std::vector<std::string>>& (*)(Profile&);
using Number = std::optional<std::uint64_t>& (*)(Profile&);
using Flag = std::optional<bool>& (*)(Profile&);
using Ports = std::vector<std::uint16_t>& (*)(Profile&);
struct Patterns {};
struct Stages {};
using Target =
    std::variant<Text, OptionalText, List, OptionalList, Number, Flag, Ports, Patterns, Stages>;

struct Field {
  std::string_view path;
  std::string_view type;
  Target target;
};

#define AT(result, member) +[](Profile& profile) -> result& { return profile.member; }
using Names = std::vector<std::string>;
using MaybeNames = std::optional<Names>;
using MaybeNumber = std::optional<std::uint64_t>;
using MaybeFlag = std::optional<bool>;
using PortList = std::vector<std::uint16_t>;

constexpr std::array<Field, 48> kFields = {{
    {"name", "text", AT(std::string, name)},
    {"language", "text", AT(std::string, language)},
    {"description", "text", AT(std::string, description)},
    {"extends", "text", AT(std::string, extends)},
    {"capabilities.allow", "capabilities", AT(Names, allow)},
    {"capabilities.deny", "capabilities", AT(Names, deny)},
    {"modules.allowed", "list", AT(MaybeNames, modules.allowed)},
    {"modules.additional", "list", AT(Names, modules.additional)},
    {"modules.blocked", "list", AT(Names, modules.blocked)},
    {"modules.exclusive", "boolean", AT(MaybeFlag, modules.exclusive)},
    {"imports.allowed", "list", AT(MaybeNames, modules.allowed)},
    {"imports.additional", "list", AT(Names, modules.additional)},
    {"imports.blocked", "list", AT(Names, modules.blocked)},
    {"imports.exclusive", "boolean", AT(MaybeFlag, modules.exclusive)},
    {"commands.allowed", "list", AT(MaybeNames, commands.allowed)},
    {"commands.additional", "list", AT(Names, commands.additional)},
    {"commands.blocked", "list", AT(Names, commands.blocked)},
    {"functions.allowed", "list", AT(MaybeNames, functions.allowed)},
    {"functions.additional", "list", AT(Names, functions.additional)},
    {"functions.blocked", "list", AT(Names, functions.blocked)},
    {"attributes.blocked", "list", AT(Names, blocked_attributes)},
    {"patterns", "patterns", Patterns{}},
    {"paths.read", "list", AT(Names, paths_read)},
    {"paths.write", "list", AT(Names, paths_write)},
    {"limits.memory", "size", AT(MaybeNumber, limits.memory)},
    {"limits.cpu", "cpu", AT(MaybeNumber, limits.cpu)},
    {"limits.cpu_time", "duration", AT(MaybeNumber, limits.cpu_time)},
    {"limits.wall_time", "duration", AT(MaybeNumber, limits.wall_time)},
    {"limits.processes", "count", AT(MaybeNumber, limits.processes)},
    {"limits.files", "count", AT(MaybeNumber, limits.files)},
    {"limits.disk", "size", AT(MaybeNumber, limits.disk)},
    {"limits.output", "size", AT(MaybeNumber, limits.output)},
    {"limits.source_bytes", "size", AT(MaybeNumber, limits.source_bytes)},
    {"limits.source_nesting", "count", AT(MaybeNumber, limits.source_nesting)},
    {"landlock.read", "list", AT(Names, landlock.read)},
    {"landlock.write", "list", AT(Names, landlock.write)},
    {"landlock.execute", "list", AT(Names, landlock.execute)},
    {"landlock.connect_tcp", "ports", AT(PortList, landlock.connect_tcp)},
    {"landlock.bind_tcp", "ports", AT(PortList, landlock.bind_tcp)},
    {"landlock.scopes", "scopes", AT(Names, landlock.scopes)},
    {"landlock.best_effort", "boolean", AT(MaybeFlag, landlock.best_effort)},
    {"seccomp", "optional-text", AT(std::optional<std::string>, seccomp)},
    {"exec", "exec", AT(std::optional<std::string>, exec)},
    {"network", "network", AT(std::optional<std::string>, network)},
    {"stages.guard", "mode", Stages{}},
    {"stages.objects", "mode", Stages{}},
    {"stages.closure", "mode", Stages{}},
    {"stages.landlock", "mode", Stages{}},
}};
#undef AT

struct Unit {
  std::string_view suffix;
  std::uint64_t factor;
};

constexpr Unit kSizeUnits[] = {{"", 1},           {"k", 1000},       {"K", 1024},
                               {"M", 1U << 20U},  {"G", 1U << 30U},  {"Ki", 1024},
                               {"Mi", 1U << 20U}, {"Gi", 1U << 30U}, {"Ti", 1ULL << 40U},
                               {"KB", 1000},      {"MB", 1000000},   {"GB", 1000000000}};
constexpr Unit kDurationUnits[] = {
    {"", 1000}, {"ms", 1}, {"s", 1000}, {"m", 60000}, {"h", 3600000}};
constexpr Unit kCpuUnits[] = {{"", 1000}, {"m", 1}};
constexpr Unit kCountUnits[] = {{"", 1}};

// "1.5Gi" and the like; at most three decimals. Nothing on overflow or anything else.
std::optional<std::uint64_t> parse_number(std::string_view text, std::span<const Unit> units) {
  std::uint64_t whole = 0;
  const char* end = text.data() + text.size();
  auto [at, error] = std::from_chars(text.data(), end, whole);
  if (error != std::errc() || at == text.data()) return std::nullopt;
  std::uint64_t thousandths = 0;
  if (at != end && *at == '.') {
    ++at;
    std::uint64_t scale = 100;
    for (; at != end && *at >= '0' && *at <= '9'; ++at, scale /= 10) {
      if (scale == 0) return std::nullopt;
      thousandths += static_cast<std::uint64_t>(*at - '0') * scale;
    }
  }
  for (const Unit& unit : units) {
    if (std::string_view(at, static_cast<std::size_t>(end - at)) != unit.suffix) continue;
    if (thousandths != 0 && unit.factor == 1) return std::nullopt;
    if (whole > (UINT64_MAX / 2) / unit.factor) return std::nullopt;
    return whole * unit.factor + thousandths * unit.factor / 1000;
  }
  return std::nullopt;
}

class Reader {
 public:
  Reader(std::string file, Profile& profile) : file_(std::move(file)), profile_(profile) {}

  Result<void> mapping(const YamlNode& node, const std::string& prefix) {
    if (node.kind() != YamlNode::Kind::kMapping) {
      return expected(node, prefix.empty() ? "the profile" : prefix, "a mapping of fields");
    }
    for (const auto& [key, value] : node.pairs()) {
      if (key.kind() != YamlNode::Kind::kScalar) return expected(key, prefix, "a field's name");
      const std::string path =
          prefix.empty() ? std::string(key.scalar()) : prefix + "." + std::string(key.scalar());
      if (prefix.empty()) profile_.places[path] = where(key);
      TRY(member(key, value, path, prefix));
    }
    return {};
  }

 private:
  Result<void> member(const YamlNode& key, const YamlNode& value, const std::string& path,
                      const std::string& prefix) {
    for (const Field& field : kFields) {
      const std::string_view known = field.path;
      if (known == path) return read(field, value);
      if (known.size() > path.size() && known.starts_with(path) && known[path.size()] == '.') {
        return mapping(value, path);
      }
    }
    return make_error(ErrorKind::kInvalidInput, where(key) + "unknown field '" + path +
                                                    "', expected one of: " + siblings(prefix));
  }

  Result<void> read(const Field& field, const YamlNode& value) {
    if (const Text* text = std::get_if<Text>(&field.target)) {
      (*text)(profile_) = TRY(scalar(field, value, "text"));
    } else if (const OptionalText* optional = std::get_if<OptionalText>(&field.target)) {
      (*optional)(profile_) = TRY(scalar(field, value, "a name"));
      if (field.type == "exec") TRY(one_of(field, value, "enforce", "confine", "off"));
      if (field.type == "network") TRY(one_of(field, value, "none", "container", "host", "proxy"));
    } else if (const List* list = std::get_if<List>(&field.target)) {
      (*list)(profile_) = TRY(texts(field, value));
    } else if (const OptionalList* maybe = std::get_if<OptionalList>(&field.target)) {
      (*maybe)(profile_) = TRY(texts(field, value));
    } else if (const Number* number = std::get_if<Number>(&field.target)) {
      (*number)(profile_) = TRY(this->number(field, value));
    } else if (const Flag* flag = std::get_if<Flag>(&field.target)) {
      TRY(one_of(field, value, "true", "false"));
      (*flag)(profile_) = value.scalar() == "true";
    } else if (const Ports* ports = std::get_if<Ports>(&field.target)) {
      (*ports)(profile_) = TRY(this->ports(field, value));
    } else if (std::holds_alternative<Patterns>(field.target)) {
      TRY(patterns(value));
    } else {
      TRY(one_of(field, value, "enforce", "observe"));
      profile_.stages[std::string(field.path.substr(7))] =
          value.scalar() == "observe" ? StageMode::kObserve : StageMode::kEnforce;
    }
    return {};
  }

  Result<std::string> scalar(const Field& field, const YamlNode& value, std::string_view what) {
    if (value.kind() != YamlNode::Kind::kScalar || value.scalar().empty()) {
      return expected(value, field.path, what);
    }
    return std::string(value.scalar());
  }

  template <std::size_t... kSizes>
  Result<void> one_of(const Field& field, const YamlNode& value, const char (&... words)[kSizes]) {
    if (is_one_of(value.scalar(), words...)) return {};
    std::string list;
    ((list += (list.empty() ? "" : " or ") + std::string(words)), ...);
    return expected(value, field.path, list);
  }

  Result<std::vector<std::string>> texts(const Field& field, const YamlNode& value) {
    if (value.kind() != YamlNode::Kind::kSequence) {
      return expected(value, field.path, "a list");
    }
    std::vector<std::string> list;
    for (const YamlNode& item : value.items()) {
      std::string text = TRY(scalar(field, item, "a list of names"));
      if (field.type == "capabilities" && !capability_from(text)) {
        return expected(item, field.path, "a capability (files.read, process.spawn, ...)");
      }
      if (field.type == "scopes") TRY(one_of(field, item, "abstract-unix-socket", "signal"));
      list.push_back(std::move(text));
    }
    return list;
  }

  Result<std::optional<std::uint64_t>> number(const Field& field, const YamlNode& value) {
    std::span<const Unit> units = kCountUnits;
    std::string_view what = "a whole number";
    if (field.type == "size") {
      units = kSizeUnits;
      what = "a size such as 256Mi";
    } else if (field.type == "duration") {
      units = kDurationUnits;
      what = "a time such as 30s or 500ms";
    } else if (field.type == "cpu") {
      units = kCpuUnits;
      what = "processors such as 0.5 or 500m";
    }
    const std::optional<std::uint64_t> parsed = parse_number(value.scalar(), units);
    if (!parsed) return expected(value, field.path, what);
    return parsed;
  }

  Result<std::vector<std::uint16_t>> ports(const Field& field, const YamlNode& value) {
    if (value.kind() != YamlNode::Kind::kSequence) {
      return expected(value, field.path, "a list of ports");
    }
    std::vector<std::uint16_t> list;
    for (const YamlNode& item : value.items()) {
      const std::optional<std::uint64_t> port = parse_number(item.scalar(), kCountUnits);
      if (!port || *port > 65535) return expected(item, field.path, "a port from 0 to 65535");
      list.push_back(static_cast<std::uint16_t>(*port));
    }
    return list;
  }

  Result<void> patterns(const YamlNode& value) {
    static constexpr std::pair<std::string_view, Pattern::Where> kPlaces[] = {
        {"code", Pattern::Where::kCode},
        {"string", Pattern::Where::kString},
        {"comment", Pattern::Where::kComment},
        {"command", Pattern::Where::kCommand},
        {"anywhere", Pattern::Where::kAnywhere}};
    const Field own = {"patterns", "patterns", Patterns{}};
    if (value.kind() != YamlNode::Kind::kSequence) {
      return expected(value, "patterns", "a list of {what, where, message, severity}");
    }
    for (const YamlNode& item : value.items()) {
      Pattern pattern;
      if (item.kind() != YamlNode::Kind::kMapping) {
        return expected(item, "patterns", "{what, where, message, severity}");
      }
      for (const auto& [key, member] : item.pairs()) {
        const std::string text = TRY(scalar(own, member, "text"));
        if (key.scalar() == "what") {
          pattern.what = text;
        } else if (key.scalar() == "message") {
          pattern.message = text;
        } else if (key.scalar() == "severity") {
          TRY(one_of({"patterns.severity", "", Patterns{}}, member, "error", "warning"));
          pattern.severity = text == "warning" ? Severity::kWarning : Severity::kError;
        } else if (key.scalar() == "where") {
          TRY(one_of({"patterns.where", "", Patterns{}}, member, "code", "string", "comment",
                     "command", "anywhere"));
          for (const auto& [word, place] : kPlaces) {
            if (word == text) pattern.where = place;
          }
        } else {
          return make_error(ErrorKind::kInvalidInput,
                            where(key) + "unknown field 'patterns." + std::string(key.scalar()) +
                                "', expected one of: what, where, message, severity");
        }
      }
      if (pattern.what.empty()) return expected(item, "patterns", "a 'what' that is not empty");
      profile_.patterns.push_back(std::move(pattern));
    }
    return {};
  }

  std::string where(const YamlNode& node) const { return file_ + ":" + node.position() + ": "; }

  Error expected(const YamlNode& node, std::string_view field, std::string_view what) const {
    std::string got(node.kind_name());
    if (!node.scalar().empty()) got = "'" + std::string(node.scalar().substr(0, 60)) + "'";
    return make_error(ErrorKind::kInvalidInput, where(node) + std::string(field) + ": expected " +
                                                    std::string(what) + ", got " + got);
  }

  // The fields (or groups) at the level of `prefix`, each once.
  static std::string siblings(std::string_view prefix) {
    std::string list;
    std::string_view last;
    for (const Field& field : kFields) {
      std::string_view rest = field.path;
      if (!prefix.empty()) {
        if (!rest.starts_with(prefix) || rest[prefix.size()] != '.') continue;
        rest.remove_prefix(prefix.size() + 1);
      }
      rest = rest.substr(0, rest.find('.'));
      if (rest == last) continue;
      list += (list.empty() ? "" : ", ") + std::string(rest);
      last = rest;
    }
    return list;
  }

  std::string file_;
  Profile& profile_;
};

}  // namespace

Result<Profile> read_profile(std::string_view yaml, std::string file) {
  const YamlDocument document = TRY(YamlDocument::parse(yaml, file));
  Profile profile;
  Reader reader(file, profile);
  TRY(reader.mapping(document.root(), ""));
  if (profile.name.empty()) {
    return make_error(ErrorKind::kInvalidInput, file + ":1:1: name: expected text, got nothing");
  }
  profile.file = std::move(file);
  return profile;
}

std::vector<ProfileField> profile_fields() {
  std::vector<ProfileField> fields;
  for (const Field& field : kFields) fields.push_back({field.path, field.type});
  return fields;
}

}  // namespace langsbx::languages
