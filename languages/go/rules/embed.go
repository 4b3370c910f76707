package main

//go:embed x.txt // expect: go-embed
var s string
