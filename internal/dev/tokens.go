package main

import (
	"context"
	"errors"
	"fmt"
	"go/scanner"
	"go/token"
	"io"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
)

// tokens prints how many Go tokens people wrote in each folder, and in all. Tests, generated files and comments do not
// count, nor does how lines are wrapped. Folders may follow: then only those, each with all folders within it.
func tokens(ctx context.Context, c checkout, args []string) error {
	for _, folder := range args {
		if info, err := os.Stat(c.path(folder)); err != nil || !info.IsDir() {
			return fmt.Errorf("%s is no folder of the checkout", folder)
		}
	}
	files, err := c.files(ctx)
	if err != nil {
		return err
	}
	counts := map[string]int{}
	for _, name := range files {
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			continue
		}
		src, err := os.ReadFile(c.path(name))
		if err != nil {
			return err
		}
		n, err := countTokens(name, src)
		if err != nil {
			return err
		}
		counts[path.Dir(name)] += n
	}
	printTokens(os.Stdout, counts, args)
	return nil
}

// printTokens lists folders with their counts, or the sums of the folders that are asked for; then the sum
// of all that is listed.
func printTokens(w io.Writer, counts map[string]int, folders []string) {
	total := 0
	if len(folders) == 0 {
		folders = slices.Sorted(maps.Keys(counts))
		for _, folder := range folders {
			fmt.Fprintf(w, "%9d  %s\n", counts[folder], folder)
			total += counts[folder]
		}
	} else {
		for _, folder := range folders {
			sum := 0
			for at, n := range counts {
				if within(path.Clean(folder), at) {
					sum += n
				}
			}
			fmt.Fprintf(w, "%9d  %s\n", sum, path.Clean(folder))
			total += sum
		}
	}
	fmt.Fprintf(w, "%9d  in all\n", total)
}

// within reports whether a folder is another one or lies in it.
func within(outer, folder string) bool {
	return outer == "." || folder == outer || strings.HasPrefix(folder, outer+"/")
}

// countTokens counts the tokens of a Go file, 0 for a generated one. A semicolon that stands for the end
// of a line is no token.
func countTokens(name string, src []byte) (int, error) {
	var s scanner.Scanner
	var wrong scanner.ErrorList
	s.Init(token.NewFileSet().AddFile(name, -1, len(src)), src, wrong.Add, scanner.ScanComments)
	for n, started := 0, false; ; {
		_, tok, text := s.Scan()
		switch {
		case tok == token.EOF:
			return n, errors.Join(wrong.Err())
		case tok == token.COMMENT:
			if !started && isGeneratedMark(text) {
				return 0, nil
			}
		case tok == token.SEMICOLON && text == "\n":
		default:
			n++
			started = true
		}
	}
}

// isGeneratedMark reports whether a comment is the line that generated files begin with, see go help generate.
func isGeneratedMark(comment string) bool {
	return strings.HasPrefix(comment, "// Code generated ") && strings.HasSuffix(comment, " DO NOT EDIT.")
}
