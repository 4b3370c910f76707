package main

func nt() int64 // expect: go-bodyless-function

func a() interface{} { return nil } // ok
func b(x func(
	int),
) (y struct{}) {
	return
}

func c() interface{} // expect: go-bodyless-function

func (t T) d[E any](e E) {} // ok
