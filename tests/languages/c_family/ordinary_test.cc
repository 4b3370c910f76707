// Ordinary programs pass, and profiles differ where they say.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/languages/c_family/judged.h"

namespace langsbx::languages {
namespace {

using ::testing::HasSubstr;

constexpr const char* kC = R"(#include <stdio.h>
#include <stdlib.h>
#define MAX(a, b) ((a) > (b) ? (a) : (b))
struct node { struct node *link; int send; };
static void remove_node(struct node *n, int kill) { if (kill) free(n->link); }
int read_all(FILE *f) { char line[80]; int n = 0; while (fgets(line, sizeof line, f)) n++; return n; }
int main(int argc, char **argv) {
  FILE *in = fopen(argc > 1 ? argv[1] : "input.txt", "r");
  if (!in) { perror("input"); return EXIT_FAILURE; }
  printf("%d lines don't matter, 50%% / 2\n", MAX(read_all(in), 0));
  fclose(in);
  return 0;
}
)";

constexpr const char* kRust = R"(use std::collections::HashMap;
use std::io::{self, BufRead};
macro_rules! square { ($x:expr) => { $x * $x }; }
#[derive(Debug, Clone)]
struct Point<'a> { name: &'a str, x: f64 }
fn main() {
    let mut counts: HashMap<String, usize> = HashMap::new();
    for line in io::stdin().lock().lines() { *counts.entry(line.unwrap()).or_insert(0) += 1; }
    let data = std::fs::read_to_string("input.txt").unwrap_or_default();
    println!("{:?} {} {}", counts, square!(3), data.len());
    std::process::exit(0);
}
)";

constexpr const char* kGo = R"(package main

import (
	"bufio"
	"fmt"
	"os"
	"sort"
)

type stack[T any] struct{ items []T }

func main() {
	in := bufio.NewScanner(os.Stdin)
	words := []string{}
	for in.Scan() {
		words = append(words, in.Text())
	}
	sort.Strings(words)
	if err := os.WriteFile("out.txt", []byte(fmt.Sprint(words)), 0o644); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
)";

TEST(CompiledOrdinary, ProgramsPassDefault) {
  EXPECT_EQ(violations("c", kC), "");
  EXPECT_EQ(violations("rust", kRust), "");
  EXPECT_EQ(violations("go", kGo), "");
  EXPECT_EQ(violations("cpp",
                       "#include <iostream>\n#include <vector>\nint main() {\n"
                       "  auto v = std::vector<int>{1'000, 2};\n"
                       "  std::cout << R\"(system(\"x\"))\" << v[0] << '\\n';\n}\n"),
            "");
}

TEST(CompiledOrdinary, FilesNeedTheirCapability) {
  EXPECT_THAT(violations("c", kC, "minimal"), HasSubstr("uses fopen"));
  EXPECT_THAT(violations("rust", kRust, "minimal"), HasSubstr("std::fs::read_to_string"));
  EXPECT_EQ(violations("rust", kRust, "strict"), "");
  EXPECT_THAT(violations("go", kGo, "strict"), HasSubstr("os.WriteFile"));
  EXPECT_EQ(violations("c", kC, "strict"), "");
}

TEST(CompiledOrdinary, LocalFilesAreReferred) {
  const auto c = judged("c", "#include \"list.h\"\n").references;
  ASSERT_EQ(c.size(), 1U);
  EXPECT_EQ(c[0].candidates[0], "list.h");
  EXPECT_TRUE(c[0].required);
  const auto rust = judged("rust", "mod list;\nmod a { mod b; }\n").references;
  ASSERT_EQ(rust.size(), 2U);
  EXPECT_EQ(rust[0].candidates[0], "list.rs");
  EXPECT_EQ(rust[1].candidates[0], "a/b.rs");
}

}  // namespace
}  // namespace langsbx::languages
