package main

import (
	"io"
	"os"
	"strconv"

	"golang.org/x/term"
)

// world is what the program has around it; tests have one of their own.
type world struct {
	in       io.Reader
	out, err io.Writer
	env      func(string) string
	// tty says whether out is a terminal, and inTTY whether in is one.
	tty, inTTY bool
	// width of the terminal in cells; 0 if it has no bounds.
	width int
	// raw makes the terminal give every key at once, until restore is called.
	raw func() (restore func(), err error)
}

// system is the world of a process.
func system() world {
	w := world{in: os.Stdin, out: os.Stdout, err: os.Stderr, env: os.Getenv}
	w.inTTY = term.IsTerminal(int(os.Stdin.Fd()))
	if w.tty = term.IsTerminal(int(os.Stdout.Fd())); w.tty {
		if width, _, err := term.GetSize(int(os.Stdout.Fd())); err == nil {
			w.width = width
		}
	}
	if columns, err := strconv.Atoi(w.env("COLUMNS")); err == nil && columns > 0 && w.width == 0 {
		w.width = columns
	}
	w.raw = func() (func(), error) {
		state, err := term.MakeRaw(int(os.Stdin.Fd()))
		if err != nil {
			return nil, err
		}
		return func() { _ = term.Restore(int(os.Stdin.Fd()), state) }, nil
	}
	return w
}
