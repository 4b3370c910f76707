// What --version prints; clients parse the first lines by their prefixes.
#pragma once

#include <string>
#include <string_view>

namespace langsbx::cmd {

inline constexpr std::string_view kSpecVersion = "1.3.0";

std::string_view program_version();  // "0.1.0"
std::string_view program_commit();   // of the sources; "unknown" outside a checkout
std::string libseccomp_version();    // "2.5.4"
std::string version_text(std::string_view program);

}  // namespace langsbx::cmd
