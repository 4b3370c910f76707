#include "cmd/langsbxd/key_command.h"

#include <boost/program_options.hpp>
#include <iostream>

#include "cmd/langsbxd/keys.h"
#include "runtime/execute/limits.h"

namespace langsbx::serve {
namespace {

namespace po = boost::program_options;
using Texts = std::vector<std::string>;

po::options_description described() {
  po::options_description options("Options");
  auto add = options.add_options();
  add("keys", po::value<std::string>()->default_value("/etc/langsbx/keys.json"),
      "the file of keys");
  add("name", po::value<std::string>()->default_value(""), "of add: what its owner calls it");
  add("language", po::value<Texts>(), "of add: allow this one; may be repeated (default: all)");
  add("profile", po::value<Texts>(), "of add: allow this one (default: all)");
  add("tier", po::value<Texts>(), "of add: allow this one (default: all but off)");
  add("network", po::value<Texts>(), "of add: none, proxy or host (default: none)");
  add("limit", po::value<Texts>(),
      "of add: NAME=VALUE by the record's names, as wall_time_ms=5000");
  add("running", po::value<std::size_t>()->default_value(0), "of add: runs at a time");
  add("waiting", po::value<std::size_t>()->default_value(0), "of add: runs that may wait");
  add("help,h", "this text");
  return options;
}

Result<void> read_limit(const std::string& text, execute::LimitOptions& ceilings) {
  const auto equals = text.find('=');
  const auto& table = execute::limit_table();
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (equals == std::string::npos || table[i].field != text.substr(0, equals)) continue;
    const auto value = text.substr(equals + 1);
    ceilings[i] = table[i].unit == execute::Unit::kProcessors
                      ? TRY(execute::parse_cpus(value))
                      : TRY(execute::parse_size(value, "--limit " + text));
    return {};
  }
  return make_error(ErrorKind::kInvalidInput, "--limit: \"" + text + "\" is not NAME=VALUE");
}

Result<int> add(Keys keys, const po::variables_map& given, const std::string& path) {
  Key key;
  key.name = given["name"].as<std::string>();
  const auto list = [&](const char* option, Texts& target) {
    if (given.count(option) > 0) target = given[option].as<Texts>();
  };
  list("language", key.allowed.languages);
  list("profile", key.allowed.profiles);
  list("tier", key.allowed.tiers);
  list("network", key.allowed.networks);
  key.allowed.running = given["running"].as<std::size_t>();
  key.allowed.waiting = given["waiting"].as<std::size_t>();
  if (given.count("limit") > 0) {
    for (const auto& text : given["limit"].as<Texts>()) {
      TRY(read_limit(text, key.allowed.ceilings));
    }
  }
  const auto secret = TRY(keys.add(std::move(key)));
  TRY(keys.write(path));
  std::cout << secret << "\n";
  std::cerr << "langsbx serve: this key is shown once; the file keeps its hash only\n";
  return 0;
}

Result<int> list(const Keys& keys) {
  for (const auto& key : keys.all()) {
    std::cout << key.id << "\t" << key.made << "\t" << key.name << "\n";
  }
  return 0;
}

}  // namespace

Result<int> key_command(int argc, char** argv) {
  auto options = described();
  options.add_options()("words", po::value<Texts>(), "");
  po::positional_options_description places;
  places.add("words", -1);
  po::variables_map given;
  po::store(po::command_line_parser(argc, argv).options(options).positional(places).run(), given);
  po::notify(given);
  const auto words = given.count("words") > 0 ? given["words"].as<Texts>() : Texts();
  const std::string verb = words.empty() ? "" : words[0];
  if (given.count("help") > 0 || verb.empty()) {
    std::cout << "Usage: langsbx serve key add [options] | list | revoke ID\n\n" << described();
    return verb.empty() && given.count("help") == 0 ? 1 : 0;
  }
  const auto path = given["keys"].as<std::string>();
  auto keys = TRY(Keys::read(path));
  if (verb == "add") return add(std::move(keys), given, path);
  if (verb == "list") return list(keys);
  if (verb != "revoke" || words.size() != 2) {
    return make_error(ErrorKind::kInvalidInput, "key: add, list or revoke ID is wanted");
  }
  if (!keys.revoke(words[1])) {
    return make_error(ErrorKind::kNotFound, path + ": there is no key \"" + words[1] + "\"");
  }
  TRY(keys.write(path));
  return 0;
}

}  // namespace langsbx::serve
