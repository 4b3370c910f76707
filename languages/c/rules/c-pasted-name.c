#define C2(a, b) a##b // expect: c-pasted-name
#define NAME(x) my_##x // ok
#define SYS(x) sys##x // expect: c-pasted-name
#define LOG(f, ...) printf(f, ##__VA_ARGS__) // ok
#define TEM(x) x##tem // expect: c-pasted-name
#define T(x) x##_t // ok
