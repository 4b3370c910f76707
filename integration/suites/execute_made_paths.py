"""Paths that a program makes while it runs, which no judge of source sees: the kernel refuses what lies outside."""
import json
import os
import shutil

from harness.case import Skip, each, equal, expect, needs, only, slow

USER = 12350
WHO = {f"{tier}_{who}": (tier, who == "user") for tier in ("container", "light") for who in ("root", "user")}
C = """#include <stdio.h>
#include <string.h>
int main(int argc, char** argv) {
  for (int i = 1; i + 1 < argc; i += 2) {
    char path[512] = "";
    size_t size = strlen(argv[i]);
    for (size_t n = 0; n < size; n++) path[n] = argv[i][size - 1 - n];
    puts(fopen(path, argv[i + 1]) != NULL ? "opened" : "refused");
  }
  return 0;
}
"""
GO = """package main

import (
	"fmt"
	"os"
)

func main() {
	for i := 1; i+1 < len(os.Args); i += 2 {
		path := ""
		for _, letter := range os.Args[i] {
			path = string(letter) + path
		}
		flags := os.O_RDONLY
		if os.Args[i+1] == "w" {
			flags = os.O_RDWR | os.O_CREATE
		}
		if _, err := os.OpenFile(path, flags, 0o600); err != nil {
			fmt.Println("refused")
		} else {
			fmt.Println("opened")
		}
	}
}
"""
RUST = """use std::fs::OpenOptions;
fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    for pair in words.chunks(2) {
        let path: String = pair[0].chars().rev().collect();
        let write = pair[1] == "w";
        let file = OpenOptions::new().read(true).write(write).create(write).open(path);
        println!("{}", if file.is_ok() { "opened" } else { "refused" });
    }
}
"""
JAVA = """import java.io.RandomAccessFile;
public class Main {
    public static void main(String[] words) {
        for (int i = 0; i + 1 < words.length; i += 2) {
            String path = new StringBuilder(words[i]).reverse().toString();
            try (RandomAccessFile file = new RandomAccessFile(path, words[i + 1].equals("w") ? "rw" : "r")) {
                System.out.println("opened");
            } catch (Exception e) {
                System.out.println("refused");
            }
        }
    }
}
"""
PYTHON = """import sys
for path, mode in zip(sys.argv[1::2], sys.argv[2::2]):
    try:
        with open(path[::-1], mode):
            print("opened")
    except OSError:
        print("refused")
"""
NODE = """const fs = require('fs');
const words = process.argv.slice(2);
for (let i = 0; i + 1 < words.length; i += 2) {
  try {
    fs.openSync(words[i].split('').reverse().join(''), words[i + 1]);
    console.log('opened');
  } catch (e) {
    console.log('refused');
  }
}
"""
BASH = """while [ $# -gt 1 ]; do
  path=
  for ((i = ${#1} - 1; i >= 0; i--)); do path+=${1:i:1}; done
  if [ "$2" = r ]; then
    { : < "$path"; } 2> /dev/null && echo opened || echo refused
  else
    { : >> "$path"; } 2> /dev/null && echo opened || echo refused
  fi
  shift 2
done
"""
# The program that each needs, by its name under /usr/bin.
PROGRAMS = {"main.c": ("gcc", C), "main.cpp": ("g++", C.replace("<stdio.h>", "<cstdio>").replace("<string.h>", "<cstring>")),
            "main.go": ("go", GO), "main.rs": ("rustc", RUST), "Main.java": ("javac", JAVA), "main.py": ("python3", PYTHON),
            "main.js": ("node", NODE), "main.sh": ("bash", BASH)}


def run(it, where, name, asked):
    """What the program says of each path: a word a path."""
    tier, user = where
    tool, text = PROGRAMS[name]
    if shutil.which(tool, path="/usr/bin") is None:
        raise Skip(f"{tool} is not installed")
    folder = f"{it.folder}/runs"
    os.makedirs(folder, exist_ok=True)
    prefix = []
    if user:
        os.chown(folder, USER, USER)
        prefix = ["setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups", "--inh-caps=-all"]
    with open(f"{folder}/{name}", "w", encoding="utf-8") as handle:
        handle.write(text)
    argv = [*prefix, it.rt.path, "--root", f"{folder}/state", "execute", "--json", "--isolation", tier, f"{folder}/{name}", "--"]
    for path, mode in asked:
        argv += [path[::-1], mode]
    result = it.rt(argv=argv, cwd=folder, timeout=120, env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "TMPDIR": folder})
    expect(result.out.startswith("{"), f"no record: {result.text[-600:]}")
    made = json.loads(result.out)
    equal(made["status"], "completed", str(made)[:600])
    return made["stdout"].split()


@only("langsbx")
@needs("landlock:6")
@each(**{f"{name.replace('.', '_')}_{who}": (name, who) for name in PROGRAMS for who in WHO})
@slow(120)
def test_a_path_made_at_run_time_leads_nowhere(it, what):
    name, who = what
    secret = f"{it.folder}/secret.txt"
    with open(secret, "w", encoding="utf-8") as handle:
        handle.write("secret\n")
    os.chmod(secret, 0o666)
    os.chmod(it.folder, 0o755)
    asked = [("own.txt", "w"), ("/proc/self/mem", "w"), ("/proc/1/mem", "w"), ("/proc/self/environ", "w"), (secret, "r"),
             (secret, "w"), ("/etc/shadow", "r"), (f"../../../../../..{secret}", "r"), ("/root/.ssh/id_rsa", "w"), ("own.txt", "r")]
    said = run(it, WHO[who], name, asked)
    equal(said, ["opened", *["refused"] * 8, "opened"], "the program's own file opens, nothing else does")
    with open(secret, encoding="utf-8") as handle:
        equal(handle.read(), "secret\n")
