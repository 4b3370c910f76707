"""langsbx execute: programs of more than one file. What runs is what was judged, file by file."""
import json
import os

from harness.case import contains, each, equal, expect, needs, only

USER = 12345
WAYS = {"container": ("container", 0), "container-user": ("container", USER), "light": ("light", 0), "light-user": ("light", USER)}
# Shells and R read their files while they run; a plain user's light tier can't keep these from the program.
FIXED_WAYS = {name: way for name, way in WAYS.items() if name != "light-user"}
OBSERVE = ("name: open\nlanguage: {0}\ndescription: Everything passes.\nseccomp: {0}\nnetwork: none\nstages: {{guard: observe}}\n")


class Program:
    """Files in a folder, run by root or a plain user in one tier."""

    def __init__(self, it, way, files):
        self.it, (self.tier, self.uid) = it, way
        self.top = f"{it.folder}/runs"
        self.folder = f"{self.top}/program"
        os.makedirs(self.folder)
        for name, text in files.items():
            self.write(name, text)
        self.give()

    def write(self, name, text):
        path = f"{self.folder}/{name}"
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as handle:
            handle.write(text)
        return path

    def give(self):
        for where, folders, files in os.walk(self.top):
            for name in [".", *folders, *files]:
                os.chown(f"{where}/{name}", self.uid, self.uid, follow_symlinks=False)

    def run(self, name, *options, args=(), **more):
        user = ["setpriv", f"--reuid={self.uid}", f"--regid={self.uid}", "--clear-groups", "--inh-caps=-all"] if self.uid else []
        argv = [*user, self.it.rt.path, "--root", f"{self.top}/state", "execute", "--isolation", self.tier, *options, name, "--", *args]
        env = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "TMPDIR": self.top}
        return self.it.rt(argv=argv, cwd=self.folder, timeout=60, env=env, **more)

    def record(self, name, *options, **more):
        result = self.run(name, "--json", *options, **more)
        expect(result.out.startswith("{"), f"no record: {result.text[-600:]}")
        return json.loads(result.out)

    def says(self, name, wanted, *options, **more):
        made = self.record(name, *options, **more)
        equal((made["status"], made["stdout"]), ("completed", wanted), made["stderr"] + str(made["violations"]))
        return made


PYTHON = {
    "main.py": "import sys\nfrom pathlib import Path\nfrom helpers import text\nfrom helpers.numbers import double\nimport util\n"
               "here = Path(__file__).resolve().parent\nprint(text.shout('hi'), double(21), util.NAME, sys.argv[1:], __name__)\n"
               "(here / 'out.txt').write_text('beside')\nprint(text.beside(), (here / 'in.txt').read_text())\n",
    "helpers/text.py": "from pathlib import Path\nfrom . import numbers\ndef shout(x):\n    return x.upper() + '!' * numbers.double(1)\n"
                       "def beside():\n    return (Path(__file__).parent.parent / 'out.txt').read_text()\n",
    "helpers/numbers.py": "def double(x):\n    return 2 * x\n",
    "util.py": "NAME = 'util'\n",
    "in.txt": "input",
}


@only("langsbx")
@each(**WAYS)
def test_python(it, way):
    program = Program(it, way, PYTHON)
    made = program.says("main.py", "HI!! 42 util ['a'] __main__\nbeside input\n", "--input", "in.txt", "--artifact", "*", args=["a"])
    equal([one["name"] for one in made["artifacts"]], ["in.txt", "out.txt"])
    program.says("../program/main.py", "HI!! 42 util [] __main__\nbeside input\n", "--input", "in.txt")


@only("langsbx")
@each(**WAYS)
def test_python_imports_nothing_that_it_wrote(it, way):
    """Whatever stands in the work directory by then: under the name of a judged module, a new one, a part of the library."""
    program = Program(it, way, {
        "main.py": "import os\nimport one\nend = 'p' + 'y'\nfor name in ('two', 'statistics', 'three/__init__', 'package/four', 'one', 'main'):\n"
                   "    place = os.path.join(os.path.dirname(__file__), name + '.' + end)\n    os.makedirs(os.path.dirname(place), exist_ok=True)\n"
                   "    if os.path.exists(place):\n        os.remove(place)\n    with open(place, 'w') as handle:\n        handle.write('print(\"unjudged\")')\n"
                   "import statistics\nprint(statistics.mean([1, 2, 3]))\nimport late\n",
        "one.py": "", "package/__init__.py": "",
        "late.py": "import package\ntry:\n    import package.four\nexcept ImportError as error:\n    print(error)\nimport two\nprint(two.WORD)\n",
        "two.py": "WORD = 'judged'\n"})
    profile = program.write("open.yaml", OBSERVE.format("python"))
    program.says("main.py", "2\nNo module named 'package.four'\njudged\n", "--profile", profile)


@only("langsbx")
def test_python_tells_where_it_failed(it):
    program = Program(it, WAYS["container"], {"main.py": "import one\none.fail()\n", "one.py": "def fail():\n    raise ValueError('here')\n"})
    made = program.record("main.py")
    equal((made["status"], made["exit_code"]), ("failed", 1))
    equal(made["stderr"], "Traceback (most recent call last):\n  File \"/work/main.py\", line 2, in <module>\n    one.fail()\n"
          "  File \"/work/one.py\", line 2, in fail\n    raise ValueError('here')\nValueError: here\n")


BASH = {
    "main.sh": "cd \"$(dirname \"$0\")\"\n. ./lib/text.sh\nsource ./twice.sh\nshout hi \"$@\"\ntwice 21\necho made > out.txt\ncat out.txt\n"
               "mkdir folder\nmv out.txt folder/moved.txt\nrm -r folder\n",
    "lib/text.sh": "shout() { echo \"${1^^}!\" \"${@:2}\"; }\n",
    "twice.sh": "twice() { echo $(( $1 * 2 )); }\n",
}


@only("langsbx")
@each(**FIXED_WAYS)
def test_bash(it, way):
    program = Program(it, way, BASH)
    program.says("main.sh", "HI! there\n42\nmade\n", "--profile", "build-tool", args=["there"])


TRIES = """cd "$HOME"
for name in main.sh lib/one.sh; do
  echo 'echo unjudged' 2> /dev/null > "$name"; echo 'echo unjudged' 2> /dev/null >> "$name"
  rm -f "$name"; mv "$name" gone; ln -sf /dev/null "$name"; ln -f other "$name"; cp -f other "$name"; chmod 777 "$name"; truncate -s 0 "$name"
  mv -f other "$name"; dd if=other of="$name"; touch -d 2001-01-01 "$name"; cp --remove-destination other "$name"
done 2> /dev/null
mv lib lib2 2> /dev/null && mkdir lib && echo 'echo unjudged' > lib/one.sh
rm -rf lib 2> /dev/null
rmdir lib 2> /dev/null
chmod 777 . lib 2> /dev/null
ln lib/one.sh hard 2> /dev/null && echo 'echo unjudged' 2> /dev/null > hard
(umount lib/one.sh; unshare -Urm bash -c 'umount -l lib/one.sh; mount --bind other lib/one.sh') 2> /dev/null
. ./lib/one.sh
echo "beside" > lib/new.txt; cat lib/new.txt; rm lib/new.txt
"""


@only("langsbx")
@each(**FIXED_WAYS)
def test_bash_changes_none_of_its_files(it, way):
    """Written, removed, renamed, linked over, moved away with their folder: what is sourced is what was judged."""
    program = Program(it, way, {"main.sh": "echo 'echo unjudged' > other\n" + TRIES + "echo end\n", "lib/one.sh": "echo judged\n"})
    profile = program.write("open.yaml", OBSERVE.format("bash"))
    program.give()
    program.says("main.sh", "judged\nbeside\nend\n", "--profile", profile)


@only("langsbx")
def test_bash_in_a_users_light_tier(it):
    """A script by itself runs; of several files it would be unsafe, which is said with the remedy."""
    program = Program(it, WAYS["light-user"], {"one.sh": "echo one\n", **BASH})
    program.says("one.sh", "one\n")
    program.run("main.sh", "--profile", "build-tool").fails("main.sh: takes in other files while it runs")


@only("langsbx")
def test_what_is_refused_names_the_file(it):
    program = Program(it, WAYS["container"], {"main.py": "import helper\n", "helper.py": "import socket\n"})
    result = program.run("main.py")
    equal(result.code, 126)
    contains(result.err, "helper.py:1:8")
    contains(result.err, "1 | import socket")
    made = program.record("main.py")
    equal([one["file"] for one in made["violations"]], ["helper.py"])


@only("langsbx")
def test_only_the_programs_folder_is_read(it):
    """Neither by "..", by a link nor by an absolute path does a program get what lies outside of its folder."""
    program = Program(it, WAYS["container"], {"main.sh": ". ./link.sh\n", "up.js": "require('../secret.js')\n"})
    for name in ("secret.sh", "secret.js"):
        with open(f"{program.top}/{name}", "w", encoding="utf-8") as handle:
            handle.write("secret $(word\n")
    os.symlink(f"{program.top}/secret.sh", f"{program.folder}/link.sh")
    for name in ("main.sh", "up.js"):
        made = program.record(name)
        equal(made["status"], "rejected")
        equal([one["rule"] for one in made["violations"]], ["closure-missing"], str(made["violations"]))
        expect("word" not in json.dumps(made), "the secret is told")


@only("langsbx")
def test_links_inside(it):
    """As a ConfigMap mounts its files: links through a linked folder."""
    program = Program(it, WAYS["container"], {"..one/main.py": "import helper\nprint(helper.WORD)\n", "..one/helper.py": "WORD = 'linked'\n"})
    os.symlink("..one", f"{program.folder}/..data")
    for name in ("main.py", "helper.py"):
        os.symlink(f"..data/{name}", f"{program.folder}/{name}")
    program.says("main.py", "linked\n")


@only("langsbx")
def test_a_project_above(it):
    """A package.json (or go.mod, .git, ...) above the file tells where the program's folder begins."""
    program = Program(it, WAYS["container"], {"src/main.js": "console.log(require('../lib/x').word)\n", "lib/x.js": "exports.word = 'above'\n"})
    equal(program.record("src/main.js")["status"], "rejected")
    program.write("package.json", "{}")
    program.says("src/main.js", "above\n")


@only("langsbx")
def test_an_input_under_a_judged_name(it):
    program = Program(it, WAYS["container"], {"main.py": "import one\nprint(one.WORD)\n", "one.py": "WORD = 1\n", "other.py": "WORD = 2\n"})
    program.says("main.py", "1\n", "--input", "one.py")
    program.says("main.py", "2\n", "--input", "other.py:one.py")  # the caller's word stands above the folder's
    program.run("main.py", "--input", "other.py:main.py").fails("--input main.py: the program has a file of this name")


NODE = {
    "main.js": "const fs = require('fs'), path = require('path');\nconst text = require('./lib/text');\nconst data = require('./data.json');\n"
               "console.log(text.shout('hi'), data.word, process.argv[2], require.main === module, process.argv[1] === __filename);\n"
               "fs.writeFileSync(path.join(__dirname, 'out.txt'), 'beside');\nconsole.log(text.beside(), fs.readFileSync('in.txt', 'utf8'));\n"
               "import('./lib/late.mjs').then((late) => console.log(late.default));\n",
    "lib/text.js": "'use strict';\nconst fs = require('fs'), path = require('path');\nexports.shout = (x) => x.toUpperCase() + '!';\n"
                   "exports.beside = () => fs.readFileSync('out.txt', 'utf8');\n",
    "lib/late.mjs": "import { readFileSync } from 'node:fs';\nexport default readFileSync(new URL('late.txt', import.meta.url), 'utf8') + ' late';\n",
    "data.json": "{\"word\": \"json\"}", "in.txt": "input", "lib/late.txt": "input",
}


@only("langsbx")
@needs("path:/usr/bin/node")
@each(**WAYS)
def test_commonjs(it, way):
    program = Program(it, way, NODE)
    made = program.says("main.js", "HI! json a true true\nbeside input\ninput late\n", "--input", "in.txt", "--input", "data.json", "--input", "lib/late.txt:lib/late.txt", "--artifact", "*", args=["a"])
    expect("out.txt" in [one["name"] for one in made["artifacts"]], str(made["artifacts"]))


@only("langsbx")
@needs("path:/usr/bin/node")
@each(**WAYS)
def test_ecmascript_modules(it, way):
    program = Program(it, way, {
        "package.json": "{\"type\": \"module\", \"main\": \"start.js\"}",
        "start.js": "import { shout } from './lib/text.js';\nimport old from './lib/old.cjs';\nimport { readFileSync } from 'node:fs';\n"
                    "console.log(shout('hi'), old.word, readFileSync(new URL('./data/in.txt', import.meta.url), 'utf8'));\n",
        "lib/text.js": "export const shout = (x) => x.toUpperCase() + '!';\n", "lib/old.cjs": "exports.word = 'old';\n", "data/in.txt": "input"})
    program.says(".", "HI! old input\n")
    program.says("start.js", "HI! old input\n", "--input", "data")


@only("langsbx")
@needs("path:/usr/bin/node")
@each(**WAYS)
def test_javascript_takes_in_nothing_that_it_wrote(it, way):
    """`./x` means x first, then x.js; a folder's index; a module that is imported late."""
    program = Program(it, way, {
        "main.js": "const fs = require('fs'), path = require('path');\n"
                   "for (const name of ['one', 'one.js', 'two.mjs', 'lib/index.js', 'lib/package.json', 'node_modules/path/index.js', 'package.json']) {\n"
                   "  const place = path.join(__dirname, name);\n  fs.mkdirSync(path.dirname(place), { recursive: true });\n"
                   "  fs.writeFileSync(place, 'console.log(\"unjudged\")');\n}\n"
                   "console.log(require('./one').word, require('./lib').word);\nimport('./two.mjs').then((two) => console.log(two.default));\n",
        "one.js": "exports.word = 'judged';\n", "lib/index.js": "exports.word = 'index';\n", "two.mjs": "export default 'late';\n"})
    profile = program.write("open.yaml", OBSERVE.format("javascript"))
    program.give()
    program.says("main.js", "judged index\nlate\n", "--profile", profile)


@only("langsbx")
@needs("path:/usr/bin/tsc")
@each(**WAYS)
def test_typescript(it, way):
    program = Program(it, way, {
        "main.ts": "import { shout, Word } from './lib/text';\nimport { twice } from './lib/numbers.js';\nimport fs from 'fs';\nconst word: Word = 'hi';\n"
                   "console.log(shout(word), twice(21), typeof fs.readFileSync);\n",
        "lib/text.ts": "export type Word = string;\nexport const shout = (x: Word): string => x.toUpperCase() + '!';\n",
        "lib/numbers.ts": "export const twice = (x: number): number => 2 * x;\n"})
    program.says("main.ts", "HI! 42 function\n")
