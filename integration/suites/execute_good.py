"""langsbx execute: ordinary programs of each language do what they do outside: files, threads, Unicode, exit codes."""
import json
import os

from harness.case import Skip, each, equal, expect, needs, only, slow

USER = 12347

C_THREADS = """#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static void *work(void *at) { *(long *)at *= 2; return NULL; }
int main(void) {
  pthread_t threads[4];
  long numbers[4] = {1, 2, 3, 4}, sum = 0;
  for (int i = 0; i < 4; ++i) pthread_create(&threads[i], NULL, work, &numbers[i]);
  for (int i = 0; i < 4; ++i) { pthread_join(threads[i], NULL); sum += numbers[i]; }
  FILE *file = fopen("sum.txt", "w+");
  fprintf(file, "%ld", sum);
  rewind(file);
  char text[20] = "";
  if (fgets(text, sizeof text, file) == NULL) return 1;
  printf("grün %s\\n", text);
  return 3;
}
"""
CPP = """#include <algorithm>
#include <iostream>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>
int main() {
  std::map<std::string, int> counts;
  for (std::string word; std::cin >> word;) ++counts[word];
  for (const auto &[word, count] : counts) std::cout << word << count << ' ';
  try { std::vector<int>().at(1); } catch (const std::out_of_range &) { std::cout << "thrown\\n"; }
}
"""
GO = """package main

import (
	"fmt"
	"sort"
	"sync"
)

func main() {
	var lock sync.Mutex
	var group sync.WaitGroup
	squares := []int{}
	for i := 0; i < 5; i++ {
		group.Add(1)
		go func(n int) {
			defer group.Done()
			lock.Lock()
			squares = append(squares, n*n)
			lock.Unlock()
		}(i)
	}
	group.Wait()
	sort.Ints(squares)
	fmt.Println(squares, "grün")
}
"""
JAVA = """import java.util.stream.IntStream;
class Main {
  public static void main(String[] arguments) throws Exception {
    Thread thread = new Thread(() -> System.out.println("thread"));
    thread.start();
    thread.join();
    System.out.println(IntStream.rangeClosed(1, 5).map(n -> n * n).sum());
  }
}
"""
RUST = """use std::collections::HashMap;
use std::thread;
fn main() {
    let handles: Vec<_> = (0..4).map(|n| thread::spawn(move || n * n)).collect();
    let sum: i32 = handles.into_iter().map(|h| h.join().unwrap()).sum();
    let mut counts = HashMap::new();
    for word in "a b a".split(' ') {
        *counts.entry(word).or_insert(0) += 1;
    }
    println!("{} {} grün", sum, counts["a"]);
}
"""
# extension, code, stdin, stdout, exit code
ROWS = {
    "python_unicode": ("py", "name = input()\nprint('grüß', name, len(name), '日本')\n", "Jürgen\n", "grüß Jürgen 6 日本\n", 0),
    "python_threads": ("py", "from concurrent.futures import ThreadPoolExecutor\nwith ThreadPoolExecutor(4) as pool:\n"
                       "    print(sum(pool.map(lambda n: n * n, range(10))))\n", "", "285\n", 0),
    "python_library": ("py", "import collections, dataclasses, decimal, json, re, statistics\nprint(json.dumps({'a': statistics.mean([1, 3])}), "
                       "decimal.Decimal('0.1') * 3, re.sub('a+', 'b', 'caaat'), collections.Counter('aab').most_common(1))\n", "",
                       '{"a": 2} 0.3 cbt [(\'a\', 2)]\n', 0),
    "python_large": ("py", "kept = bytearray(150 << 20)\nprint(len(kept))\nraise SystemExit(9)\n", "", f"{150 << 20}\n", 9),
    "python_files": ("py", "with open('a.txt', 'w') as out:\n    out.write('x' * 5)\nwith open('a.txt') as given:\n    print(given.read())\n",
                     "", "xxxxx\n", 0),
    "python_site": ("py", "print(callable(quit))\nexit(7)\n", "", "True\n", 7),
    "bash_words": ("sh", "declare -A count\nwhile read -r word; do count[$word]=$((${count[$word]:-0} + 1)); done\n"
                   "echo \"a=${count[a]} b=${count[b]}\"\nexit 4\n", "a\nb\na\n", "a=2 b=1\n", 4),
    "javascript_promises": ("js", "const wait = (n) => new Promise((done) => setTimeout(() => done(n * 2), 5));\n"
                            "Promise.all([1, 2, 3].map(wait)).then((all) => console.log(JSON.stringify(all), 'grün'));\n", "",
                            "[2,4,6] grün\n", 0),
    "javascript_code": ("js", "process.exitCode = 6;\nconsole.log([3, 1, 2].sort().join());\n", "", "1,2,3\n", 6),
    "c_threads": ("c", C_THREADS, "", "grün 20\n", 3),
    "cpp_library": ("cpp", CPP, "b a b\n", "a1 b2 thrown\n", 0),
    "go_routines": ("go", GO, "", "[0 1 4 9 16] grün\n", 0),
    "java_streams": ("java", JAVA, "", "thread\n55\n", 0),
    "rust_threads": ("rs", RUST, "", "14 2 grün\n", 0),
    "typescript_types": ("ts", "interface Point { x: number; y: number }\nconst at = ({x, y}: Point): number => x + y;\n"
                         "console.log(at({x: 1, y: 2}) as number);\n", "", "3\n", 0),
}


@only("langsbx")
@each(**ROWS)
@slow(150)
def test_program(it, row):
    extension, code, stdin, stdout, status = row
    path = f"{it.folder}/{'Main' if extension == 'java' else 'main'}.{extension}"
    with open(path, "w", encoding="utf-8") as handle:
        handle.write(code)
    result = it.rt("execute", "--json", path, stdin=stdin, timeout=140)
    if result.code == 127:
        raise Skip(result.text.strip()[-200:])
    record = json.loads(result.out)
    equal((record["stdout"], record["exit_code"]), (stdout, status),
          f"{record['status']} {record['stderr'][-400:]} {record['violations'][:3]}")


ELSEWHERE = {f"{tier}_{who}": (tier, who == "user") for tier in ("container", "light", "off") for who in ("root", "user")
             if (tier, who) != ("container", "root")}


def all_rows(it, tier, user):
    """What is wrong in one tier, as root or as a plain user; interpreters that are missing are passed over."""
    folder = f"{it.folder}/rows"
    os.mkdir(folder)
    prefix = ["setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups", "--inh-caps=-all"] if user else []
    if user:
        os.chown(folder, USER, USER)
    faults = []
    for name, (extension, code, stdin, stdout, status) in ROWS.items():
        path = f"{folder}/{'Main' if extension == 'java' else 'main'}.{extension}"
        with open(path, "w", encoding="utf-8") as handle:
            handle.write(code)
        result = it.rt(argv=[*prefix, it.rt.path, "--root", f"{folder}/state", "execute", "--json", "--isolation", tier, path], stdin=stdin,
                       timeout=140, env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "TMPDIR": folder})
        if result.code == 127:
            continue
        record = json.loads(result.out) if result.out.startswith("{") else {"status": result.text[-300:]}
        if (record.get("stdout"), record.get("exit_code")) != (stdout, status):
            faults.append(f"{name}: {record['status']} {record.get('stderr', '')[-300:]}")
    return faults


@only("langsbx")
@needs("landlock:6")
@each(**ELSEWHERE)
@slow(200)
def test_elsewhere(it, where):
    faults = all_rows(it, *where)
    expect(not faults, "; ".join(faults))


@only("langsbx")
@needs("root", "controller:memory", "controller:pids", "path:/usr/bin/runsc")
@slow(200)
def test_behind_gvisor(it):
    faults = all_rows(it, "maximum", False)
    expect(not faults, "; ".join(faults))
