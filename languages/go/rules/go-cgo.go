package main

import "C" // expect: go-cgo

//export f expect: go-cgo
func f() {}

var C = "C" // ok

// export f is a sentence // ok
var exported = len(C) // ok
