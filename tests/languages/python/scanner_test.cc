// The tokenizer: what it makes of strings, f-strings, numbers and hostile input.
#include <gtest/gtest.h>

#include <string>

#include "languages/python/name_table.h"
#include "languages/python/names.h"
#include "languages/python/tokens.h"

namespace langsbx::languages::python {
namespace {

std::string tokens_of(std::string_view text) {
  const Scan result = scan(text, 200);
  if (result.error != nullptr) return std::string("error: ") + result.error;
  std::string out;
  for (const Token& token : result.tokens) {
    if (token.kind == TokenKind::kEnd) break;
    if (!out.empty()) out += ' ';
    out += token.kind == TokenKind::kNewline ? std::string("NL")
                                             : std::string(text.substr(token.offset, token.length));
  }
  return out;
}

TEST(PythonScanner, StringsAndPrefixes) {
  EXPECT_EQ(tokens_of("rb'a' Rb\"b\" u'c' '''d\n'e''' x'f'"),
            "rb'a' Rb\"b\" u'c' '''d\n'e''' x 'f' NL");
  EXPECT_EQ(tokens_of("'a\\'b' r'\\' ' c"), "'a\\'b' r'\\' ' c NL");
}

TEST(PythonScanner, FStringsAreOpenedUp) {
  EXPECT_EQ(tokens_of("f'a{x}b'"), "f' a { x } b ' NL");
  EXPECT_EQ(tokens_of("f'{x!r:>{w}}{{}}'"), "f' { x ! r : > { w } } {{}} ' NL");
  EXPECT_EQ(tokens_of("f'{d[\"k\"]}'"), "f' { d [ \"k\" ] } ' NL");
  EXPECT_EQ(tokens_of("f'{f\"{f'{1}'}\"}'"), "f' { f\" { f' { 1 } ' } \" } ' NL");
  EXPECT_EQ(tokens_of("f'{lambda x: 1}'"), "f' { lambda x :  1 } ' NL");
  EXPECT_EQ(tokens_of("f'{(lambda x: 1)}'"), "f' { ( lambda x : 1 ) } ' NL");
  EXPECT_EQ(tokens_of("f'{x:=5}'"), "f' { x : =5 } ' NL");
  EXPECT_EQ(tokens_of("f'\\N{DASH}{x}'"), "f' \\N{DASH} { x } ' NL");
  EXPECT_EQ(tokens_of("rf'\\{x}'"), "rf' \\ { x } ' NL");
  EXPECT_EQ(tokens_of("f'''{\nx\n}'''"), "f''' { x } ''' NL");
}

TEST(PythonScanner, NumbersEndWhereCPythonEndsThem) {
  EXPECT_EQ(tokens_of("1if x else 2"), "1 if x else 2 NL");
  EXPECT_EQ(tokens_of("0x1for x"), "0x1f or x NL");
  EXPECT_EQ(tokens_of("1e5 1.5e-3j 0b1 .5 1_000 1..real"), "1e5 1.5e-3j 0b1 .5 1_000 1. . real NL");
  EXPECT_EQ(tokens_of("1else"), "1 else NL");
}

TEST(PythonScanner, LinesAndJoins) {
  EXPECT_EQ(tokens_of("a = (1,\n 2)\n\n\nb\\\n= 3 # c\n"), "a = ( 1 , 2 ) NL b = 3 NL");
  EXPECT_EQ(tokens_of("\xEF\xBB\xBFx"), "x NL");
  EXPECT_EQ(tokens_of(""), "");
}

TEST(PythonScanner, WhatItCannotReadIsAnError) {
  for (const char* text : {"'abc", "'''abc", "(", ")", "(]", "f'{x'", "f'{'", "f'}'", "a $ b",
                           "a ? b", "x\\ y", "f'{x:", "f'{x!", "\x01", "'\n'", "f'\n'", "rf'{\\"}) {
    EXPECT_TRUE(tokens_of(text).starts_with("error")) << text;
  }
}

TEST(PythonScanner, NestingIsBounded) {
  for (const char* open : {"(", "[", "{", "f'{", "f'{x:{"}) {
    std::string text;
    for (int i = 0; i < 100000; ++i) text += open;
    const Scan result = scan(text, 200);
    EXPECT_TRUE(result.error != nullptr) << open;
    EXPECT_LT(result.tokens.size(), 2000U) << open;
  }
}

TEST(PythonScanner, EveryPrefixOfASourceIsSafeToScan) {
  const std::string text =
      "f'''{a!r:{b}}\\N{X}''' rb'\\'' 0x1f 1e-5 def f(*, x: int=3) -> y: \\\n [z]";
  for (std::size_t length = 0; length <= text.size(); ++length) {
    const std::string copy = text.substr(0, length);  // its own allocation, for the sanitizer
    EXPECT_FALSE(scan(copy, 200).tokens.empty());
  }
}

TEST(PythonNames, EveryKnownNameIsFound) {
  static_assert(kNames.size() > 300);
  for (std::uint16_t i = 1; i < kNames.size(); ++i) {
    const std::string_view text = name_text(i);
    EXPECT_EQ(text, kNames[i].text);
    EXPECT_EQ(find_name(text, hash_name(text)), i) << text;
    const std::string padded = "x" + std::string(text) + "yyyyyyyyyyyyyyyy";
    EXPECT_EQ(name_key_padded(padded.data() + 1, text.size()), name_key(text)) << text;
  }
  EXPECT_EQ(find_name("no_such_name", hash_name("no_such_name")), 0);
}

}  // namespace
}  // namespace langsbx::languages::python
