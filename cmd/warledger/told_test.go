package main

import (
	"strings"
	"testing"
)

// A server that nobody trusts writes its errors, and an error may quote what a player wrote. No text keeps the program
// busy for long: without the limits this test does not end.
func TestAnErrorOfAnyKindIsToldSoon(t *testing.T) {
	t.Parallel()
	const long = 100_000
	filled := func(most int, part string) string { return strings.Repeat(part, most/len(part)) }
	for _, part := range []string{
		"a: ", "open x: ", "open ", "read open ", `"`, "expected a d6 for odds as die 2, but ", "stat : ", "write : : ",
		"one address may create 5 games a day; the next one in ", ", did you mean ", "%s", "\x1b[2J: ", "か: ",
	} {
		for _, text := range []string{filled(long, part), "open " + filled(long, part) + "EOF"} {
			if got := tongue("ja").told(text); got != text {
				t.Errorf("a long text of %q becomes another, of %d bytes", part, len(got))
			}
		}
		most := filled(longestTold-len("open EOF"), part)
		for _, text := range []string{most, most + "EOF", "open " + most + "EOF"} {
			for _, lang := range []tongue{"ja", "de"} {
				said := teller{tongue: lang, looks: mostLooks}
				if got := said.told(text); len(got) > 20*longestTold || said.looks < 0 {
					t.Errorf("%q, many times, becomes %d bytes after %d looks", part, len(got), mostLooks-said.looks)
				}
			}
		}
	}
}

// The last part of an error is translated if the error has no more parts than an honest one has.
func TestOnlySomePartsOfAnErrorAreLookedAt(t *testing.T) {
	t.Parallel()
	for cuts, want := range map[int]string{1: "終わりに達しました", mostLooks: "終わりに達しました", mostLooks + 1: "EOF"} {
		text := strings.Repeat("a: ", cuts)
		if got := tongue("ja").told(text + "EOF"); got != text+want {
			t.Errorf("after %d colons %q becomes %q, want %q", cuts, text+"EOF", got, text+want)
		}
	}
}
