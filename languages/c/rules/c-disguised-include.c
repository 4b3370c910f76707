#define H <dlfcn.h>
#include H // expect: c-disguised-include
static const char s[] =
#include "stdio.h"
    ;
static const char t[] =
#include "data.inc" // expect: c-disguised-include
    ;
#if __has_include("data.h") // expect: c-disguised-include
#endif
#if __has_include(<stdio.h>) // ok
#endif
#embed "data.bin" // expect: c-disguised-include
#line 5 "other.c" // expect: c-disguised-include
