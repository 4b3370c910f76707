package main

//line harmless.go:1 expect: go-line-directive
func f() {}

// line 1 is where it begins // ok
var b = "//line x.go:1" // ok

var a = /*line x.go:1*/ 1 // expect: go-line-directive
