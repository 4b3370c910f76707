// Every spelling of options that clients use, and the error texts they match.
#include "cmd/langsbx/options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace langsbx::cmd {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct Values {
  std::string bundle = ".";
  std::string process;
  std::vector<std::string> env;
  bool detach = false;
  bool tty = false;
  int fds = 0;
  std::optional<std::int64_t> limit;
};

struct Outcome {
  Values values;
  Parsed parsed;
  std::string error;
};

Outcome parse(const std::vector<std::string>& args,
              Positionals positionals = Positionals::kAnywhere) {
  Outcome outcome;
  OptionTable table;
  table.text("bundle,b", &outcome.values.bundle, "DIR", "help");
  table.text("process,p", &outcome.values.process, "FILE", "help");
  table.list("env,e", &outcome.values.env, "NAME=VALUE", "help");
  table.flag("detach,d", &outcome.values.detach, "help");
  table.flag("tty,t", &outcome.values.tty, "help");
  table.count("preserve-fds", &outcome.values.fds, "help");
  table.number("pids-limit", &outcome.values.limit, "help");
  auto parsed = table.parse(args, positionals);
  if (parsed.ok())
    outcome.parsed = parsed.release_value();
  else
    outcome.error = parsed.error().to_string();
  return outcome;
}

TEST(Options, EverySpellingOfAValue) {
  for (const std::vector<std::string>& args : {std::vector<std::string>{"--bundle", "x y", "ID"},
                                               {"--bundle=x y", "ID"},
                                               {"-bundle", "x y", "ID"},
                                               {"-bundle=x y", "ID"},
                                               {"-b", "x y", "ID"},
                                               {"-b=x y", "ID"},
                                               {"-bx y", "ID"},
                                               {"ID", "--bundle", "x y"}}) {
    const Outcome got = parse(args);
    EXPECT_EQ(got.error, "") << args[0];
    EXPECT_EQ(got.values.bundle, "x y") << args[0];
    EXPECT_THAT(got.parsed.positionals, ElementsAre("ID")) << args[0];
  }
}

TEST(Options, Flags) {
  EXPECT_TRUE(parse({"--detach", "ID"}).values.detach);
  EXPECT_TRUE(parse({"-detach", "ID"}).values.detach);
  EXPECT_TRUE(parse({"--detach=true"}).values.detach);
  EXPECT_FALSE(parse({"--detach=false"}).values.detach);
  const Outcome both = parse({"-td", "ID"});
  EXPECT_TRUE(both.values.tty && both.values.detach);
  EXPECT_THAT(both.parsed.positionals, ElementsAre("ID"));
  EXPECT_THAT(parse({"--detach", "true"}).parsed.positionals, ElementsAre("true"));
  EXPECT_TRUE(parse({"-d=true"}).values.detach);
  EXPECT_FALSE(parse({"-d", "--detach=0"}).values.detach);
  EXPECT_FALSE(parse({"-td=false"}).values.detach);
  EXPECT_TRUE(parse({"-td=false"}).values.tty);
}

TEST(Options, NumbersAndLists) {
  EXPECT_EQ(parse({"--pids-limit", "-1"}).values.limit, -1);
  EXPECT_EQ(parse({"--pids-limit=0"}).values.limit, 0);
  EXPECT_FALSE(parse({}).values.limit.has_value());
  EXPECT_EQ(parse({"--preserve-fds", "3"}).values.fds, 3);
  EXPECT_EQ(parse({"--preserve-fds", "-1"}).error, "invalid value \"-1\" for flag -preserve-fds");
  EXPECT_EQ(parse({"--pids-limit", "1x"}).error, "invalid value \"1x\" for flag -pids-limit");
  EXPECT_THAT(parse({"-e", "A=1", "--env=B=-x"}).values.env, ElementsAre("A=1", "B=-x"));
  EXPECT_EQ(parse({"--bundle", "a", "--bundle", "b"}).values.bundle, "b");
  EXPECT_EQ(parse({"--bundle", ""}).values.bundle, "");
  for (const char* empty : {"--bundle=", "-b=", "--env=", "--pids-limit="}) {
    EXPECT_THAT(parse({empty}).error, HasSubstr("flag needs an argument: --")) << empty;
  }
  EXPECT_EQ(parse({"--bundle", "--tty"}).values.bundle, "--tty");
  EXPECT_EQ(parse({"-teA=b"}).values.env.front(), "A=b");
  EXPECT_EQ(parse({"--pids-limit", ""}).error, "invalid value \"\" for flag -pids-limit");
  EXPECT_NE(parse({"--pids-limit", "9223372036854775808"}).error, "");
  EXPECT_NE(parse({"--preserve-fds", "2147483648"}).error, "");
}

TEST(Options, WhatMustNotBeEmpty) {
  for (const std::vector<std::string>& args :
       {std::vector<std::string>{"--profile", ""}, {"--profile="}, {"--profile"}}) {
    std::string profile;
    OptionTable table;
    table.filled("profile", &profile, "NAME", "help");
    const auto parsed = table.parse(args, Positionals::kAnywhere);
    ASSERT_FALSE(parsed.ok()) << args.size();
    EXPECT_EQ(parsed.error().message, "flag needs an argument: --profile");
  }
}

TEST(Options, AListBeginsWithItsFirstValue) {
  std::vector<std::string> list = {"default"};
  OptionTable table;
  table.list("env,e", &list, "NAME", "help");
  EXPECT_TRUE(table.parse(std::vector<std::string>{"-e", "a", "--env=b"}, {}).ok());
  EXPECT_THAT(list, ElementsAre("a", "b"));
}

TEST(Options, TheProgramKeepsItsOptions) {
  const auto exec = [](const std::vector<std::string>& args) {
    return parse(args, Positionals::kEndOptions);
  };
  const Outcome plain = exec({"-d", "--env", "A=b", "ID", "ls", "--bundle", "-d"});
  EXPECT_THAT(plain.parsed.positionals, ElementsAre("ID", "ls", "--bundle", "-d"));
  EXPECT_TRUE(plain.values.detach);
  EXPECT_EQ(plain.values.bundle, ".");
  // A value that is the name of another option, and one that looks like an option.
  EXPECT_THAT(exec({"--process", "tty", "ID", "x"}).parsed.positionals, ElementsAre("ID", "x"));
  EXPECT_THAT(exec({"-p", "-", "ID"}).parsed.positionals, ElementsAre("ID"));
  EXPECT_THAT(exec({"-pfile", "ID", "-t"}).parsed.positionals, ElementsAre("ID", "-t"));
  EXPECT_THAT(exec({"-te", "A=b", "ID", "-d"}).parsed.positionals, ElementsAre("ID", "-d"));
  EXPECT_THAT(exec({"-t", "--", "ID", "-d"}).parsed.positionals, ElementsAre("ID", "-d"));
  EXPECT_THAT(exec({"--", "-d"}).parsed.positionals, ElementsAre("-d"));
  EXPECT_THAT(exec({}).parsed.positionals, IsEmpty());
}

TEST(Options, ErrorsThatClientsMatch) {
  EXPECT_EQ(parse({"--bundle"}).error, "flag needs an argument: --bundle");
  EXPECT_EQ(parse({"-bundle"}).error, "flag needs an argument: --bundle");
  EXPECT_THAT(parse({"-b"}).error, HasSubstr("flag needs an argument: -"));
  EXPECT_EQ(parse({"--bundel", "x"}).error, "flag provided but not defined: -bundel");
  EXPECT_EQ(parse({"--bun", "x"}).error, "flag provided but not defined: -bun");
  EXPECT_EQ(parse({"--detach=maybe"}).error, "invalid boolean value \"maybe\" for flag -detach");
  EXPECT_EQ(parse({"-x=1"}).error, "flag provided but not defined: -x");
  EXPECT_EQ(parse({"-tx"}).error, "flag provided but not defined: -tx");
  EXPECT_EQ(parse({"--=x"}).error, "flag provided but not defined: -");
}

TEST(Options, HelpListsAll) {
  EXPECT_TRUE(parse({"--help"}).parsed.help);
  EXPECT_TRUE(parse({"-h"}).parsed.help);
  OptionTable table;
  std::string target;
  table.text("bundle,b", &target, "DIR", "the bundle");
  EXPECT_EQ(table.help(), "   --bundle DIR, -b DIR  the bundle\n");
}

}  // namespace
}  // namespace langsbx::cmd
