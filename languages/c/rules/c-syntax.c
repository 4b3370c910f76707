int a = 1;  // ok
int b = 0x1'; // expect: c-syntax
#if 0
don't read this @
#endif
char c = '@';  // ok
#define TWO(x) \
  x;           \
  x
int d = a @ b; // expect: c-syntax
char *s = "what??/"; // expect: c-syntax
