package main

import "os"

var p = "/etc/" + "shadow" // expect: go-path-outside
var q = `/proc/self/mem`   // expect: go-path-outside
var r = "/api/users" // ok

func main() {
	os.Open("../x")                         // expect: go-path-outside
	os.OpenFile("/data/x", os.O_RDONLY, 0) // expect: go-path-outside
	os.Rename(p, "/x")                     // expect: go-path-outside
	os.Create("/tmp/x") // ok
	os.Remove("out.txt") // ok
}
