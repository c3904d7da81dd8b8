// Package secret masks the passwords of a command line in everything that a program prints. People give the address of
// a database where a file is expected, or write it wrongly, and messages of errors repeat what was given.
package secret

import (
	"cmp"
	"io"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// inPlaceOf is what is printed instead of a password.
const inPlaceOf = "***"

var (
	// authority is what an address has from its scheme to its last @. A password in it may hold any character.
	authority = regexp.MustCompile(`[A-Za-z][A-Za-z0-9+.-]*:/+([^ ]*)@`)
	// keyword is a password that has a name.
	keyword = regexp.MustCompile(`(?i)pass(?:word|wd)?=('[^']*'|[^& ]*)`)
)

// Passwords returns every part of texts, such as arguments, that may be a password, the longest first. It reads
// addresses that are written wrongly too, and adds the pieces into which a parser would split their passwords.
func Passwords(texts ...string) (found []string) {
	for _, text := range texts {
		if at := authority.FindStringSubmatch(text); at != nil {
			if _, password, ok := strings.Cut(at[1], ":"); ok {
				parts := strings.FieldsFunc(password, func(r rune) bool { return strings.ContainsRune("@/?#:&=", r) })
				found = append(append(found, password), parts...)
			}
		}
		for _, named := range keyword.FindAllStringSubmatch(text, -1) {
			found = append(found, strings.Trim(named[1], "'"))
		}
	}
	for _, password := range slices.Clone(found) {
		if plain, err := url.PathUnescape(password); err == nil {
			found = append(found, plain)
		}
	}
	found = slices.DeleteFunc(found, func(s string) bool { return len(s) < 3 }) // which would be found everywhere
	slices.SortFunc(found, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	return slices.Compact(found)
}

// Writer returns a writer that masks these passwords. It misses a password that arrives in two calls of Write.
func Writer(w io.Writer, passwords []string) io.Writer {
	if len(passwords) == 0 {
		return w
	}
	var pairs []string
	for _, password := range passwords {
		pairs = append(pairs, password, inPlaceOf)
	}
	return &writer{w, strings.NewReplacer(pairs...)}
}

type writer struct {
	w io.Writer
	r *strings.Replacer
}

// Write writes all of p or fails.
func (w *writer) Write(p []byte) (int, error) {
	if _, err := w.r.WriteString(w.w, string(p)); err != nil {
		return 0, err
	}
	return len(p), nil
}
