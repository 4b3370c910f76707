package main

//go:generate sh -c x // expect: go-generate
func f() {}

// to go:generate the tables, run make // ok
var s = "//go:generate sh" // ok
