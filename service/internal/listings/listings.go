// Package listings keeps the legal lists that were made last.
package listings

import (
	"slices"
	"sync"
	"time"

	"github.com/warledger/warledger/rules"
)

// Lists are the legal lists that were made last, kept for their memory and for what a ruleset remembers from one list
// to the next: it makes no difference to a list, but much to the time that it takes. They are few and let go when
// nobody asks, so that a game at rest costs nothing.
type Lists struct {
	Limit int
	mu    sync.Mutex
	kept  []keptListing // the one used last at the end
}

type keptListing struct {
	game, ruleset string
	list          rules.Listing
	used          time.Time
}

// Take gives what was kept of a game, or of another of its ruleset that is next to be let go; nil if there is neither.
// Whoever takes it has it alone, until it is put back.
func (l *Lists) Take(game, ruleset string) rules.Listing {
	l.mu.Lock()
	defer l.mu.Unlock()
	at := slices.IndexFunc(l.kept, func(k keptListing) bool { return k.game == game && k.ruleset == ruleset })
	if at < 0 && len(l.kept) >= l.Limit {
		at = slices.IndexFunc(l.kept, func(k keptListing) bool { return k.ruleset == ruleset })
	}
	if at < 0 {
		return nil
	}
	list := l.kept[at].list
	l.kept = slices.Delete(l.kept, at, at+1)
	return list
}

// Put keeps a list that nobody reads any more.
func (l *Lists) Put(game, ruleset string, list rules.Listing) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.kept = append(l.kept, keptListing{game, ruleset, list, time.Now()})
	if extra := len(l.kept) - l.Limit; extra > 0 {
		l.kept = slices.Delete(l.kept, 0, extra)
	}
}

// Forget lets those go that nobody has used for a while.
func (l *Lists) Forget(now time.Time, idle time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.kept = slices.DeleteFunc(l.kept, func(k keptListing) bool { return now.Sub(k.used) >= idle })
}
