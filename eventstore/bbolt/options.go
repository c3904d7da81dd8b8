package boltstore

import (
	"os"
	"runtime"
	"strconv"
	"time"

	"github.com/warledger/warledger/eventstore"
	bolt "go.etcd.io/bbolt"
)

// pageSize is that of new files. A commit writes each page that it touches, so small ones are quicker; large ones would
// leave less of them empty where records are long, since bbolt splits pages by whole records (BenchmarkFileSize).
const pageSize = 4 << 10

// Options tune an engine. The zero value is right for a server.
type Options struct {
	// BatchAppends is the most appends that one commit serves; 0 means 1024.
	BatchAppends int
	// BatchBytes is how much there is to write when a batch is closed to further appends; 0 means 8 MiB.
	BatchBytes int
	// MaxSize bounds the file, in bytes; beyond it appends get [eventstore.ErrFull]. 0 means no bound.
	MaxSize int
	// MapSize is the address space reserved for the file, in bytes; 0 means 4 GiB where addresses have 64 bits. Growing
	// beyond it, a commit waits for the reads that are going on, a backup among them.
	MapSize int
	// ReadOnly opens an existing file to be read, also by several processes at once.
	ReadOnly bool
	// NoSync answers appends before they are durable. For tests, and for imports that can be begun again.
	NoSync bool
	// Observe, if not nil, is told of each commit, one at a time, by the goroutine that writes: it must be quick.
	Observe func(eventstore.Batch)
	// ObserveMerge, if not nil, is told of each try to merge what was committed into the streams, by the goroutine that
	// writes: how long appends waited for it, how many entries were merged, or would have been, and why it failed.
	ObserveMerge func(took time.Duration, entries int, err error)
	// ObserveStop, if not nil, is told once why writing has stopped until the store is opened anew: see
	// [Store.Stopped]. It may be called before Open returns.
	ObserveStop func(err error)
	// Clock is the store's clock; [time.Now] if nil.
	Clock func() time.Time
	// OpenFile replaces [os.OpenFile], for tests.
	OpenFile func(path string, flag int, mode os.FileMode) (*os.File, error)

	hooks        hooks
	maxUnindexed int           // see key_lookup.go; 0 means defaultUnindexed
	recent       int           // bytes of commits after which they are merged; 0 means recentBytes
	lockWait     time.Duration // 0 means defaultLockWait
}

// point is a place in the program next to a sync or a rename, where tests of this package let it fail or die.
type point string

const (
	beforeFormat  point = "before the format is synced"
	afterFormat   point = "after the format is synced"
	beforeName    point = "before the file gets its name"
	afterName     point = "after the file got its name"
	afterNameSync point = "after the name is synced"
	// beforeOpenSync is where a file was opened to be written, and what is in it may not be durable.
	beforeOpenSync point = "before what was found is synced"
	afterOpenSync  point = "after what was found is synced"
	// beforeCommit is where a batch was judged and nothing of it is in the file.
	beforeCommit point = "before a batch is synced"
	// afterCommit is where the commit succeeded; an error makes it look like one whose sync failed.
	afterCommit point = "after a batch is synced"
	// beforeMerge is where recent appends will be merged, and afterMerge where that is in the file; an error there
	// makes it look like a commit whose last sync failed.
	beforeMerge point = "before a merge"
	afterMerge  point = "after a merge"
	// beforeTake is where the journal of format 4 was read and nothing of it is in the file, afterTake where it is.
	beforeTake   point = "before a journal is taken over"
	afterTake    point = "after a journal is taken over"
	afterUpgrade point = "after an upgrade"
)

// hooks run at points. Each returns the error that shall happen there.
type hooks map[point]func() error

func (h hooks) at(p point) error {
	if f := h[p]; f != nil {
		return f()
	}
	return nil
}

func (o Options) withDefaults() Options {
	if o.BatchAppends <= 0 {
		o.BatchAppends = 1024
	}
	if o.BatchBytes <= 0 {
		o.BatchBytes = 8 << 20
	}
	if o.MapSize <= 0 && strconv.IntSize == 64 && runtime.GOOS != "windows" {
		reserve := int64(4) << 30 // a variable, for where an int is too small to hold the constant
		o.MapSize = int(reserve)
	}
	if o.recent <= 0 {
		o.recent = recentBytes
	}
	if o.lockWait <= 0 {
		o.lockWait = defaultLockWait
	}
	if o.maxUnindexed <= 0 {
		o.maxUnindexed = defaultUnindexed
	}
	if o.Clock == nil {
		o.Clock = time.Now
	}
	if o.OpenFile == nil {
		o.OpenFile = os.OpenFile
	}
	return o
}

// defaultLockWait is how long Open waits for another process to let go of the file: one that is just ending, or a child
// that was forked while the file was open and has the lock too until it runs its own program.
const defaultLockWait = 250 * time.Millisecond

func (o Options) bolt() *bolt.Options {
	return &bolt.Options{
		Timeout:         o.lockWait,
		FreelistType:    bolt.FreelistMapType,
		InitialMmapSize: o.MapSize,
		MaxSize:         o.MaxSize,
		PageSize:        pageSize,
		ReadOnly:        o.ReadOnly,
		NoSync:          o.NoSync,
		OpenFile:        o.OpenFile,
		NoStatistics:    true,
	}
}
