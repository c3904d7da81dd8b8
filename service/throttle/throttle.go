// Package throttle bounds what one caller may ask of a server, so that no caller can take it from the others.
//
// Everything counts by address: IPv4 whole, IPv6 by its /64. An address has one bound for all its calls, and a smaller
// one for those of strangers. A stranger is a caller without a token, or with one that nobody has checked: tokens can
// be invented. Once the service has found that a token opens something, its calls count in a bucket of their own, and
// still in that of the address. A call that needs no token, returns a new one, or makes the server send something
// counts as a stranger's, whatever token it brings. Games, seats and their tokens are free for the asking, so nobody
// gets more room by collecting them.
package throttle

import (
	"context"
	"net/netip"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"github.com/warledger/warledger/service/fault"
)

const (
	// mostKnown bounds how many callers are remembered. Beyond it unknown callers share a bucket.
	mostKnown = 50_000
	// tokenRest is how long an unused token counts as checked.
	tokenRest = time.Hour
	// day is the period of the bounds on an address's games and stored bytes.
	day = 24 * time.Hour
)

// Cost is what a call costs.
type Cost struct {
	// Units are multiples of the cheapest call; 0 for a request that is not a call of the service, which costs one
	// when it comes.
	Units int
	// Stays is true for a stream that stays open until its caller leaves.
	Stays bool
	// Stranger is true for a call that counts by its address, whatever token it brings.
	Stranger bool
}

// Options are what a caller may ask for. A zero rate or number is no bound.
type Options struct {
	// CallerRate and AddressRate are units a second: for one checked token or all strangers of an address, and for one
	// address.
	CallerRate, AddressRate float64
	// Burst is how many seconds' allowance a burst may use; 4.
	Burst float64
	// Watches is how many streams one address may have open at once.
	Watches int
	// Calls is how many calls one address may have under way at once, and AllCalls how many there may be in all.
	Calls, AllCalls int
	// AllUnread is how many bytes of answers all callers may leave unread together; beyond it all calls are refused.
	AllUnread int
	// Connections is how many connections one address may have at once, and AllConnections how
	// many there may be in all.
	Connections, AllConnections int
	// Games is how many games one address may create in a day, and Bytes how many bytes it may store in a day.
	Games, Bytes int
	// Proxies are those whose X-Forwarded-For is believed.
	Proxies []netip.Prefix
	// Free are networks without bounds by address, such as that of a bot on the same host.
	Free []netip.Prefix
	// Cost says what a call costs.
	Cost func(method string) Cost
	// Clock gives the time; time.Now if nil.
	Clock func() time.Time
}

// Throttle admits calls. Use [New].
type Throttle struct {
	o     Options
	mu    sync.Mutex
	known map[key]*share
	swept time.Time
	// calls and connections are how many there are in all, and unread how many bytes of answers are not sent yet.
	calls, connections, unread int
	// turned is how many were refused at the door.
	turned int
	// conns are the connections that came through Listen, by their two ends.
	conns map[string]*counted
}

// New makes a throttle.
func New(o Options) *Throttle {
	if o.Clock == nil {
		o.Clock = time.Now
	}
	if o.Burst <= 0 {
		o.Burst = 4
	}
	return &Throttle{o: o, known: make(map[key]*share), conns: make(map[string]*counted), swept: o.Clock()}
}

// Admit takes a call's cost, or says when to come again. Call done when the call has ended.
func (t *Throttle) Admit(ctx context.Context, method string) (done func(), err error) {
	from, bounded := t.caller(ctx)
	if !bounded {
		return func() {}, nil
	}
	cost := t.o.Cost(method)
	t.mu.Lock()
	defer t.mu.Unlock()
	now := t.o.Clock()
	t.sweep(now)
	address := t.share(addressKey(from))
	if err := address.take(&address.all, t.o.AddressRate, t.o.Burst, cost.Units, now); err != nil {
		return nil, err
	}
	caller := address
	if !cost.Stranger {
		if checked := t.checked(ctx); checked != nil {
			caller = checked
		}
	}
	if err := caller.take(&caller.own, t.o.CallerRate, t.o.Burst, cost.Units, now); err != nil {
		return nil, err
	}
	if !cost.Stays || t.o.Watches <= 0 {
		return func() {}, nil
	}
	if address.watches >= t.o.Watches {
		return nil, fault.New(fault.TooManyWatchers, "%d streams are open from this address already", address.watches).
			With("limit", t.o.Watches).Quota("watches of one address")
	}
	address.watches++
	return sync.OnceFunc(func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		address.watches--
	}), nil
}

// Caller is the address that a call comes from, or its network: tokens can be invented. It is empty for
// addresses without bounds.
func (t *Throttle) Caller(ctx context.Context) string {
	from, bounded := t.caller(ctx)
	if !bounded {
		return ""
	}
	return networkOf(from).String()
}

// Charge takes units from the address of a call for work that it turned out to need. It refuses nothing: later calls
// wait longer.
func (t *Throttle) Charge(ctx context.Context, units int) {
	from, bounded := t.caller(ctx)
	if !bounded || units <= 0 {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	now, address := t.o.Clock(), t.share(addressKey(from))
	address.owe(&address.all, t.o.AddressRate, t.o.Burst, units, now)
	caller := address
	if checked := t.checked(ctx); checked != nil {
		caller = checked
	}
	caller.owe(&caller.own, t.o.CallerRate, t.o.Burst, units, now)
}

// caller is the address of a call, and whether it is bounded.
func (t *Throttle) caller(ctx context.Context) (from netip.Addr, bounded bool) {
	from = t.address(ctx)
	return from, from.IsValid() && (!within(from, t.o.Free) || forwarded(ctx))
}

// key is a token's digest, or an address: for IPv6 its network, because every customer has a whole one.
type key struct {
	token   [16]byte
	network netip.Prefix
}

func addressKey(from netip.Addr) key { return key{network: networkOf(from)} }

// others is the key that callers share who cannot be remembered.
var others = key{token: [16]byte{2}}

// share is what one address or one checked token has. Its buckets are made when they are first needed.
type share struct {
	// own is the bucket of a token, or of all strangers of an address; all is that of everything from an address.
	own, all *rate.Limiter
	// games and bytes are the daily buckets of an address.
	games, bytes *rate.Limiter
	// watches, calls and connections are what an address has open.
	watches, calls, connections int
	// unread is how many bytes of answers to an address are not sent yet.
	unread int
	// used is when a token was last brought.
	used time.Time
}

// bucket returns a bucket, and makes it if needed.
func bucket(b **rate.Limiter, perSecond, burst float64) *rate.Limiter {
	if *b == nil {
		*b = rate.NewLimiter(rate.Limit(perSecond), max(1, int(burst)))
	}
	return *b
}

// take takes units out of a bucket. Callers hold the lock.
func (*share) take(b **rate.Limiter, perSecond, seconds float64, units int, now time.Time) error {
	if perSecond <= 0 {
		return nil
	}
	full := bucket(b, perSecond, perSecond*seconds)
	r := full.ReserveN(now, min(units, full.Burst()))
	wait := r.DelayFrom(now)
	if wait == 0 {
		return nil
	}
	r.CancelAt(now)
	return tooMuch(perSecond, wait)
}

func tooMuch(perSecond float64, wait time.Duration) error {
	return fault.New(fault.RateLimited, "more is asked for than %g units a second; the same request is served in %s",
		perSecond, wait.Round(time.Millisecond)).
		With("limit", perSecond).Quota("units a second").RetryAfter(wait)
}

// owe takes units out of a bucket even if they are not there. Callers hold the lock.
func (*share) owe(b **rate.Limiter, perSecond, seconds float64, units int, now time.Time) {
	if perSecond > 0 {
		full := bucket(b, perSecond, perSecond*seconds)
		full.ReserveN(now, min(units, full.Burst()))
	}
}

// share finds the share of a key. Callers hold the lock.
func (t *Throttle) share(k key) *share {
	s := t.known[k]
	if s == nil {
		if len(t.known) >= mostKnown {
			k = others
			if s = t.known[k]; s != nil {
				return s
			}
		}
		s = new(share)
		t.known[k] = s
	}
	return s
}

// sweep forgets callers that have nothing open and full buckets, every minute or when there are too many. Only the
// knowledge that a token was checked is lost with them, and that only after a rest or for lack of room. Callers hold
// the lock.
func (t *Throttle) sweep(now time.Time) {
	crowded := len(t.known) >= mostKnown
	if since := now.Sub(t.swept); since < time.Second || since < time.Minute && !crowded {
		return
	}
	t.swept = now
	for k, s := range t.known {
		if s.idle(now) && (k.network.IsValid() || crowded || now.Sub(s.used) > tokenRest) {
			delete(t.known, k)
		}
	}
}

// idle reports whether a share is as good as a new one. Callers hold the lock.
func (s *share) idle(now time.Time) bool {
	for _, b := range []*rate.Limiter{s.own, s.all, s.games, s.bytes} {
		if b != nil && b.TokensAt(now) < float64(b.Burst()) {
			return false
		}
	}
	return s.watches+s.calls+s.connections+s.unread == 0
}
