package main

import "C" // expect: go-cgo

//export f expect: go-cgo
func f() {}
