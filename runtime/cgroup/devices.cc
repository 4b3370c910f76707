// Device rules: from config.json to an ordered list, and from that to v1's default and exceptions.
#include "runtime/cgroup/devices.h"

#include <algorithm>
#include <charconv>
#include <iterator>

namespace langsbx::cgroup {
namespace {

std::string field_name(std::size_t index) {
  if (index == kDefaultRule) return "default device list";
  return "linux.resources.devices[" + std::to_string(index) + "]";
}

// A letter that means nothing grants nothing and denies everything: a caller's slip ("rwa", which
// runc passes over) must not leave open what was to be closed.
Result<std::uint8_t> parse_access(const std::string& text, bool allow, std::size_t index) {
  if (text.empty()) return kMayAll;
  std::uint8_t access = 0;
  bool has_others = false;
  for (const char letter : text) {
    if (letter == 'r') {
      access |= kMayRead;
    } else if (letter == 'w') {
      access |= kMayWrite;
    } else if (letter == 'm') {
      access |= kMayMknod;
    } else {
      has_others = true;
    }
  }
  if (access == 0) {
    return make_error(ErrorKind::kInvalidInput,
                      field_name(index) + ".access: \"" + text + "\" is not made of r, w, m");
  }
  return has_others && !allow ? kMayAll : access;
}

Result<std::int64_t> parse_number(std::optional<std::int64_t> number, std::size_t index,
                                  const char* member) {
  constexpr std::int64_t kLargest = 0x7fffffff;
  const auto value = number.value_or(kEveryNumber);
  if (value < kEveryNumber || value > kLargest) {
    return make_error(ErrorKind::kInvalidInput, field_name(index) + "." + member + ": " +
                                                    std::to_string(value) + " is no device number");
  }
  return value;
}

Result<DeviceAccess> parse_rule(const oci::DeviceRule& rule, std::size_t index) {
  DeviceAccess parsed{.allow = rule.allow, .index = index};
  if (rule.type == "b") {
    parsed.type = DeviceType::kBlock;
  } else if (rule.type == "c" || rule.type == "u") {
    parsed.type = DeviceType::kChar;
  } else if (!rule.type.empty() && rule.type != "a") {
    return make_error(ErrorKind::kInvalidInput,
                      field_name(index) + ".type: \"" + rule.type + "\" is not a, b or c");
  }
  parsed.major = TRY(parse_number(rule.major, index, "major"));
  parsed.minor = TRY(parse_number(rule.minor, index, "minor"));
  parsed.access = TRY(parse_access(rule.access, rule.allow, index));
  return parsed;
}

void add_defaults(std::vector<DeviceAccess>& rules) {
  const auto allow = [&](DeviceType type, std::int64_t major, std::int64_t minor,
                         std::uint8_t access) {
    rules.push_back({.allow = true,
                     .type = type,
                     .major = major,
                     .minor = minor,
                     .access = access,
                     .index = kDefaultRule});
  };
  allow(DeviceType::kChar, kEveryNumber, kEveryNumber, kMayMknod);
  allow(DeviceType::kBlock, kEveryNumber, kEveryNumber, kMayMknod);
  allow(DeviceType::kChar, 1, 3, kMayAll);               // null
  allow(DeviceType::kChar, 1, 8, kMayAll);               // random
  allow(DeviceType::kChar, 1, 7, kMayAll);               // full
  allow(DeviceType::kChar, 5, 0, kMayAll);               // tty
  allow(DeviceType::kChar, 1, 5, kMayAll);               // zero
  allow(DeviceType::kChar, 1, 9, kMayAll);               // urandom
  allow(DeviceType::kChar, 136, kEveryNumber, kMayAll);  // pts
  allow(DeviceType::kChar, 5, 2, kMayAll);               // ptmx
  allow(DeviceType::kChar, 10, 200, kMayAll);            // tun
}

bool number_covers(std::int64_t wide, std::int64_t narrow) {
  return wide == kEveryNumber || wide == narrow;
}
bool covers(const DeviceAccess& wide, const DeviceAccess& narrow) {
  return wide.type == narrow.type && number_covers(wide.major, narrow.major) &&
         number_covers(wide.minor, narrow.minor);
}
bool meets(const DeviceAccess& a, const DeviceAccess& b) {
  return a.type == b.type && (number_covers(a.major, b.major) || number_covers(b.major, a.major)) &&
         (number_covers(a.minor, b.minor) || number_covers(b.minor, a.minor));
}

// Removes `rule` from the exceptions that go the other way.
Result<void> take_back(std::vector<DeviceAccess>& exceptions, const DeviceAccess& rule) {
  for (auto& exception : exceptions) {
    if ((exception.access & rule.access) == 0 || !meets(exception, rule)) continue;
    if (covers(rule, exception)) {
      exception.access = static_cast<std::uint8_t>(exception.access & ~rule.access);
      continue;
    }
    // A default that cannot be said stays denied, which is the stricter reading.
    if (rule.index == kDefaultRule) continue;
    return make_error(ErrorKind::kUnsupported,
                      field_name(rule.index) + ": cgroup v1 can't make \"" + device_line(rule) +
                          "\" an exception to \"" + device_line(exception) + "\"");
  }
  std::erase_if(exceptions, [](const DeviceAccess& exception) { return exception.access == 0; });
  return {};
}

void add_exception(std::vector<DeviceAccess>& exceptions, const DeviceAccess& rule) {
  for (auto& exception : exceptions) {
    if (covers(exception, rule) && covers(rule, exception)) {
      exception.access = static_cast<std::uint8_t>(exception.access | rule.access);
      return;
    }
  }
  exceptions.push_back(rule);
}

}  // namespace

Result<std::vector<DeviceAccess>> device_rules(const std::vector<oci::DeviceRule>& rules) {
  std::vector<DeviceAccess> parsed;
  parsed.reserve(rules.size() + 12);
  parsed.push_back({.allow = false, .index = kDefaultRule});
  for (std::size_t i = 0; i < rules.size(); ++i) parsed.push_back(TRY(parse_rule(rules[i], i)));
  add_defaults(parsed);
  return parsed;
}

bool only_denies_everything(const std::vector<oci::DeviceRule>& rules) {
  return std::all_of(rules.begin(), rules.end(), [](const oci::DeviceRule& rule) {
    return !rule.allow && (rule.type.empty() || rule.type == "a") &&
           rule.major.value_or(kEveryNumber) == kEveryNumber &&
           rule.minor.value_or(kEveryNumber) == kEveryNumber;
  });
}

void append_device_line(std::string& text, const DeviceAccess& rule) {
  constexpr std::size_t kLongest = 64;  // two numbers of 64 bits and what is around them
  char line[kLongest];
  char* end = line;
  const auto add_number = [&](std::int64_t value) {
    if (value == kEveryNumber) {
      *end++ = '*';
    } else {
      end = std::to_chars(end, std::end(line), value).ptr;
    }
  };
  *end++ = rule.type == DeviceType::kAll ? 'a' : rule.type == DeviceType::kBlock ? 'b' : 'c';
  *end++ = ' ';
  add_number(rule.major);
  *end++ = ':';
  add_number(rule.minor);
  *end++ = ' ';
  if ((rule.access & kMayRead) != 0) *end++ = 'r';
  if ((rule.access & kMayWrite) != 0) *end++ = 'w';
  if ((rule.access & kMayMknod) != 0) *end++ = 'm';
  text.append(line, end);
}

std::string device_line(const DeviceAccess& rule) {
  std::string line;
  append_device_line(line, rule);
  return line;
}

Result<DeviceExceptions> device_exceptions(const std::vector<DeviceAccess>& rules) {
  DeviceExceptions result;
  result.exceptions.reserve(rules.size());
  for (const auto& rule : rules) {
    if (rule.is_everything()) {
      result.default_allow = rule.allow;
      result.exceptions.clear();
      continue;
    }
    DeviceAccess part = rule;
    // v1 has no exception for both types at once.
    for (const auto type : {DeviceType::kBlock, DeviceType::kChar}) {
      if (rule.type != DeviceType::kAll && rule.type != type) continue;
      part.type = type;
      if (part.allow == result.default_allow) {
        TRY(take_back(result.exceptions, part));
      } else {
        add_exception(result.exceptions, part);
      }
    }
  }
  return result;
}

}  // namespace langsbx::cgroup
