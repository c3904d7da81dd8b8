package doctor

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"time"
)

const (
	// littleRoom and noRoom are the free bytes below which a disk is worth a warning, and a problem.
	littleRoom = 1 << 30
	noRoom     = 64 << 20
	// slowSync and verySlowSync are how long a sync may take at the median before it is worth a warning, and a problem:
	// each command waits for one.
	slowSync     = 20 * time.Millisecond
	verySlowSync = 250 * time.Millisecond
	// syncs is how many are measured.
	syncs = 25
)

// Room judges the free bytes of a folder's disk.
func Room(folder string, free uint64) Finding {
	const check = "disk.space"
	found := fmt.Sprintf("%s are free for %s", size(free), folder)
	do := "free some space, or move the file of games to a larger disk: on a full disk no command is accepted"
	switch {
	case free < noRoom:
		return Finding{check, Problem, "only " + found, do}
	case free < littleRoom:
		return Finding{check, Warning, "only " + found, do}
	}
	return Finding{check, Fine, found, ""}
}

// Bound judges how near a file of games is to the size limit of its server; 0 is no limit. From nine tenths
// on no new games are accepted.
func Bound(path string, bytes, bound uint64) Finding {
	const check = "store.size"
	found := fmt.Sprintf("%s takes %s of its disk", path, size(bytes))
	if bound == 0 {
		return Finding{check, Fine, found, ""}
	}
	found = fmt.Sprintf("%s takes %s of the %s that --db-bytes allows", path, size(bytes), size(bound))
	do := "reclaim free space in it with warledger admin compact, or raise --db-bytes at the server"
	switch {
	case bytes >= bound/10*9:
		return Finding{check, Problem, found + ": no new games are accepted", do}
	case bytes >= bound/10*8:
		return Finding{check, Warning, found + ": from nine tenths on no new games are accepted", do}
	}
	return Finding{check, Fine, found, ""}
}

// Syncs measures how long it takes until a few kilobytes in a folder are durable, several times.
func Syncs(folder string) (took []time.Duration, err error) {
	f, err := os.CreateTemp(folder, ".warledger-doctor-*")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close(), os.Remove(f.Name())) }()
	page := make([]byte, 4096)
	for range syncs {
		begun := time.Now()
		if _, err := f.Write(page); err != nil {
			return nil, err
		}
		if err := f.Sync(); err != nil {
			return nil, err
		}
		took = append(took, time.Since(begun))
	}
	return took, nil
}

// SyncSpeed judges what Syncs measured.
func SyncSpeed(folder string, took []time.Duration, err error) Finding {
	const check = "disk.sync"
	if err != nil || len(took) == 0 {
		return Finding{check, Problem, fmt.Sprintf("nothing can be written to %s: %v", folder, err),
			"the server needs to write there: see who owns the folder, and whether its disk is full or read-only"}
	}
	took = slices.Sorted(slices.Values(took))
	median := took[len(took)/2]
	found := fmt.Sprintf("4 KiB in %s are durable after %s (median of %d, at most %s)",
		folder, brief(median), len(took), brief(took[len(took)-1]))
	do := "each command waits for a sync: prefer a local SSD to a network disk or a memory card"
	switch {
	case median >= verySlowSync:
		return Finding{check, Problem, found, do}
	case median >= slowSync:
		return Finding{check, Warning, found, do}
	}
	return Finding{check, Fine, found, ""}
}

func brief(d time.Duration) string {
	if d < time.Millisecond {
		return d.Round(time.Microsecond).String()
	}
	return d.Round(100 * time.Microsecond).String()
}

// size says a number of bytes.
func size(n uint64) string {
	units := []string{"bytes", "KiB", "MiB", "GiB", "TiB"}
	x, i := float64(n), 0
	for ; x >= 1024 && i < len(units)-1; i++ {
		x /= 1024
	}
	if i == 0 {
		return fmt.Sprintf("%d bytes", n)
	}
	return fmt.Sprintf("%.1f %s", x, units[i])
}
