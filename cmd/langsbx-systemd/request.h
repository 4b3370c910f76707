// What langsbx asks for, read from standard input as one JSON object.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"

namespace langsbx::systemd_helper {

enum class Operation : std::uint8_t { kStart, kStop, kSet };

struct Property {
  std::string name;
  std::string signature;  // a D-Bus type: b, s, i, u, x, t, d, as, ay, a(ss)
  nlohmann::json value;
};

struct Request {
  Operation operation = Operation::kStart;
  std::string unit;
  bool user_bus = false;
  pid_t pid = 0;  // 0: none (a slice)
  std::chrono::seconds timeout{30};
  std::vector<Property> properties;
};

Result<Request> parse_request(std::string_view text);

}  // namespace langsbx::systemd_helper
