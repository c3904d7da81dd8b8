package main

import "bufio"

// key is what a key of the replay does.
type key int

// The keys.
const (
	keyOther key = iota
	keyNext
	keyBack
	keyTenOn
	keyTenBack
	keyFirst
	keyLast
	keyQuit
)

// plainKeys are keys that send one byte.
var plainKeys = map[byte]key{
	' ': keyNext, 'l': keyNext, 'n': keyNext, '\r': keyNext, '\n': keyNext, 'h': keyBack, 'p': keyBack, 0x7f: keyBack,
	'j': keyTenOn, 'k': keyTenBack, 'g': keyFirst, 'G': keyLast, 'q': keyQuit, 0x03: keyQuit, 0x04: keyQuit,
}

// arrowKeys are what follows an escape and a bracket.
var arrowKeys = map[byte]key{'C': keyNext, 'D': keyBack, 'B': keyTenOn, 'A': keyTenBack, 'H': keyFirst, 'F': keyLast}

// readKey waits for a key. Arrows come as an escape, a bracket and a letter; the escape key alone comes alone.
func readKey(in *bufio.Reader) (key, error) {
	b, err := in.ReadByte()
	if err != nil {
		return keyOther, err
	}
	if b != 0x1b {
		return plainKeys[b], nil
	}
	if in.Buffered() == 0 {
		return keyQuit, nil
	}
	if b, err = in.ReadByte(); err != nil || b != '[' && b != 'O' {
		return keyOther, err
	}
	b, err = in.ReadByte()
	return arrowKeys[b], err
}

// step is where a key leads from a place; 0 and last are the ends.
func step(k key, at, last int) int {
	switch k {
	case keyNext:
		at++
	case keyBack:
		at--
	case keyTenOn:
		at += 10
	case keyTenBack:
		at -= 10
	case keyFirst:
		at = 0
	case keyLast:
		at = last
	}
	return min(max(at, 0), last)
}
