// Compiles a text with the machine's own compiler; tests skip where there is none.
#pragma once

#include <stdlib.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>

namespace langsbx::languages::elf {

// The bytes of the object file, or nothing when there is no compiler or it refuses.
inline std::optional<std::string> compiled(const std::string& text, const std::string& suffix,
                                           const std::string& options = "") {
  char folder[] = "/tmp/langsbx-elf-XXXXXX";
  if (mkdtemp(folder) == nullptr) return std::nullopt;
  const std::string source = std::string(folder) + "/a" + suffix;
  const std::string object = std::string(folder) + "/a.o";
  std::ofstream(source) << text;
  const std::string compiler = suffix == ".c" ? "gcc" : "g++";
  const std::string command = "cd " + std::string(folder) + " && " + compiler + " -w -c " +
                              options + " a" + suffix + " -o a.o >/dev/null 2>&1";
  const int status = std::system(command.c_str());
  std::optional<std::string> bytes;
  if (status == 0) {
    std::ifstream file(object, std::ios::binary);
    bytes.emplace(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  unlink(source.c_str());
  unlink(object.c_str());
  rmdir(folder);
  return bytes;
}

}  // namespace langsbx::languages::elf
