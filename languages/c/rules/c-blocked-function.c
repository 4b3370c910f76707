#include <stdio.h>
#include <stdlib.h>
int (*run)(const char *) = system; // expect: c-blocked-function
int system(const char *);          // expect: c-blocked-function
#define S system                   // expect: c-blocked-function
struct list { int link; void (*remove)(void); };
static void send(int x) { (void)x; }
int link = 3; // ok
int main() {
  send(link); // ok
  struct list l; l.remove(); // ok
  popen("ls", "r");      // expect: c-blocked-function
  getenv("API_KEY");     // expect: c-blocked-function
  fopen("data.txt", "w"); // ok
  kill(1, 9);            // expect: c-blocked-function
  return 0;
}
