package main

//go:noinline // ok
func f() {}

//go:linkname nt runtime.nanotime // expect: go-linkname
var nt int

// about //go:linkname // ok
//go:uintptrescapes expect: go-linkname
var x int
