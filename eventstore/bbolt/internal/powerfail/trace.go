package powerfail

import (
	"fmt"
	"slices"
	"strings"
)

// Kind is what an [Op] does.
type Kind string

// The kinds of operations. Names are those that a file has from then on.
const (
	// Held is a file that was there, and durable, before anything was recorded: File, Name, Data.
	Held Kind = "held"
	// Create makes an empty file: File, Name.
	Create Kind = "create"
	// Write writes Data at Off of File.
	Write Kind = "write"
	// Truncate sets the length of File to Off.
	Truncate Kind = "truncate"
	// Sync makes File durable, except for its names. With Failed it did not.
	Sync Kind = "sync"
	// Link gives the file called Name a further name, To.
	Link Kind = "link"
	// Rename renames the file called Name to To, and takes that name from another file that may have it.
	Rename Kind = "rename"
	// Unlink takes Name from a file.
	Unlink Kind = "unlink"
	// SyncDir makes the names durable. With Failed it did not.
	SyncDir Kind = "sync of the folder"
	// Said is what the writer said: Text.
	Said Kind = "said"
	// Killed is where the writer was killed.
	Killed Kind = "killed"
)

// Op is one thing that a writer did.
type Op struct {
	Kind Kind
	// File is the number of a file, from 1, whatever its name is.
	File int
	// Off is a place in the file or a length, in bytes.
	Off  int64
	Data []byte
	// Name and To are paths below the recorded folder.
	Name, To string
	Text     string
	// Failed is true if the writer was told that it did not work.
	Failed bool
}

// String returns the operation in a line.
func (o Op) String() string {
	text := string(o.Kind)
	switch o.Kind {
	case Held, Create:
		text = fmt.Sprintf("%s file %d %s", o.Kind, o.File, o.Name)
	case Write:
		text = fmt.Sprintf("write file %d at %d, %d bytes", o.File, o.Off, len(o.Data))
	case Truncate:
		text = fmt.Sprintf("truncate file %d to %d", o.File, o.Off)
	case Sync:
		text = fmt.Sprintf("sync file %d", o.File)
	case Link, Rename, Unlink:
		text = strings.TrimSpace(fmt.Sprintf("%s %s %s", o.Kind, o.Name, o.To))
	case Said:
		text = "said " + o.Text
	}
	if o.Failed {
		text += ", refused"
	}
	return text
}

// Trace is what writers did, in order.
type Trace []Op

// Without returns the trace without the operations that drop picks. A test plants a fault in that way: a writer that
// never syncs.
func (t Trace) Without(drop func(i int, o Op) bool) Trace {
	var left Trace
	for i, o := range t {
		if !drop(i, o) {
			left = append(left, o)
		}
	}
	return left
}

// Earlier returns the trace with some of what the writer said, as early picks it, moved before the operations since it
// last said something. A test plants a fault in that way: a writer that answers first and writes afterwards.
func (t Trace) Earlier(early func(text string) bool) Trace {
	moved := slices.Clone(t)
	for i, o := range moved {
		if o.Kind != Said || !early(o.Text) {
			continue
		}
		at := i
		for at > 0 && moved[at-1].Kind != Said && moved[at-1].Kind != Held {
			at--
		}
		copy(moved[at+1:i+1], moved[at:i])
		moved[at] = o
	}
	return moved
}

// Split cuts the trace where the writer said that a part begins, by that word and the part's name. It keeps only what
// belongs to a part.
func (t Trace) Split(word string) (names []string, parts []Trace) {
	for _, o := range t {
		if name, ok := strings.CutPrefix(o.Text, word+" "); ok && o.Kind == Said {
			names, parts = append(names, name), append(parts, nil)
			continue
		}
		if n := len(parts); n > 0 {
			parts[n-1] = append(parts[n-1], o)
		}
	}
	return names, parts
}

// Index is the number of the first operation in which the writer said something with a prefix; if it said no such
// thing, the number after the last operation.
func (t Trace) Index(prefix string) int {
	for i, o := range t {
		if o.Kind == Said && strings.HasPrefix(o.Text, prefix) {
			return i
		}
	}
	return len(t)
}
