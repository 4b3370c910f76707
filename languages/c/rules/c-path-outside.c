#include <stdio.h>
#include "/etc/passwd" // expect: c-path-outside
const char *p = "/etc/" "shadow"; // expect: c-path-outside
const char *q = "\x2fproc/self/mem"; // expect: c-path-outside
const char *ratio = "/ %d"; // ok
int main() {
  fopen("../secret", "r"); // expect: c-path-outside
  fopen("/data/input", "r"); // expect: c-path-outside
  fopen("/tmp/x", "w"); // ok
  fopen("input.txt", "r"); // ok
  remove("/dev/null"); // ok
  return 0;
}
