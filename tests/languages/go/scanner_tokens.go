// The names and keywords that go/scanner finds, as scanner_dump prints them.
package main

import (
	"bufio"
	"fmt"
	"go/scanner"
	"go/token"
	"os"
)

func main() {
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for _, name := range os.Args[1:] {
		text, err := os.ReadFile(name)
		if err != nil {
			panic(err)
		}
		set := token.NewFileSet()
		var s scanner.Scanner
		s.Init(set.AddFile(name, set.Base(), len(text)), text, nil, 0)
		names := ""
		for {
			pos, kind, literal := s.Scan()
			if kind == token.EOF {
				break
			}
			if kind == token.IDENT || kind.IsKeyword() {
				names += fmt.Sprintln(int(pos)-1, literal)
			}
		}
		fmt.Fprintf(out, "file %s errors %d\n%s", name, s.ErrorCount, names)
	}
}
