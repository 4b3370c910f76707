// The spellings of options in which clients call a runtime, normalised for Boost.Program_options.
//
// --name=value, --name value, -name value (as Go's flags), -n value, -nvalue, -n=value,
// --flag=true|false, and -ab for two flags. A value is the next argument whatever it looks like;
// "--" ends the options. Nothing behind "=" is no value.
#pragma once

#include <boost/program_options/option.hpp>
#include <boost/program_options/options_description.hpp>
#include <functional>
#include <string>
#include <vector>

#include "cmd/langsbx/options.h"

namespace langsbx::cmd {

// What tells a flag from an option with a value, where either is declared.
bool is_flag(const boost::program_options::option_description& option);

// For command_line_parser::extra_style_parser(): takes the options or the positional that the
// arguments begin with, and throws Boost's errors.
std::function<std::vector<boost::program_options::option>(std::vector<std::string>&)> go_spellings(
    const boost::program_options::options_description& declared, Positionals positionals);

}  // namespace langsbx::cmd
