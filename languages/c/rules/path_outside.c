#include <stdio.h>
#include "/etc/passwd" // expect: c-path-outside
const char *p = "/etc/" "shadow"; // expect: c-path-outside
const char *q = "\x2fproc/self/mem"; // expect: c-path-outside
const char *ratio = "/ %d";
int main() {
  fopen("../secret", "r"); // expect: c-path-outside
  fopen("/data/input", "r"); // expect: c-path-outside
  fopen("/tmp/x", "w");
  fopen("input.txt", "r");
  remove("/dev/null");
  return 0;
}
