__attribute__((constructor)) static void i(void) {} // expect: c-attribute
__attribute__((unused, __section__(".text"))) int x; // expect: c-attribute
__attribute__((packed, aligned(8), format(printf, 1, 2))) int y; // ok
[[gnu::constructor]] void j(void); // expect: c-attribute
[[maybe_unused]] int z; // ok
#define A __attribute__ // expect: c-attribute
