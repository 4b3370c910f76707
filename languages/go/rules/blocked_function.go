package main

import (
	"os"
	o "os"
	"reflect"
)

func main() {
	f := os.StartProcess // expect: go-blocked-function
	o.Getenv("PATH")     // expect: go-blocked-function
	os.Exit(0)
	os.ReadFile("data.txt")
	w.os.Getenv("x")
	reflect.DeepEqual(f, f)
	reflect.ValueOf(f).UnsafeAddr() // expect: go-blocked-function
}
