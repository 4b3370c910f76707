package main

//go:embed x.txt // expect: go-embed
var s string

// go:embed x.txt is no directive with a blank in front // ok
var t = "//go:embed x.txt" // ok
