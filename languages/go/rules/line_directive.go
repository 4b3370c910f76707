package main

//line harmless.go:1 expect: go-line-directive
func f() {}

var a = /*line x.go:1*/ 1 // expect: go-line-directive
