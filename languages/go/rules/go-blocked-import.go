package main

import (
	"fmt" // ok
	"os" // ok
	x "os/exec"     // expect: go-blocked-import
	. "os"          // expect: go-blocked-import
	_ "net/http"    // expect: go-blocked-import
	y "os\x2fexec"  // expect: go-blocked-import
	z `plugin`      // expect: go-blocked-import
	"net/url" // ok
	"math/rand/v2" // ok
	_ "unsafe" // expect: go-blocked-import
)
