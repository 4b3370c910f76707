// What the manifests of Go, Rust and Node say about the files of a program.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace langsbx::languages {

// "module example.com/x" of a go.mod.
[[nodiscard]] std::string module_of(std::string_view manifest);

// What a Cargo.toml says of its own library.
struct CargoLibrary {
  std::string name;
  std::string path = "src/lib.rs";
  bool runs_code = false;  // a build script or a procedural macro
};

[[nodiscard]] CargoLibrary library_of(std::string_view manifest);

// The file that a package.json names for its folder, empty when it names none; nothing when it may
// say so in a way that is not read.
[[nodiscard]] std::optional<std::string> main_of(std::string_view manifest);

}  // namespace langsbx::languages
