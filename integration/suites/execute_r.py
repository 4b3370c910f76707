"""langsbx execute with R: what its programs do outside they do in a sandbox, in each tier, as root and as a user."""
import json
import os

from harness.case import Skip, each, equal, expect, needs, only, slow

USER = 12349
INTERPRETERS = ("/usr/lib/R/bin/exec/R", "/usr/local/lib/R/bin/exec/R", "/usr/lib64/R/bin/exec/R")
WHO = {f"{tier}_{who}": (tier, who == "user") for tier in ("container", "light") for who in ("root", "user")}
PROGRAM = """con <- file('stdin')
words <- scan(con, what = '', quiet = TRUE)
close(con)
print(table(words))
model <- lm(dist ~ speed, data = cars)
cat(round(coef(model)[['speed']], 2), '\\n')
write.csv(head(cars), 'cars.csv', row.names = FALSE)
pdf('plot.pdf')
plot(cars)
invisible(dev.off())
stopifnot(nrow(read.csv('cars.csv')) == 6, file.size('plot.pdf') > 1000)
setClass('Point', representation(x = 'numeric'))
setMethod('show', 'Point', function(object) cat('at', object@x, '\\n'))
new('Point', x = 3)
Counter <- setRefClass('Counter', fields = list(n = 'numeric'), methods = list(up = function() n <<- n + 1))
counter <- Counter$new(n = 1)
counter$up()
cat(counter$n, commandArgs(trailingOnly = TRUE), toupper('gr\\u00fcn'), '\\n')
quit(status = 3)
"""


class Runs:
    """The runtime in one tier, as root or as a plain user, in a folder of their own."""

    def __init__(self, it, tier="light", user=False):
        if not any(map(os.path.exists, INTERPRETERS)):
            raise Skip("R is not installed (r-base-core)")
        self.it, self.tier, self.folder = it, tier, f"{it.folder}/runs"
        os.makedirs(self.folder, exist_ok=True)
        self.prefix = []
        if user:
            os.chown(self.folder, USER, USER)
            self.prefix = ["setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups", "--inh-caps=-all"]

    def write(self, name, text):
        with open(f"{self.folder}/{name}", "w", encoding="utf-8") as handle:
            handle.write(text)
        return f"{self.folder}/{name}"

    def record(self, code, *options, name="main.R", args=(), **more):
        argv = [*self.prefix, self.it.rt.path, "--root", f"{self.folder}/state", "execute", "--json", "--isolation", self.tier,
                *options, self.write(name, code), "--", *args]
        result = self.it.rt(argv=argv, cwd=self.folder, timeout=60,
                            env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "TMPDIR": self.folder}, **more)
        expect(result.out.startswith("{"), f"no record: {result.text[-600:]}")
        return json.loads(result.out)


@only("langsbx")
@needs("landlock:6")
@each(**WHO)
@slow(60)
def test_an_ordinary_program(it, where):
    made = Runs(it, *where).record(PROGRAM, "--artifact", "*", args=["one", "two words"], stdin="b a b\n")
    equal((made["status"], made["exit_code"]), ("failed", 3), made["stderr"])
    expect("rror" not in made["stderr"] and "arning" not in made["stderr"], made["stderr"])
    equal(made["stdout"].split("\n"), ["words", "a b ", "1 2 ", "3.93 ", "at 3 ", "2 one two words GRÜN ", ""])
    equal(sorted(file["name"] for file in made["artifacts"]), ["cars.csv", "plot.pdf"], "R removes its temporary files")


@only("langsbx")
@needs("landlock:6")
@each(**WHO)
@slow(60)
def test_a_fault_stops_it_where_it_is(it, where):
    made = Runs(it, *where).record("cat('first\\n')\nf <- function(x) stop('no ', x)\nf(1)\ncat('never\\n')\n")
    equal((made["status"], made["exit_code"], made["stdout"]), ("failed", 1, "first\n"))
    expect("Error in f(1) : no 1" in made["stderr"], made["stderr"])


@only("langsbx")
@needs("landlock:6")
@each(default="default", strict="strict", minimal="minimal", data_science="data-science")
def test_refuses(it, profile):
    runs = Runs(it)
    for code in ("system('id')\n", "eval(parse(text = 'system(\"id\")'))\n", "sapply('id', paste0('sys', 'tem'))\n",
                 "x <- url('http://127.0.0.1/')\n", ".Internal(Sys.getenv())\n", "library(processx)\n", "readLines('/etc/passwd')\n"):
        made = runs.record(code, "--profile", profile)
        equal(made["status"], "rejected", code)
        expect(made["violations"], code)


@only("langsbx")
@needs("landlock:6")
@each(**WHO)
@slow(60)
def test_the_kernel_refuses_too(it, where):
    """The guard only observes: nothing of the host is started, read or reached all the same."""
    runs = Runs(it, *where)
    profile = runs.write("open.yaml", "name: open\nlanguage: r\nextends: default\nstages: {guard: observe}\n")
    secret = f"{it.folder}/secret"
    with open(secret, "w", encoding="utf-8") as handle:
        handle.write("secret\n")
    made = runs.record("tried <- function(e) tryCatch({ force(e); 'done' }, error = function(c) 'refused', warning = function(c) 'refused')\n"
                       "cat(tried(system('/usr/bin/expr 40 + 2', intern = TRUE)), tried(pipe('/usr/bin/expr 40 + 2', 'r')),\n"
                       f"    tried(readLines('{secret}')), tried(readLines('/etc/shadow')), tried(writeLines('x', '{it.folder}/written')),\n"
                       "    tried(socketConnection(port = 9, timeout = 1)), '\\n')\n"
                       "cat('|', file = '|/usr/bin/expr 40 + 2')\n", "--profile", profile)
    equal(made["stdout"].split(), ["refused"] * 6)
    expect("42" not in made["stdout"] + made["stderr"], made["stderr"])
    expect(not os.path.exists(f"{it.folder}/written"), "it wrote outside of its work directory")


@only("langsbx")
@needs("landlock:6")
@slow(60)
def test_what_it_sources_is_judged(it):
    runs = Runs(it, "container")
    runs.write("good.R", "twice <- function(x) 2 * x\n")
    runs.write("bad.R", "system('id')\n")
    code = "source('good.R')\ncat(twice(21), '\\n')\n"
    result = it.rt("validate", runs.write("uses_good.R", code))
    equal(result.code, 0, result.text)
    result = it.rt("validate", runs.write("uses_bad.R", "source('bad.R')\n"))
    expect(result.code != 0 and "bad.R:1:1" in result.text, result.text)


@only("langsbx")
@needs("landlock:6")
@slow(60)
def test_data_science(it):
    runs = Runs(it)
    made = runs.record("library(stats)\nlibrary(splines)\nlibrary(parallel)\n", "--profile", "data-science")
    equal(made["status"], "rejected", "parallel starts processes")
    code = ("library(splines)\nlibrary(grid)\nfit <- glm(am ~ wt, data = mtcars, family = binomial)\nset.seed(1)\n"
            "km <- kmeans(iris[, 1:4], 3)\ncat(length(km$size), fit$converged, ncol(bs(1:10, df = 4)), '\\n')\n"
            "print(aggregate(mpg ~ cyl, data = mtcars, FUN = mean))\n")
    made = runs.record(code, "--profile", "data-science")
    equal((made["status"], made["stdout"].split("\n")[0]), ("completed", "3 TRUE 4 "), made["stderr"])
