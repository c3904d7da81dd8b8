package doctor

import (
	"fmt"

	adminv1 "github.com/warledger/warledger/proto/warledger/admin/v1"
)

// Fault is something wrong with what is stored.
func Fault(f *adminv1.StoreFault) Finding {
	at := f.Stream
	if at == "" {
		at = "the store"
	}
	if f.Version > 0 {
		at = fmt.Sprintf("%s, version %d", at, f.Version)
	}
	return Finding{"store.fault", Problem, fmt.Sprintf("%s: %s: %s", at, f.Kind, f.Message),
		"stop the server, keep a copy of what is there, and restore the last backup (warledger admin restore)"}
}

// Stored reports the outcome of an examination of everything stored.
func Stored(name string, sum *adminv1.CheckSummary) Finding {
	found := fmt.Sprintf("%s holds %d streams with %d records", name, sum.Streams, sum.Entries)
	if sum.Faults > 0 {
		return Finding{"store.check", Problem, fmt.Sprintf("%s and %d faults", found, sum.Faults),
			"the lines of store.fault say which"}
	}
	return Finding{"store.check", Fine, found + ", all sound", ""}
}

// Unread says that what is stored could not be examined.
func Unread(name string, err error) Finding {
	return Finding{"store.check", Problem, fmt.Sprintf("%s can't be examined: %v", name, err),
		"check who may read it and which program made it; if it is damaged, keep a copy and restore the last backup"}
}

// Format judges the format of a file of games.
func Format(found, newest uint32, err error) Finding {
	switch {
	case err != nil:
		return Finding{"store.format", Problem, fmt.Sprintf("the format can't be read: %v", err),
			"keep a copy, and restore the last backup"}
	case found < newest:
		return Finding{"store.format", Note, fmt.Sprintf("the file has format %d, and this release writes format %d",
			found, newest), "a server of this release upgrades it at its start: back it up before"}
	}
	return Finding{"store.format", Fine, fmt.Sprintf("the file has format %d, the newest", found), ""}
}
