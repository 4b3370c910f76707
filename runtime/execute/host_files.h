// Files of the host that a program is given.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/execute/request.h"

namespace langsbx::execute {

// "a.txt", "sub/a.txt": a name below a folder, each part of it a file's name.
[[nodiscard]] bool is_plain_name(std::string_view name);

struct FolderFiles {
  std::vector<Input> files;           // in the order of their names
  std::vector<std::string> warnings;  // what was left out: links that lead elsewhere, devices
};

// Every regular file below `path`, and what links lead to below it. Not with `hidden`: names that
// begin with a '.', and __pycache__.
Result<FolderFiles> read_folder(const std::string& path, bool hidden);

// "data.csv", "data.csv:name", "data.csv:sub/name", "DIR", "DIR:name": for the work directory.
Result<FolderFiles> read_input(const std::string& option);

}  // namespace langsbx::execute
