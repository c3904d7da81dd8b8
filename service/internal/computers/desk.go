package computers

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sync"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/warledger/warledger/eventstore"
	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/service/alphabet"
	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/internal/streams"
)

// House is a computer of the server's own.
type House struct {
	// ID is its id, and Title what it is called at the table. Nobody else may offer a computer of that name.
	ID, Title string
}

// Config bounds computers.
type Config struct {
	// Store keeps the book, and Clock is the service's.
	Store eventstore.Store
	Clock func() time.Time
	// House are the server's own computers.
	House []House
	// MaxOffers is how many computers of strangers are on offer at once, and CallerOffers how many of them one caller
	// may offer. MaxSeats is how many seats all computers play, and CallerSeats how many of them one caller may have
	// given since the service began.
	MaxOffers, CallerOffers, MaxSeats, CallerSeats int
	// State says what has become of a post.
	State func(ctx context.Context, account string, p *logv1.ComputerPost) State
}

// State is what has become of a post.
type State int

const (
	// Unknown says that it cannot be told now.
	Unknown State = iota
	// Plays says that the computer holds the seat and the game goes on.
	Plays
	// Lost says that it does not hold the seat, or not yet.
	Lost
	// Gone says that the game is over.
	Gone
)

// Desk knows the computers. Use [New].
type Desk struct {
	Config
	mu     sync.Mutex
	offers map[string]*Offer
	// given says who gave each seat, by game and seat.
	given map[[2]string]string
	// brought says when each caller first offered an account that the book did not have, for a day.
	brought map[string][]time.Time
	swept   time.Time
	// writing lets one goroutine change the book at a time; other processes are kept apart by the store.
	writing sync.Mutex
}

// New makes a desk.
func New(c Config) *Desk {
	return &Desk{Config: c, offers: make(map[string]*Offer), given: make(map[[2]string]string),
		brought: make(map[string][]time.Time)}
}

// Offer is a computer on offer by a stream.
type Offer struct {
	// ID is that of the account, and Run names the stream.
	ID, Run string
	// From is the caller who offers it; empty for one who is not bounded.
	From string
	// Shown is what lists show, but for how many seats it plays.
	Shown *v1.Computer
	// Replaced is closed when a later stream of the account takes its place.
	Replaced chan struct{}
}

// Plays reports whether the computer plays a scenario of a ruleset; an empty scenario is any, and so is an empty
// ruleset.
func (o *Offer) Plays(ruleset, scenario string) bool {
	return ruleset == "" || slices.ContainsFunc(o.Shown.Repertoire, func(r *v1.Repertoire) bool {
		return r.Ruleset == ruleset &&
			(scenario == "" || len(r.Scenarios) == 0 || slices.Contains(r.Scenarios, scenario))
	})
}

// Begin puts a computer on offer. Its name must not look like that of another.
func (d *Desk) Begin(ctx context.Context, o *Offer) error {
	title := key(o.Shown.Title)
	for _, h := range d.House {
		if h.ID != o.ID && key(h.Title) == title {
			return nameTaken(o)
		}
	}
	now := d.Clock()
	if o.Shown.House { // its name is kept for it without being written down
		return d.enter(o)
	}
	brings := false
	err := d.change(ctx, func(book *logv1.ComputerBook) (bool, error) {
		for _, a := range book.Accounts {
			if a.Id != o.ID && key(a.Title) == title {
				return false, nameTaken(o)
			}
		}
		a := account(book, o.ID)
		if brings = a == nil; brings {
			if err := d.mayBring(o, now); err != nil {
				return false, err
			}
		}
		if err := d.enter(o); err != nil {
			return false, err
		}
		if a != nil && a.Title == o.Shown.Title && !stale(a, now) {
			return false, nil
		}
		write(book, o, now)
		return true, nil
	})
	switch {
	case err != nil:
		d.leave(o)
	case brings && o.From != "":
		d.mu.Lock()
		d.brought[o.From] = append(d.brought[o.From], now)
		d.mu.Unlock()
	}
	return err
}

// newOffers is how many accounts that the book does not have one caller may offer in a day, for each computer that it
// may have on offer at once. Otherwise it could have the book forget the names of others.
const newOffers = 4

// mayBring says why a caller may not offer one more account that the book does not have.
func (d *Desk) mayBring(o *Offer, now time.Time) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	for from, times := range d.brought {
		times = slices.DeleteFunc(times, func(t time.Time) bool { return now.Sub(t) >= 24*time.Hour })
		if d.brought[from] = times; len(times) == 0 {
			delete(d.brought, from)
		}
	}
	n, limit := len(d.brought[o.From]), newOffers*min(d.CallerOffers, math.MaxInt/newOffers)
	if o.From != "" && n >= limit {
		return fault.New(fault.TooManyComputers, "%d new computers were offered from this address in a day", n).
			With("limit", limit).Quota("new computers of one caller in a day")
	}
	return nil
}

func nameTaken(o *Offer) error {
	return fault.New(fault.ComputerNameTaken, "another computer has the name %q already", o.Shown.Title)
}

// enter puts an offer on the list, in place of an earlier one of its account. Entering again changes nothing.
func (d *Desk) enter(o *Offer) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	old := d.offers[o.ID]
	if old == o {
		return nil
	}
	strangers, mine := 0, 0
	for _, other := range d.offers {
		if other == old || other.Shown.House {
			continue
		}
		strangers++
		if o.From != "" && other.From == o.From {
			mine++
		}
	}
	switch {
	case o.Shown.House:
	case strangers >= d.MaxOffers:
		return fault.New(fault.TooManyComputers, "%d computers are on offer already", strangers).
			With("limit", d.MaxOffers).Quota("computers on offer")
	case mine >= d.CallerOffers && o.From != "":
		return fault.New(fault.TooManyComputers, "%d computers are on offer from this address", mine).
			With("limit", d.CallerOffers).Quota("computers on offer by one caller")
	}
	if old != nil {
		close(old.Replaced)
	}
	d.offers[o.ID] = o
	return nil
}

func (d *Desk) leave(o *Offer) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.offers[o.ID] == o {
		delete(d.offers, o.ID)
	}
}

// End takes a computer off the list, and lets other streams of its account have its posts.
func (d *Desk) End(o *Offer) {
	d.leave(o)
	if !d.Store.Shared() {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	// The claims run out by themselves if they cannot be given up.
	_ = d.change(ctx, func(book *logv1.ComputerBook) (changed bool, err error) {
		for _, p := range account(book, o.ID).GetPosts() {
			if p.Runner == o.Run {
				p.Runner, p.LeaseTime, changed = "", nil, true
			}
		}
		return changed, nil
	})
}

// Find returns a computer that is on offer; nil if it is not.
func (d *Desk) Find(id string) *Offer {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.offers[id]
}

// Number is how many computers are on offer here.
func (d *Desk) Number() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.offers)
}

// Seats is how many seats all computers play, at every server of the store.
func (d *Desk) Seats(ctx context.Context) (n int, err error) {
	book, _, err := d.read(ctx)
	for _, a := range book.GetAccounts() {
		n += len(a.Posts)
	}
	return n, err
}

// List returns what is on offer for a ruleset and a scenario: the server's own first, then by title and name.
func (d *Desk) List(ctx context.Context, lang, ruleset, scenario string) ([]*v1.Computer, error) {
	book, _, err := d.read(ctx)
	if err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	var out []*v1.Computer
	for _, o := range d.offers {
		if o.Plays(ruleset, scenario) {
			shown := proto.CloneOf(o.Shown)
			shown.Seats = int32(len(account(book, o.ID).GetPosts()))
			out = append(out, shown)
		}
	}
	slices.SortFunc(out, func(a, b *v1.Computer) int { return cmp.Compare(a.Name, b.Name) })
	alphabet.Sort(lang, out, func(c *v1.Computer) alphabet.Name { return alphabet.Name{Text: c.Title} })
	house := func(c *v1.Computer) int {
		if c.House {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(out, func(a, b *v1.Computer) int { return cmp.Compare(house(a), house(b)) })
	return out, nil
}

// Wait waits until the book has changed since a mark, or the context ends.
func (d *Desk) Wait(ctx context.Context, since eventstore.Mark) {
	_, _ = d.Store.Wait(ctx, streams.Computing, since) // whoever waits looks again in any case
}
