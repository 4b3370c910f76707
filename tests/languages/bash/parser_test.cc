// What the Bash parser sees: every command wherever it stands, and what it refuses.
#include "languages/bash/parser.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace langsbx::languages::bash {
namespace {

struct Parsed {
  bool ok = false;
  bool limit = false;
  std::string message;
  std::vector<std::string> names;
  std::size_t steps = 0;
};

Parsed parse(const std::string& text, std::size_t nesting = 200) {
  Script script;
  ParserLimits limits;
  limits.nesting = nesting;
  Parser parser(script, limits);
  const auto error = parser.parse(text, 0);
  Parsed parsed;
  parsed.steps = parser.steps();
  parsed.ok = !error;
  if (error) {
    parsed.limit = error->limit;
    parsed.message = error->message;
    return parsed;
  }
  for (const Command& command : script.commands) {
    if (command.kind == CommandKind::kSimple && command.words != nullptr) {
      parsed.names.emplace_back(command.words->text);
    }
  }
  return parsed;
}

using Names = std::vector<std::string>;

TEST(BashParser, FindsCommandsWhereverTheyStand) {
  EXPECT_EQ(parse("a; b && c || d | e & f").names, (Names{"a", "b", "c", "d", "e", "f"}));
  EXPECT_EQ(parse("if a; then b; elif c; then d; else e; fi").names,
            (Names{"a", "b", "c", "d", "e"}));
  EXPECT_EQ(parse("while a; do b; done; until c; do d; done").names, (Names{"a", "b", "c", "d"}));
  EXPECT_EQ(parse("for x in 1 2; do a; done; for ((i=0;i<2;i++)) { b; }").names, (Names{"a", "b"}));
  EXPECT_EQ(parse("case x in (p|q) a;; r) b ;& *) c ;;& esac").names, (Names{"a", "b", "c"}));
  EXPECT_EQ(parse("f() { a; }; function g { b; }; function h() ( c )").names,
            (Names{"a", "b", "c"}));
  EXPECT_EQ(parse("coproc X { a; }; coproc b c; ! time -p d").names, (Names{"a", "b", "d"}));
  EXPECT_EQ(parse("(a; (b)); { c; } > x").names, (Names{"a", "b", "c"}));
}

TEST(BashParser, LooksIntoEverySubstitution) {
  EXPECT_EQ(parse("x=$(a) y=\"$(b `c`)\"").names, (Names{"a", "b", "c"}));
  EXPECT_EQ(parse("e `b \\`c\\``").names, (Names{"e", "b", "c"}));
  EXPECT_EQ(parse("e ${x:-$(a)} \"${y//$(b)/${z:=`c`}}\"").names, (Names{"e", "a", "b", "c"}));
  EXPECT_EQ(parse("e <(a) >(b) x<(c)").names, (Names{"e", "a", "b", "c"}));
  EXPECT_EQ(parse("e $((1+$(a))) ${v[$(b)]} $[`c`]").names, (Names{"e", "a", "b", "c"}));
  EXPECT_EQ(parse("((x=$(a))); v[$(b)]=1; w=([$(c)]=1 $(d))").names, (Names{"a", "b", "c", "d"}));
  EXPECT_EQ(parse("[[ -n $(a) && x =~ (b|$(c)) ]]").names, (Names{"a", "c"}));
  EXPECT_EQ(parse("e $((a) ; (b))").names, (Names{"e", "a", "b"}));
}

TEST(BashParser, HereDocuments) {
  EXPECT_EQ(parse("a <<X\n$(b) `c`\nX\nd\n").names, (Names{"a", "b", "c", "d"}));
  EXPECT_EQ(parse("a <<'X'\n$(b)\nX\nd\n").names, (Names{"a", "d"}));
  EXPECT_EQ(parse("a <<-X <<Y; e\n\t$(b)\n\tX\n$(c)\nY\nd\n").names,
            (Names{"a", "e", "b", "c", "d"}));
  EXPECT_EQ(parse("a <<X\r\nb\nX\r\nc\n").names, (Names{"a", "c"}));
  EXPECT_FALSE(parse("a <<X $(b\n)\nbody\nX\n").ok);
  EXPECT_FALSE(parse("a <<X\nX\\\n\nX\n").ok);
}

TEST(BashParser, LineContinuations) {
  EXPECT_EQ(parse("echo hi\n\\env x").names, (Names{"echo", "\\env"}));
  EXPECT_EQ(parse("a &\\\n& b |\\\n| c").names, (Names{"a", "b", "c"}));
  EXPECT_EQ(parse("i\\\nf a; then b; fi").names, (Names{"a", "b"}));
  EXPECT_EQ(parse("e $\\\n(a)").names, (Names{"e", "a"}));
}

TEST(BashParser, CommentsAndQuotes) {
  EXPECT_EQ(parse("a # b; c\nd x#y").names, (Names{"a", "d"}));
  EXPECT_EQ(parse("a '$(b)' \"\\$(c)\" \\`").names, (Names{"a"}));
  EXPECT_EQ(parse("a $'it\\'s' \"$(b \")\")\"").names, (Names{"a", "b"}));
}

TEST(BashParser, RefusesWhatBashRefuses) {
  for (const char* text : {"if a; then fi",
                           "a ;; b",
                           "f() { }",
                           "( )",
                           "a | | b",
                           "a &&",
                           "'x",
                           "\"x",
                           "`x",
                           "$(x",
                           "${x",
                           "a )",
                           "}",
                           "fi",
                           "case x in a) b",
                           "for do",
                           "[[ a b ]]",
                           "[[ -f ]] x )",
                           "a <<<",
                           "while a; done",
                           "echo a(b)",
                           "function",
                           "x=(a",
                           "coproc",
                           "((1+",
                           "a <(b \"",
                           "x<(",
                           "a=(<("}) {
    EXPECT_FALSE(parse(text).ok) << text;
  }
}

TEST(BashParser, RefusesWhatShellsReadDifferently) {
  EXPECT_FALSE(parse("echo \"${x:-'}$(id)'}\"").ok);
  EXPECT_FALSE(parse("echo ${ id; }").ok);
  for (const char* text : {"x=$(cat <<EOF\nEOF id )\nEOF\n)", "cat <(cat <<EOF\nEOF id )\nEOF\n)",
                           "x=$(cat <<'EOF'\nEOF id )\nEOF\n)", "x=$( (cat <<E\nE;id)\nE\n) )",
                           "x=$(cat <<EOF\nEOF)\n# $(id)\nEOF\n)", "x=$(cat <<-E\n\tE id )\nE\n)",
                           "x=$(cat <<EOF\nEOF a \\\n)\nEOF\n)", "x=$(cat <<''\n id )\n\n)",
                           "x=$(cat <<EOF\nEOF)\n# $(id)\nEO\\\nF\n)"}) {
    EXPECT_FALSE(parse(text).ok) << text;
  }
}

TEST(BashParser, ADocumentMayEndAtTheParenthesisBehindItsDelimiter) {
  EXPECT_EQ(parse("x=$(cat <<EOF\na\nEOF)\nb").names, (Names{"cat", "b"}));
  EXPECT_EQ(parse("x=$(cat <<-'EOF'\na\n\tEOF)\nb").names, (Names{"cat", "b"}));
  EXPECT_EQ(parse("x=$(cat <<EOF\n(EOF)\nEOF\n); b").names, (Names{"cat", "b"}));
  EXPECT_EQ(parse("(cat <<EOF\nEOF)\nEOF\n); b").names, (Names{"cat", "b"}));
  EXPECT_EQ(parse("x=`cat <<EOF\nEOF)\nEOF\n`; b").names, (Names{"cat", "b"}));
}

TEST(BashParser, EscapesAreReadNowhereElse) {
  for (const char* text : {"$'$'", "a $'\\x24' b", "\\$", "\\`", "\"\\$\"", "a[\\$(", "x=$'`'"}) {
    parse(text);
    std::string many;
    for (int i = 0; i < 20000; ++i) many += std::string(text) + " ";
    parse(many);
  }
  EXPECT_TRUE(parse("echo $'$' \\$ \"\\$\"").ok);
}

TEST(BashParser, NestingIsCappedAndHostileInputLinear) {
  for (const std::string unit : {"(", "{ ", "$(", "\"$(", "${x:-", "$((", "((", "`", "if ", "[[ (",
                                 "a=(", "f() { ", "<(", "case x in a) ", "!(", "${a[", "@("}) {
    std::string text;
    for (int i = 0; i < 100001; ++i) text += unit;
    const Parsed parsed = parse(text);
    EXPECT_FALSE(parsed.ok) << unit;
    EXPECT_LT(parsed.steps, 8 * text.size() + (1U << 18U)) << unit;
  }
  std::string nested = "a";
  for (int i = 0; i < 50; ++i) nested = "{ " + nested + "; }";
  EXPECT_TRUE(parse(nested).ok);
  EXPECT_TRUE(parse(nested, 20).limit);
}

TEST(BashParser, ArithmeticThatIsNoneIsReadTwiceAtMost) {
  std::string text = "a";
  for (int i = 0; i < 40; ++i) text = "$((" + text + ") )";
  const Parsed parsed = parse("echo " + text);
  EXPECT_TRUE(parsed.limit);
  EXPECT_LT(parsed.steps, 1U << 18U);
}

}  // namespace
}  // namespace langsbx::languages::bash
