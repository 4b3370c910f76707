// Options that turn a text or file tool into something else.
#pragma once

#include <string_view>

#include "languages/bash/commands.h"

namespace langsbx::languages::bash {

using enum OptionEffect;

inline constexpr OptionRule kOptions[] = {
    {"sort", "--compress-program", kSpawns},
    {"sort", "--output", kWrites},
    {"sort", "-o", kWrites},
    {"sort", "--temporary-directory", kWrites},
    {"sort", "-T", kWrites},
    {"sort", "--files0-from", kReads},
    {"split", "--filter", kSpawns},
    {"cp", "--target-directory", kWrites},
    {"cp", "-t", kWrites},
    {"mv", "--target-directory", kWrites},
    {"mv", "-t", kWrites},
    {"ln", "--target-directory", kWrites},
    {"ln", "-t", kWrites},
    {"install", "--target-directory", kWrites},
    {"install", "-t", kWrites},
    {"truncate", "--reference", kReads},
    {"truncate", "-r", kReads},
    {"touch", "--reference", kReads},
    {"touch", "-r", kReads},
    {"shuf", "--output", kWrites},
    {"shuf", "--random-source", kReads},
    {"sort", "--random-source", kReads},
    {"iconv", "--output", kWrites},
    {"du", "--files0-from", kReads},
    {"du", "--exclude-from", kReads},
    {"du", "-X", kReads},
    {"file", "--files-from", kReads},
    {"file", "-f", kReads},
    {"file", "--magic-file", kReads},
    {"file", "-m", kReads},
    {"shred", "--random-source", kReads},
    {"tree", "--fromfile", kReads},
    {"tar", "--checkpoint-action", kSpawns},
    {"tar", "--to-command", kSpawns},
    {"tar", "--use-compress-program", kSpawns},
    {"tar", "-I", kSpawns},
    {"tar", "--info-script", kSpawns},
    {"tar", "--new-volume-script", kSpawns},
    {"tar", "-F", kSpawns},
    {"tar", "--rsh-command", kSpawns},
    {"tar", "--rmt-command", kSpawns},
    {"tar", "--absolute-names", kOutside},
    {"tar", "-P", kOutside},
    {"zip", "--unzip-command", kSpawns},
    {"zip", "-TT", kSpawns},
    {"zip", "-T", kSpawns},
    {"install", "--strip-program", kSpawns},
    {"install", "--mode", kMode},
    {"install", "-m", kMode},
    {"mkdir", "--mode", kMode},
    {"mkdir", "-m", kMode},
    {"diff", "--from-file", kReads},
    {"diff", "--to-file", kReads},
    {"grep", "--file", kReads},
    {"grep", "-f", kReads},
    {"date", "--file", kReads},
    {"date", "-f", kReads},
    {"date", "--reference", kReads},
    {"date", "-r", kReads},
    {"date", "--set", kAdmin},
    {"date", "-s", kAdmin},
    {"hostname", "--file", kAdmin},
    {"hostname", "-F", kAdmin},
    {"hostname", "-b", kAdmin},
    {"wc", "--files0-from", kReads},
    {"file", "--compile", kWrites},
    {"file", "-C", kWrites},
    {"iconv", "-o", kWrites},
    {"shuf", "-o", kWrites},
    {"xxd", "-r", kWrites},
    {"xmllint", "--shell", kSpawns},
    {"yq", "-i", kWrites},
    {"patch", "-e", kSpawns},
    {"patch", "--ed", kSpawns},
    {"time", "-o", kWrites},
    {"time", "--output", kWrites},
    {"rg", "--pre", kSpawns},
    {"rg", "--hostname-bin", kSpawns},
    {"jq", "-L", kReads},
    {"jq", "-f", kReads},
    {"jq", "--from-file", kReads},
    {"tree", "-o", kWrites},
    {"history", "-w", kWrites},
    {"history", "-a", kWrites},
    {"history", "-r", kRunsFile},
    {"history", "-n", kRunsFile},
    {"fc", "-e", kSpawns},
    {"shopt", "expand_aliases", kRunsFile},
    // cd d: where the variable d says.
    {"shopt", "cdable_vars", kOutside},
};

// Short options with a value of their own: behind such a letter the rest of a cluster is that.
struct ValuedLetters {
  std::string_view command;
  std::string_view letters;
};
inline constexpr ValuedLetters kValued[] = {
    {"sort", "kStTo"},
    {"split", "abClnt"},
    {"tar", "bCfFgHIKLNTVX"},
    {"cp", "St"},
    {"mv", "St"},
    {"ln", "St"},
    {"install", "gmoSt"},
    {"mkdir", "mZ"},
    {"diff", "CFILSUWxXD"},
    {"grep", "ABCDdefm"},
    {"date", "dfIrs"},
    {"hostname", "F"},
    {"touch", "dtr"},
    {"truncate", "osr"},
    {"file", "eFfmP"},
    {"iconv", "fto"},
    {"shuf", "ino"},
    {"xxd", "cglosR"},
    {"du", "BdtX"},
    {"jq", "fL"},
    {"tree", "LPIHTo"},
    {"patch", "BDFgioprVYz"},
    {"time", "fo"},
    {"zip", "bdinOPstxZ"},
    {"history", "anrwps"},
    {"fc", "e"},
};

constexpr bool has_options(std::string_view command) {
  for (const OptionRule& rule : kOptions) {
    // Compilers count the steps of what they evaluate.
    if (rule.command.size() == command.size() && rule.command == command) return true;
  }
  return false;
}

// Whether an argument nobody knows may start a program.
constexpr bool may_spawn(std::string_view command) {
  for (const OptionRule& rule : kOptions) {
    if (rule.command == command && rule.effect == kSpawns) return true;
  }
  return false;
}

}  // namespace langsbx::languages::bash
