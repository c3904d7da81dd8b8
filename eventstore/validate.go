package eventstore

import (
	"fmt"
	"math"
	"unicode"
	"unicode/utf8"
)

// MaxEntries is the number of entries of one append.
const MaxEntries = 1 << 18

// Limits in bytes.
const (
	// MaxName is the length of a stream's name.
	MaxName = 255
	// MaxKey is the length of an entry's key.
	MaxKey = 128
	// MaxData is the size of one entry's data.
	MaxData = 16 << 20
	// MaxMeta is the size of a stream's metadata.
	MaxMeta = 1 << 20
	// MaxAppend is the size of the data of one append.
	MaxAppend = 64 << 20
)

// CheckName returns an [InvalidError] unless the name is 1 to [MaxName] bytes of valid UTF-8
// without control characters.
func CheckName(name string) error {
	if name == "" {
		return &InvalidError{"stream name", "it is empty"}
	}
	return checkText("stream name", name, MaxName)
}

// CheckKey returns an [InvalidError] unless the key is at most [MaxKey] bytes of valid UTF-8 without control
// characters. The empty key passes: it is no key.
func CheckKey(key string) error { return checkText("key", key, MaxKey) }

// CheckMeta returns an [InvalidError] when metadata is too large.
func CheckMeta(meta []byte) error { return checkSize("metadata", len(meta), MaxMeta) }

func checkText(what, s string, limit int) error {
	if err := checkSize(what, len(s), limit); err != nil {
		return err
	}
	if !utf8.ValidString(s) {
		return &InvalidError{what, fmt.Sprintf("%q is not valid UTF-8", s)}
	}
	for _, r := range s {
		if unicode.IsControl(r) {
			return &InvalidError{what, fmt.Sprintf("%q contains the control character %U", s, r)}
		}
	}
	return nil
}

func checkSize(what string, size, limit int) error {
	if size > limit {
		return &InvalidError{what, fmt.Sprintf("it has %d bytes, at most %d are allowed", size, limit)}
	}
	return nil
}

// Validate returns an error for what is wrong with the append whatever the store holds: an [InvalidError], or a
// [LinkError] between two of its own entries. Every engine calls it first.
func (a *Append) Validate() error {
	if err := CheckName(a.Stream); err != nil {
		return err
	}
	if err := CheckMeta(a.Meta); err != nil {
		return err
	}
	if len(a.Entries) == 0 {
		return &InvalidError{"append", "it has no entries"}
	}
	if n := len(a.Entries); n > MaxEntries {
		return &InvalidError{"append", fmt.Sprintf("it has %d entries, at most %d are allowed", n, MaxEntries)}
	}
	// The highest number is kept free for engines that mark the end of a stream with it.
	if a.Expected >= math.MaxUint64-uint64(len(a.Entries)) {
		return &InvalidError{"append", fmt.Sprintf("no version can follow %d", a.Expected)}
	}
	return a.validateEntries()
}

func (a *Append) validateEntries() error {
	total := 0
	keys := make(map[string]bool, len(a.Entries))
	for i := range a.Entries {
		e, version := &a.Entries[i], a.Expected+uint64(i)+1
		if e.Version != 0 && e.Version != version {
			return &InvalidError{"entry", fmt.Sprintf("it says version %d where %d follows", e.Version, version)}
		}
		if err := CheckKey(e.Key); err != nil {
			return err
		}
		if keys[e.Key] && e.Key != "" {
			return &InvalidError{"append", fmt.Sprintf("two of its entries have the key %q", e.Key)}
		}
		keys[e.Key] = true
		if err := checkSize("data", len(e.Data), MaxData); err != nil {
			return err
		}
		total += len(e.Data)
		switch {
		case i > 0 && e.Prev != a.Entries[i-1].Hash:
			return &LinkError{a.Stream, version, e.Prev, a.Entries[i-1].Hash}
		case version == 1 && e.Prev != Hash{}:
			return &LinkError{a.Stream, version, e.Prev, Hash{}}
		}
	}
	return checkSize("append", total, MaxAppend)
}
