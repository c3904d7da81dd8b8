package heads

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	sumnote "golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"github.com/warledger/warledger/eventstore"
	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/internal/streams"
	"github.com/warledger/warledger/service/ledger"
)

// mostLeaves is how many heads one entry takes.
const mostLeaves = 10_000

// Signing is what checkpoints are signed with.
type Signing struct {
	// Signer signs notes with Ed25519.
	Signer sumnote.Signer
	// VerifierKey is its public key, in the form of notes.
	VerifierKey string
	// Every is how often heads are taken in without being asked, and when the service is closed; never if 0.
	Every time.Duration
}

// Config is what a log of heads is made of.
type Config struct {
	Store eventstore.Store
	// Signing signs checkpoints; nil turns the log off.
	Signing *Signing
	// Replaced is told of a game whose head contradicts one in the log.
	Replaced func(id string, version uint64)
	// Logger gets the size and root of the tree when heads are taken in without being asked.
	Logger *slog.Logger
}

// Log is the log of the heads of all games.
type Log struct {
	Config

	marks   sync.Mutex
	changed map[string]bool

	mu sync.Mutex
	// admitted is true once the key is known to be that of the store, listed once all games were held against the log,
	// and behind if the log may have more than the tree.
	admitted, listed, behind bool
	entry                    uint64 // last entry of the stream, and its hash
	prev                     ledger.Hash
	size                     int64
	hashes                   []tlog.Hash
	of                       map[string][]loggedHead
}

// loggedHead is a head of a game in the log.
type loggedHead struct {
	index   int64
	version uint64
	hash    ledger.Hash
}

// New makes a log of heads. It reads nothing yet.
func New(c Config) *Log {
	return &Log{Config: c, behind: true, changed: make(map[string]bool), of: make(map[string][]loggedHead)}
}

// Touch marks a game whose head has changed.
func (h *Log) Touch(id string) {
	if h.Signing == nil {
		return
	}
	h.marks.Lock()
	defer h.marks.Unlock()
	h.changed[id] = true
}

// marked reports whether a game may have changed since heads were last taken in.
func (h *Log) marked() bool {
	h.marks.Lock()
	defer h.marks.Unlock()
	return len(h.changed) > 0
}

// with runs f on the tree as it is stored, with what other signers have added. One call at a time works on it.
func (h *Log) with(ctx context.Context, f func() error) error {
	if h.Signing == nil {
		return fault.New(fault.CheckpointsOff, "the server signs no checkpoints")
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if err := h.admit(ctx); err != nil {
		return err
	}
	if err := h.readOn(ctx); err != nil {
		return err
	}
	return f()
}

// admit asks whether the server signs with the key of the store. The first server that shares the store sets it.
// Callers hold the lock.
func (h *Log) admit(ctx context.Context) error {
	if h.admitted || !h.Store.Shared() {
		return nil
	}
	key := []byte(h.Signing.VerifierKey)
	err := h.Store.Append(ctx, eventstore.Append{Stream: streams.Signer, Entries: []eventstore.Entry{{Data: key}}})
	var conflict *eventstore.ConflictError
	if errors.As(err, &conflict) {
		var page []eventstore.Entry
		page, err = h.Store.Read(ctx, streams.Signer, 1, 1, 0)
		if err == nil && (len(page) == 0 || !bytes.Equal(page[0].Data, key)) {
			return fault.New(fault.CheckpointsOff, "other servers of this store sign with another key")
		}
	}
	if err != nil {
		return fault.FromStore(err)
	}
	h.admitted = true
	return nil
}

// Admit asks whether the server signs with the key of the store. Without an answer of the store it is asked again
// before anything is signed.
func (h *Log) Admit(ctx context.Context) error {
	if h.Signing == nil {
		return nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.admit(ctx)
}

// take gives the marked games and begins anew.
func (h *Log) take() []string {
	h.marks.Lock()
	defer h.marks.Unlock()
	ids := slices.Sorted(maps.Keys(h.changed))
	clear(h.changed)
	return ids
}

// leaf is what is hashed into the tree for a head.
func leaf(game string, version uint64, hash ledger.Hash) []byte {
	return fmt.Appendf(nil, "warledger/head/1 %s %d %x\n", game, version, hash)
}

// ReadHashes gives stored hashes to the proofs.
func (h *Log) ReadHashes(indexes []int64) ([]tlog.Hash, error) {
	out := make([]tlog.Hash, len(indexes))
	for i, at := range indexes {
		if at < 0 || at >= int64(len(h.hashes)) {
			return nil, fmt.Errorf("the log of heads has no hash %d", at)
		}
		out[i] = h.hashes[at]
	}
	return out, nil
}

// grow adds a leaf to the tree.
func (h *Log) grow(data []byte) error {
	var game string
	var at loggedHead
	var hash []byte
	if _, err := fmt.Sscanf(string(data), "warledger/head/1 %s %d %x\n", &game, &at.version, &hash); err != nil ||
		len(hash) != len(at.hash) {
		return fmt.Errorf("leaf %d of the log of heads cannot be read", h.size)
	}
	added, err := tlog.StoredHashes(h.size, data, h)
	if err != nil {
		return err
	}
	at.index, at.hash = h.size, ledger.Hash(hash)
	h.hashes = append(h.hashes, added...)
	h.of[game] = append(h.of[game], at)
	h.size++
	return nil
}

// readOn reads what is in the log and not yet in the tree. Callers hold the lock.
func (h *Log) readOn(ctx context.Context) error {
	if !h.behind && !h.Store.Shared() {
		return nil
	}
	for {
		page, err := h.Store.ReadAt(ctx, streams.Heads, h.entry+1, 0, 0)
		if err != nil && !errors.Is(err, eventstore.ErrNotFound) {
			return fault.FromStore(err)
		}
		if page.Head.Version < h.entry {
			return fault.New(fault.LogCorrupt, "the log of heads has lost entries that were signed")
		}
		for _, e := range page.Entries {
			if e.Prev != h.prev {
				return fault.New(fault.LogCorrupt, "the log of heads does not go on from what was signed")
			}
			if err := h.growAll(e.Data); err != nil {
				return fault.New(fault.LogCorrupt, "the log of heads is damaged").Because(err)
			}
			h.entry, h.prev = e.Version, ledger.Hash(e.Hash)
		}
		if h.entry == page.Head.Version {
			h.behind = false
			return nil
		}
	}
}

// list marks the games that are further than the log, once; in a store that others write, each time. Callers hold the
// lock.
func (h *Log) list(ctx context.Context) error {
	if h.listed && !h.Store.Shared() {
		return nil
	}
	for after := ""; ; {
		page, err := streams.ListGames(ctx, h.Store, after, 1000)
		if err != nil {
			return err
		}
		if len(page) == 0 {
			h.listed = true
			return nil
		}
		for _, info := range page {
			id := strings.TrimPrefix(info.Name, streams.Games)
			known := h.of[id]
			// All are held against the log once. After that only those are of interest that have come further.
			if !h.listed || len(known) == 0 || known[len(known)-1].version < info.Version {
				h.Touch(id)
			}
		}
		after = page[len(page)-1].Name
	}
}

func (h *Log) growAll(data []byte) error {
	for line := range bytes.Lines(data) {
		if err := h.grow(line); err != nil {
			return err
		}
	}
	return nil
}

// seal takes the heads in that have changed. Callers hold the lock.
func (h *Log) seal(ctx context.Context) error {
	if err := h.list(ctx); err != nil {
		return err
	}
	for ids := range slices.Chunk(h.take(), mostLeaves) {
		if err := h.sealSome(ctx, ids, mostTries); err != nil {
			for _, id := range ids {
				h.Touch(id)
			}
			return err
		}
	}
	return nil
}

// mostTries is how often heads are taken in anew because another signer was quicker.
const mostTries = 5

// sealSome takes the heads of some games in.
func (h *Log) sealSome(ctx context.Context, ids []string, tries int) error {
	var data []byte
	for _, id := range ids {
		info, err := h.Store.Head(ctx, streams.Game(id))
		var corrupt *eventstore.CorruptError
		// one damaged game must not keep the others from being proved
		if errors.Is(err, eventstore.ErrNotFound) || errors.As(err, &corrupt) {
			continue
		}
		if err != nil {
			return fault.FromStore(err)
		}
		if known := h.of[id]; len(known) > 0 {
			goesOn, err := h.goesOn(ctx, info, known[len(known)-1])
			if err != nil {
				return err
			}
			if !goesOn {
				continue
			}
		}
		data = append(data, leaf(id, info.Version, ledger.Hash(info.Hash))...)
	}
	if len(data) == 0 {
		return nil
	}
	entry := eventstore.Entry{Version: h.entry + 1, Prev: h.prev, Hash: sha256.Sum256(append(h.prev[:], data...)),
		Data: data}
	err := h.Store.Append(context.WithoutCancel(ctx),
		eventstore.Append{Stream: streams.Heads, Expected: h.entry, Entries: []eventstore.Entry{entry}})
	var conflict *eventstore.ConflictError
	if err != nil {
		h.behind = true // it may have been stored
	}
	switch {
	case errors.As(err, &conflict) && tries > 1:
		if err := h.readOn(ctx); err != nil {
			return err
		}
		return h.sealSome(ctx, ids, tries-1)
	case err != nil:
		return fault.FromStore(err)
	}
	h.entry, h.prev = entry.Version, ledger.Hash(entry.Hash)
	return h.growAll(data)
}

// goesOn reports whether a game has a new head that goes on from the last one in the log. One that does not is never
// signed: somebody has changed the store, and the old head in the log shows it to whoever verifies the game.
func (h *Log) goesOn(ctx context.Context, info eventstore.StreamInfo, last loggedHead) (bool, error) {
	hash := ledger.Hash(info.Hash)
	if info.Version > last.version {
		page, err := h.Store.Read(ctx, info.Name, last.version, 1, 0)
		if err != nil {
			return false, fault.FromStore(err)
		}
		if len(page) == 1 {
			hash = ledger.Hash(page[0].Hash)
		}
	}
	if info.Version < last.version || hash != last.hash {
		h.Replaced(strings.TrimPrefix(info.Name, streams.Games), last.version)
		return false, nil
	}
	return info.Version > last.version, nil
}

// head is the last head of a game in the tree of a size.
func (h *Log) head(game string, size int64) (loggedHead, bool) {
	for _, at := range slices.Backward(h.of[game]) {
		if at.index < size {
			return at, true
		}
	}
	return loggedHead{}, false
}
