#include <stdio.h>
#include <math.h>
#include <sys/socket.h>     // expect: c-blocked-header
#include <dlfcn.h>          // expect: c-blocked-header
#include <vendor/library.h> // expect: c-blocked-header
#include "sys/ptrace.h"     // expect: c-blocked-header
