int s(const char *) __asm__("sys" "tem"); // expect: c-inline-assembly
__asm__(".globl f"); // expect: c-inline-assembly
int main() { asm("syscall"); } // expect: c-inline-assembly
int assembly = 1; // ok
const char *text = "asm(\"syscall\")"; // ok
