// The texts of --help.
#pragma once

#include <string>
#include <string_view>

#include "cmd/langsbx/command.h"

namespace langsbx::cmd {

std::string program_help(std::string_view program, std::string_view options_help);
std::string command_help(std::string_view program, const Command& command,
                         std::string_view options_help);

}  // namespace langsbx::cmd
