package main

//go:generate sh -c x // expect: go-generate
func f() {}
