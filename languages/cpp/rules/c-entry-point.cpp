const char main[] = "\x90"; // expect: c-entry-point
void _start(void) {} // expect: c-entry-point
int f(void) { int domain = 1; return domain; } // ok
