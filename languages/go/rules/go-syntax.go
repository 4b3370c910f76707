package main

var a = 1 // ok
var b = 1 # 2 // expect: go-syntax
var c = "x // expect: go-syntax
