// Real interpreters and compilers under the shipped seccomp profiles, with and without the default
// profile below them. A language whose tools are not installed is skipped.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <ostream>

#include "runtime/confine/no_new_privs.h"
#include "runtime/confine/seccomp.h"
#include "tests/support/in_child.h"

namespace langsbx::confine {
namespace {

struct Program {
  const char* profile;
  const char* needs;   // a program in PATH
  const char* script;  // for bash, in an empty directory
};
// GoogleTest looks for this name.
void PrintTo(const Program& program, std::ostream* out) {  // NOLINT(readability-identifier-naming)
  *out << program.needs;
}

constexpr Program kPrograms[] = {
    {"python", "python3", R"sh(python3 -I -c '
import asyncio, hashlib, multiprocessing, os, socket, sqlite3, ssl, subprocess, tempfile, threading
t = threading.Thread(target=lambda: None); t.start(); t.join()
with multiprocessing.Pool(2) as pool: assert pool.map(abs, [-1, -2]) == [1, 2]
asyncio.run(asyncio.sleep(0))
s = socket.socket(); s.bind(("127.0.0.1", 0)); s.close()
sqlite3.connect("x.db").execute("create table t (a)")
ssl.create_default_context(); os.urandom(8); tempfile.mkdtemp()
assert subprocess.run(["/bin/echo", "x"], capture_output=True).stdout == b"x\n"
try: os.unshare
except AttributeError: pass
socket.getaddrinfo("localhost", 80)
')sh"},
    {"bash", "bash", R"sh(
set -e
for i in $(seq 3); do echo $i; done | sort -r | head -1 >out
diff <(echo 3) out
mkdir -p a/b && cp out a/b/ && mv a/b/out a/ && ln -s out a/l && tar cf x.tar a && find a -name out | grep -q out
sleep 0.01 & wait
trap 'true' TERM; kill -TERM $$
date >/dev/null; ps >/dev/null
)sh"},
    {"c", "gcc", R"sh(
printf '#include <stdio.h>\n#include <pthread.h>\nvoid* f(void* p) { return p; }\nint main(void) { pthread_t t; if (pthread_create(&t, 0, f, 0)) return 1; pthread_join(t, 0); return puts("ok") < 0; }\n' >x.c
gcc -O1 -Wall x.c -o x -pthread && ./x)sh"},
    {"cpp", "g++", R"sh(
printf '#include <thread>\nint main() { std::thread t([] {}); t.join(); }\n' >x.cc
g++ -std=c++20 x.cc -o x -pthread && ./x)sh"},
    {"rust", "rustc", R"sh(
printf 'fn main() { std::thread::spawn(|| 1).join().unwrap(); println!("ok"); }\n' >x.rs
rustc x.rs -o x && ./x)sh"},
    {"go", "go", R"sh(
printf 'package main\nimport ("fmt"; "net")\nfunc main() { c := make(chan int); go func() { c <- 1 }(); l, err := net.Listen("tcp", "127.0.0.1:0"); if err != nil { panic(err) }; l.Close(); fmt.Println(<-c) }\n' >x.go
HOME=$PWD GOFLAGS= GOCACHE=$PWD/cache CGO_ENABLED=0 go build -o x x.go && ./x)sh"},
    {"java", "java", R"sh(
printf 'public class Main { public static void main(String[] a) throws Exception { Thread t = new Thread(() -> {}); t.start(); t.join(); new java.net.ServerSocket(0).close(); System.out.println(Runtime.version()); } }\n' >Main.java
java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC Main.java)sh"},
    {"r", "/usr/lib/R/bin/exec/R", R"sh(
printf 'x <- rnorm(100); y <- 2 * x + rnorm(100); m <- lm(y ~ x); stopifnot(abs(coef(m)[2] - 2) < 1)\nwrite.csv(data.frame(x, y), "d.csv"); stopifnot(nrow(read.csv("d.csv")) == 100)\npdf("p.pdf"); plot(x, y); invisible(dev.off()); stopifnot(file.size("p.pdf") > 1000)\n' >x.R
R_HOME=/usr/lib/R TMPDIR=$PWD /usr/lib/R/bin/exec/R --vanilla --no-echo --file=x.R)sh"},
    {"javascript", "node", R"sh(
node -e '
const fs = require("fs"), net = require("net"), cp = require("child_process"), wt = require("worker_threads");
fs.writeFileSync("x", "1"); fs.promises.readFile("x").then(() => {
  const s = net.createServer().listen(0, "127.0.0.1", () => { s.close(); });
});
if (cp.execFileSync("/bin/echo", ["x"]).toString() !== "x\n") process.exit(1);
require("crypto").randomBytes(8); new wt.Worker("1", {eval: true});
')sh"},
};

class RealPrograms : public testing::TestWithParam<Program> {};

std::string run(const SeccompPlan& plan, const Program& program, const std::string& folder) {
  return test::in_child([&]() -> std::string {
    if (::chdir(folder.c_str()) != 0) return "chdir";
    if (auto error = test::failed(set_no_new_privs()); !error.empty()) return error;
    const int log = ::open("log", O_CREAT | O_RDWR | O_TRUNC, 0600);
    const pid_t pid = ::fork();
    if (pid == 0) {
      ::dup2(log, 1);
      ::dup2(log, 2);
      ::alarm(60);
      if (!load_seccomp(plan, -1).ok()) ::_exit(98);
      ::execl("/bin/bash", "bash", "-c", program.script, nullptr);
      ::_exit(99);
    }
    int status = 0;
    ::waitpid(pid, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return "";
    std::string text(4000, '\0');
    const ssize_t count = ::pread(log, text.data(), text.size(), 0);
    text.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
    return "status " + std::to_string(status) + ": " + text;
  });
}

TEST_P(RealPrograms, RunUnderTheProfile) {
  const Program& program = GetParam();
  const std::string find = std::string("command -v ") + program.needs + " >/dev/null";
  if (::system(find.c_str()) != 0) GTEST_SKIP() << program.needs << " is not installed";
  std::string pattern = testing::TempDir() + "programs-XXXXXX";
  const std::string folder = ::mkdtemp(pattern.data());
  std::vector<SeccompSource> sources(2);
  sources[0].name = "default";
  sources[0].json = builtin_seccomp_profile("default").value();
  sources[1].name = program.profile;
  sources[1].json = builtin_seccomp_profile(program.profile).value();
  const auto plan = plan_seccomp(sources, {});
  ASSERT_TRUE(plan.ok());
  EXPECT_EQ("", run(*plan, program, folder));
  EXPECT_EQ(::system(("rm -rf " + folder).c_str()), 0);
}

INSTANTIATE_TEST_SUITE_P(Shipped, RealPrograms, testing::ValuesIn(kPrograms),
                         [](const auto& program) { return std::string(program.param.profile); });

}  // namespace
}  // namespace langsbx::confine
