package main

import (
	"fmt" // ok
	"internal/abi" // expect: go-unknown-import
	"helper/evil"  // expect: go-unknown-import
	"github.com/x/y" // expect: go-unknown-import
)
