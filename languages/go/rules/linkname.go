package main

//go:noinline
func f() {}

//go:linkname nt runtime.nanotime // expect: go-linkname
var nt int

// about //go:linkname
//go:uintptrescapes expect: go-linkname
var x int
