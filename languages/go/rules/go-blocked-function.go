package main

import (
	"os"
	o "os"
	"reflect"
)

func main() {
	f := os.StartProcess // expect: go-blocked-function
	o.Getenv("PATH")     // expect: go-blocked-function
	os.Exit(0) // ok
	os.ReadFile("data.txt") // ok
	w.os.Getenv("x") // ok
	reflect.DeepEqual(f, f) // ok
	reflect.ValueOf(f).UnsafeAddr() // expect: go-blocked-function
}
