// Package throttle bounds what one caller may ask of a server, so that no caller can take it from the others.
//
// Two buckets must have room for each call: that of the address it comes from and that of its first token, or of the address again when it
// has none. Whoever invents tokens is held by the address; many players behind one address are held apart by their tokens. A call takes as
// much out of the buckets as it costs.
package throttle

import (
	"context"
	"crypto/sha256"
	"net"
	"net/netip"
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/peer"

	"github.com/warledger/warledger/service/fault"
)

// mostKnown bounds how many callers are remembered. Beyond it those not known share a bucket.
const mostKnown = 50_000

// Options are what a caller may ask for. A zero rate or number is no bound.
type Options struct {
	// CallerRate and AddressRate are units of cost a second, for one token and for one address.
	CallerRate, AddressRate float64
	// Burst is how many seconds' worth of units may be saved up; 4.
	Burst float64
	// Watches is how many streams one address may have open at once.
	Watches int
	// Proxies are those whose X-Forwarded-For is believed.
	Proxies []netip.Prefix
	// Free are addresses without bounds, such as that of a bot on the same host.
	Free []netip.Prefix
	// Cost says how many units a call takes, and whether it is a stream that stays open.
	Cost func(method string) (units int, stays bool)
	// Clock gives the time; time.Now if nil.
	Clock func() time.Time
}

// Throttle admits calls. Use [New].
type Throttle struct {
	o     Options
	mu    sync.Mutex
	known map[key]*share
	swept time.Time
}

// key is a token's digest or an address: that of a network for IPv6, of which every customer has a whole one.
type key struct {
	token   [16]byte
	network netip.Prefix
}

// share is what one caller has.
type share struct {
	bucket *rate.Limiter
	open   int
}

// New makes a throttle.
func New(o Options) *Throttle {
	if o.Clock == nil {
		o.Clock = time.Now
	}
	if o.Burst <= 0 {
		o.Burst = 4
	}
	return &Throttle{o: o, known: make(map[key]*share), swept: o.Clock()}
}

// Admit takes a call's cost, or says when to come again. Call done when the call has ended.
func (t *Throttle) Admit(ctx context.Context, method string) (done func(), err error) {
	from := t.address(ctx)
	if !from.IsValid() || within(from, t.o.Free) && !forwarded(ctx) {
		return func() {}, nil
	}
	units, stays := t.o.Cost(method)
	address := key{network: networkOf(from)}
	caller := address
	if token := firstToken(ctx); token != "" {
		sum := sha256.Sum256([]byte(token))
		copy(caller.token[:], sum[:])
		caller.network = netip.Prefix{}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	now := t.o.Clock()
	t.sweep(now)
	if err := t.take(address, t.o.AddressRate, units, now); err != nil {
		return nil, err
	}
	// A caller without a token has a bucket of its own beside its address's, for it is worth less than all who share the address.
	if caller == address {
		caller.token[0] = 1
	}
	if err := t.take(caller, t.o.CallerRate, units, now); err != nil {
		return nil, err
	}
	if !stays || t.o.Watches <= 0 {
		return func() {}, nil
	}
	s := t.share(address, t.o.AddressRate)
	if s.open >= t.o.Watches {
		return nil, fault.New(fault.TooManyWatchers, "%d streams are open from this address already", s.open).
			With("limit", t.o.Watches).Quota("watches of one address")
	}
	s.open++
	return sync.OnceFunc(func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		s.open--
	}), nil
}

// Caller is the address that a call comes from, or its network: tokens can be invented. It is empty for addresses without bounds.
func (t *Throttle) Caller(ctx context.Context) string {
	from := t.address(ctx)
	if !from.IsValid() || within(from, t.o.Free) && !forwarded(ctx) {
		return ""
	}
	return networkOf(from).String()
}

// take takes units out of a bucket. Callers hold the lock.
func (t *Throttle) take(k key, perSecond float64, units int, now time.Time) error {
	if perSecond <= 0 {
		return nil
	}
	b := t.share(k, perSecond).bucket
	r := b.ReserveN(now, min(units, b.Burst()))
	wait := r.DelayFrom(now)
	if wait == 0 {
		return nil
	}
	r.CancelAt(now)
	return fault.New(fault.RateLimited, "more is asked for than %g units a second; the same request is served in %s", perSecond, wait.Round(time.Millisecond)).
		With("limit", perSecond).Quota("units a second").RetryAfter(wait)
}

// share finds what a caller has. Callers hold the lock.
func (t *Throttle) share(k key, perSecond float64) *share {
	s := t.known[k]
	if s == nil {
		if len(t.known) >= mostKnown {
			k = key{token: [16]byte{2}} // all others
			if s = t.known[k]; s != nil {
				return s
			}
		}
		limit := rate.Limit(perSecond)
		if perSecond <= 0 {
			limit = rate.Inf
		}
		s = &share{bucket: rate.NewLimiter(limit, max(1, int(perSecond*t.o.Burst)))}
		t.known[k] = s
	}
	return s
}

// sweep forgets, every minute or when there are too many, who has a full bucket: nothing is lost with it. Callers hold the lock.
func (t *Throttle) sweep(now time.Time) {
	if since := now.Sub(t.swept); since < time.Second || since < time.Minute && len(t.known) < mostKnown {
		return
	}
	t.swept = now
	for k, s := range t.known {
		if s.open == 0 && s.bucket.TokensAt(now) >= float64(s.bucket.Burst()) {
			delete(t.known, k)
		}
	}
}

// address is where a call comes from: the peer, or what the last of our proxies saw.
func (t *Throttle) address(ctx context.Context) netip.Addr {
	p, ok := peer.FromContext(ctx)
	if !ok {
		return netip.Addr{}
	}
	tcp, ok := p.Addr.(*net.TCPAddr)
	if !ok { // a pipe within the process
		return netip.Addr{}
	}
	from := tcp.AddrPort().Addr().Unmap()
	hops := hopsOf(ctx)
	for i := len(hops) - 1; i >= 0 && within(from, t.o.Proxies); i-- {
		hop, err := netip.ParseAddr(hops[i])
		if err != nil {
			break
		}
		from = hop.Unmap()
	}
	return from
}

func hopsOf(ctx context.Context) []string {
	var hops []string
	for _, value := range metadata.ValueFromIncomingContext(ctx, "x-forwarded-for") {
		for hop := range strings.SplitSeq(value, ",") {
			hops = append(hops, strings.TrimSpace(hop))
		}
	}
	return hops
}

// forwarded reports whether a proxy has passed the call on. What comes through one that nobody told us of is not free.
func forwarded(ctx context.Context) bool { return len(hopsOf(ctx)) > 0 }

func within(a netip.Addr, nets []netip.Prefix) bool {
	for _, n := range nets {
		if n.Contains(a) {
			return true
		}
	}
	return false
}

func networkOf(a netip.Addr) netip.Prefix {
	bits := 32
	if a.Is6() {
		bits = 64
	}
	network, _ := a.WithZone("").Prefix(bits) // an address has at least as many bits
	return network
}

// firstToken is the first thing in the metadata "authorization", whatever it is: who invents it gains nothing.
func firstToken(ctx context.Context) string {
	if values := metadata.ValueFromIncomingContext(ctx, "authorization"); len(values) > 0 {
		first, _, _ := strings.Cut(values[0], ",")
		return first
	}
	return ""
}
