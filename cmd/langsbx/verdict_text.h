// A verdict of the guard as a sentence, with the findings below it: what `inspect` and `verdicts`
// print of the lines of guard.jsonl and verdicts.jsonl.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace langsbx::cmd {

// "observing (bash, profile default): 5 findings in <command line>"; no line feed.
std::string verdict_sentence(const nlohmann::ordered_json& verdict);
// "  main.py:3:1: error: starts a program: os.system [python-process]", a line each.
std::string findings_text(const nlohmann::ordered_json& verdict);

// A member that is a text; else empty.
std::string text_member(const nlohmann::ordered_json& object, const char* name);

}  // namespace langsbx::cmd
