"""langsbx execute: compiled programs of several files, folders as programs and as inputs, requests."""
import json
import os

from harness.case import each, equal, expect, needs, only
from suites.execute_several import FIXED_WAYS, Program, WAYS


C = {
    "main.c": "#include <stdio.h>\n#include \"lib/text.h\"\nint main(void) { printf(\"%s %d\\n\", word(), twice(21)); return 0; }\n",
    "lib/text.h": "const char *word(void);\n#include \"more.h\"\n", "lib/more.h": "int twice(int);\n",
    "lib/text.c": "#include \"text.h\"\n#include \"hidden.h\"\nconst char *word(void) { return HIDDEN; }\n", "lib/hidden.h": "#define HIDDEN \"hidden\"\n",
    "lib/more.c": "#include \"more.h\"\nint twice(int x) { return 2 * x; }\n",
}


@only("langsbx")
@needs("path:/usr/bin/gcc")
@each(**WAYS)
def test_c(it, way):
    program = Program(it, way, C)
    program.says("main.c", "hidden 42\n")
    program.says(".", "hidden 42\n")
    program.write("lib/more.c", "#include \"more.h\"\n#include <stdlib.h>\nint twice(int x) { return system(\"id\") + x; }\n")
    made = program.record("main.c")
    equal((made["status"], made["violations"][0]["file"]), ("rejected", "lib/more.c"))


@only("langsbx")
@needs("path:/usr/bin/g++")
def test_cpp(it):
    program = Program(it, WAYS["container"], {
        "main.cpp": "#include <iostream>\n#include \"text.hpp\"\nint main() { std::cout << word() << '\\n'; }\n",
        "text.hpp": "#pragma once\n#include <string>\nstd::string word();\n", "text.cpp": "#include \"text.hpp\"\nstd::string word() { return \"hi\"; }\n"})
    program.says("main.cpp", "hi\n")


@only("langsbx")
@needs("path:/usr/bin/go")
@each(**{name: way for name, way in WAYS.items() if name != "light"})
def test_go(it, way):
    program = Program(it, way, {
        "go.mod": "module example.com/shop\n\ngo 1.19\n",
        "main.go": "package main\n\nimport (\n\t\"fmt\"\n\n\t\"example.com/shop/price\"\n)\n\nfunc main() { fmt.Println(word(), price.Of(20)) }\n",
        "word.go": "package main\n\nfunc word() string { return \"price\" }\n", "word_test.go": "package main\n\nimport \"testing\"\n\nfunc TestX(t *testing.T) {}\n",
        "price/price.go": "package price\n\nfunc Of(x int) int { return x + more }\n", "price/more.go": "package price\n\nconst more = 1\n"})
    program.says("main.go", "price 21\n")
    program.says(".", "price 21\n")


@only("langsbx")
@needs("path:/usr/bin/javac")
@each(**WAYS)
def test_java(it, way):
    program = Program(it, way, {
        "shop/Main.java": "/* The\n shop. */\npackage shop;\n\nimport shop.goods.Item;\n\npublic class Main {\n  public static void main(String[] args) {\n"
                          "    System.out.println(new Item(\"tea\").label() + \" \" + Price.of(20) + \" \" + args[0]);\n  }\n}\n",
        "shop/Price.java": "package shop;\n\nclass Price {\n  static int of(int x) { return x + 1; }\n}\n",
        "shop/goods/Item.java": "package shop.goods;\n\npublic class Item {\n  private final String name;\n  public Item(String name) { this.name = name; }\n"
                                "  public String label() { return name; }\n}\n"})
    program.says(".", "tea 21 a\n", "--entry", "shop/Main.java", args=["a"])


@only("langsbx")
@needs("path:/usr/bin/Rscript")
@each(**FIXED_WAYS)
def test_r(it, way):
    program = Program(it, way, {"main.R": "source(\"lib/text.R\")\ncat(shout(\"hi\"), readLines(\"in.txt\"), \"\\n\")\n",
                                "lib/text.R": "shout <- function(x) paste0(toupper(x), \"!\")\n", "in.txt": "input\n"})
    program.says("main.R", "HI! input \n", "--input", "in.txt")


@only("langsbx")
@needs("path:/usr/bin/rustc")
def test_rust(it):
    program = Program(it, WAYS["container"], {"main.rs": "mod text;\nfn main() { println!(\"{}\", text::word()); }\n",
                                              "text.rs": "pub fn word() -> &'static str { \"hi\" }\n"})
    program.says("main.rs", "hi\n")


@only("langsbx")
def test_a_folder_and_its_entry(it):
    cases = {
        "main": ({"main.py": "print('main')", "other.py": "print('other')"}, "main\n"),
        "package": ({"__main__.py": "import main\nprint('package')", "main.py": ""}, "package\n"),
        "source": ({"src/main.sh": "echo in src; cat data/in.txt", "data/in.txt": "input\n"}, "in src\ninput\n"),
        "only": ({"tool.py": "print(open('in.csv').read())", "in.csv": "1,2", "README.md": "text"}, "1,2\n"),
        "function": ({"tool.py": "import part\nif __name__ == '__main__':\n    print(part.WORD)\n", "part.py": "WORD = 'part'"}, "part\n"),
    }
    for name, (files, wanted) in cases.items():
        program = Program(it, WAYS["container"], {})
        for path, text in files.items():
            program.write(path, text)
        program.write(".env", "SECRET=1")
        program.says(".", wanted)
        os.rename(program.top, f"{it.folder}/{name}")
    program = Program(it, WAYS["container"], {"one.py": "print(1)", "two.py": "print(2)"})
    program.run(".").fails(".: which file starts the program? name it with --entry: one.py, two.py")
    program.says(".", "2\n", "--entry", "two.py")
    program.run(".", "--entry", "none.py").fails("--entry: none.py: not in .")
    program.run("one.py", "--entry", "one.py").fails("--entry: one.py is no folder")


@only("langsbx")
@each(**WAYS)
def test_inputs_in_folders(it, way):
    """Files and folders, below names of their own; what the program makes there is its own."""
    program = Program(it, way, {"main.py": "import os\nfor folder, folders, files in sorted(os.walk('.')):\n    print(folder, sorted(files))\n"
                                           "open('sub/deep/new.txt', 'w').write('x')\nos.remove('sub/deep/in.txt')\n",
                                "in.txt": "1", "data/a.txt": "2", "data/below/b.txt": "3", "data/.hidden": "4"})
    os.symlink("a.txt", f"{program.folder}/data/link.txt")
    os.symlink("/etc/passwd", f"{program.folder}/data/outside")
    made = program.says("main.py", ". ['main.py']\n./data ['.hidden', 'a.txt', 'link.txt']\n./data/below ['b.txt']\n./more ['a.txt']\n"
                        "./sub []\n./sub/deep ['in.txt']\n".replace("./more ['a.txt']\n", "./more []\n./more/other ['.hidden', 'a.txt', 'link.txt']\n"
                                                                    "./more/other/below ['b.txt']\n"),
                        "--input", "in.txt:sub/deep/", "--input", "data", "--input", "data:more/other")
    expect(any("data/outside: is left out: a link" in one for one in made["warnings"]), str(made["warnings"]))
    for name in ("../x", "/x", "a/../b", "a//b", "."):
        program.run("main.py", "--input", f"in.txt:{name}").fails(f"--input in.txt:{name}: {name} is no name below the work directory")
    program.run("main.py", "--input", "in.txt", "--input", "data/a.txt:in.txt").fails("--input: in.txt comes twice")
    program.run("main.py", "--input", "in.txt", "--input", "data/a.txt:in.txt/x").fails("in.txt: is wanted as a file and as a folder")


@only("langsbx")
def test_a_request_of_several_files(it):
    program = Program(it, WAYS["container"], {})
    files = [{"name": "helpers/text.py", "content": "WORD = 'hi'\n"}, {"name": "data/in.txt", "content": "input"}]
    document = {"language": "python", "file": "src/main.py", "source": "from tools import one\nprint(one.WORD, open('data/in.txt').read())\n",
                "files": [*files, {"name": "src/tools/one.py", "content": "WORD = 'one'\n"}]}

    def run(**changes):
        path = program.write("request.json", json.dumps({**document, **changes}))
        return it.rt("execute", "--json", "--request", path)
    made = json.loads(run().out)
    equal((made["status"], made["stdout"]), ("completed", "one input\n"), made["stderr"] + str(made["violations"]))
    made = json.loads(run(file="main.py", source="from helpers import text\nprint(text.WORD)\n").out)
    equal((made["status"], made["stdout"]), ("completed", "hi\n"), made["stderr"] + str(made["violations"]))
    for name in ("../x", "/x", "a//b", "", "a/./b"):
        run(files=[{"name": name, "content": ""}]).fails("request: files[0].name")


@only("langsbx")
def test_names_and_numbers(it):
    """Names as they may be, two hundred modules; one file too many is told."""
    modules = {f"part{number}.py": f"WORD = {number}\n" for number in range(200)}
    program = Program(it, WAYS["container"], {"main.py": "".join(f"import part{number}\n" for number in range(200)) + "print(part199.WORD)\n", **modules})
    program.says("main.py", "199\n")
    program.write("ä b.sh", ". './c d.sh'\n")
    program.write("c d.sh", "echo named\n")
    program.says("ä b.sh", "named\n")
    for number in range(200, 300):
        program.write(f"part{number}.py", "")
    program.write("main.py", "".join(f"import part{number}\n" for number in range(300)))
    made = program.record("main.py")
    equal((made["status"], made["violations"][0]["rule"]), ("rejected", "closure-too-large"))


@only("langsbx")
@each(**WAYS)
def test_a_copy_as_the_work_directory(it, way):
    program = Program(it, way, {"project/main.py": "open('in.txt', 'a').write('+')\nprint(open('in.txt').read(), open('.env').read())\n",
                                "project/in.txt": "1", "project/.env": "set"})
    made = program.says("project/main.py", "1+ set\n", "--workdir", "project", "--artifact", "*.txt", "--artifact-dir", "results")
    equal([one["name"] for one in made["artifacts"]], ["in.txt"])
    for name, wanted in (("project", "1"), ("results", "1+")):
        with open(f"{program.folder}/{name}/in.txt", encoding="utf-8") as handle:
            equal(handle.read(), wanted)


@only("langsbx")
def test_options_behind_the_file(it):
    program = Program(it, WAYS["container"], {"main.py": "import sys\nprint(sys.argv[1:])\n"})
    words = ["execute", f"{program.folder}/main.py"]
    it.rt(*words, "--timeout", "5").fails("--timeout stands behind FILE: options come before it")
    equal(it.rt(*words, "a", "--", "-b").ok().out, "['a', '--', '-b']\n")
    equal(it.rt(*words, "--", "-b", "--", "c").ok().out, "['-b', '--', 'c']\n")


@only("langsbx")
def test_source_and_input_by_one_stream(it):
    result = it.rt("execute", "--language", "python", "-", stdin="print(input())")
    equal(result.code, 1)
    expect("langsbx: warning: the source came by standard input" in result.err, result.err)
    quiet = it.rt("execute", "--quiet", "--language", "python", "-", stdin="print(input())")
    expect("langsbx:" not in quiet.err and "EOFError" in quiet.err, quiet.err)
    it.rt("execute", "--language", "python", "--stdin", "-", "-", stdin="print(1)").fails("--stdin -: standard input is the source already")


@only("langsbx")
def test_a_profile_brings_its_limits(it):
    program = Program(it, WAYS["container"], {"main.py": "print(1)\n"})
    limits = program.record("main.py", "--profile", "data-science")["limits"]
    equal((limits["memory_bytes"], limits["wall_time_ms"]), (4 << 30, 900_000))
    limits = program.record("main.py", "--profile", "data-science", "--preset", "strict", "--disk", "3M")["limits"]
    equal((limits["memory_bytes"], limits["disk_bytes"]), (64 << 20, 3 << 20))


@only("langsbx")
@each(container=WAYS["container"], light=WAYS["light"])
def test_bash_starts_commands_when_strict(it, way):
    """A shell that may have no other process waits for one, for half a minute."""
    program = Program(it, way, {"main.sh": "ls\necho one | cat\n"})
    program.says("main.sh", "main.sh\none\n", "--preset", "strict", "--profile", "build-tool")
