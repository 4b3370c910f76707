#include <cstdio> // ok
#include <math.h> // ok
#include <sys/socket.h>     // expect: c-blocked-header
#include <dlfcn.h>          // expect: c-blocked-header
#include <vendor/library.h> // expect: c-blocked-header
#include "sys/ptrace.h"     // expect: c-blocked-header
