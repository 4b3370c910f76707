#pragma once
#pragma GCC diagnostic ignored "-Wall" // ok
#pragma omp parallel for // ok
#pragma redefine_extname foo system // expect: c-pragma expect: c-blocked-function
_Pragma("weak foo = bar") int foo(void); // expect: c-pragma
_Pragma("once") // ok
#define P(x) _Pragma(#x) // expect: c-pragma
