#pragma once
#pragma GCC diagnostic ignored "-Wall"
#pragma omp parallel for
#pragma redefine_extname foo system // expect: c-pragma expect: c-blocked-function
_Pragma("weak foo = bar") int foo(void); // expect: c-pragma
_Pragma("once")
#define P(x) _Pragma(#x) // expect: c-pragma
