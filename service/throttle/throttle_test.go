package throttle_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strings"
	"testing"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/peer"

	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/throttle"
)

// clock is a time that the test moves.
type clock struct{ now time.Time }

func (c *clock) read() time.Time { return c.now }

// bound makes a throttle in which "cheap" costs 1, "dear" 10, and "watch" 1 and stays open.
func bound(set ...func(*throttle.Options)) (*throttle.Throttle, *clock) {
	c := &clock{time.Unix(1_000_000, 0)}
	o := throttle.Options{CallerRate: 10, AddressRate: 100, Burst: 1, Watches: 2, Clock: c.read,
		Cost: func(method string) throttle.Cost {
			units := map[string]int{"cheap": 1, "dear": 10, "watch": 1, "create": 1}[method]
			return throttle.Cost{Units: units, Stays: method == "watch", Stranger: method == "create"}
		}}
	for _, f := range set {
		f(&o)
	}
	return throttle.New(o), c
}

// from is a call of an address with headers.
func from(address string, headers ...string) context.Context {
	ctx := peer.NewContext(context.Background(), &peer.Peer{Addr: &net.TCPAddr{IP: net.ParseIP(address), Port: 99}})
	return metadata.NewIncomingContext(ctx, metadata.Pairs(headers...))
}

// admitted counts how many of n calls are.
func admitted(t *testing.T, th *throttle.Throttle, method string, n int, ctx func(int) context.Context) int {
	t.Helper()
	ok := 0
	for i := range n {
		if _, err := th.Admit(ctx(i), method); err == nil {
			ok++
		}
	}
	return ok
}

func always(ctx context.Context) func(int) context.Context {
	return func(int) context.Context { return ctx }
}

// TestCaller names callers by where they come from, whatever tokens they bring.
func TestCaller(t *testing.T) {
	t.Parallel()
	th, _ := bound(func(o *throttle.Options) {
		o.Free, o.Proxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")},
			[]netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}
	})
	for _, c := range []struct {
		ctx  context.Context
		want string
	}{
		{from("192.0.2.1", "authorization", "Bearer a"), "192.0.2.1/32"},
		{from("192.0.2.1", "authorization", "Bearer b", "x-forwarded-for", "192.0.2.9"), "192.0.2.1/32"},
		{from("10.1.1.1", "x-forwarded-for", "192.0.2.9"), "192.0.2.9/32"},
		{from("2001:db8::1"), "2001:db8::/64"},
		{from("127.0.0.1"), ""},
		{from("127.0.0.1", "x-forwarded-for", "192.0.2.9"), "127.0.0.1/32"},
		{context.Background(), ""},
	} {
		if got := th.Caller(c.ctx); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

func TestShares(t *testing.T) {
	t.Parallel()
	token := func(i int) []string { return []string{"authorization", fmt.Sprintf("Bearer %d", i)} }
	for _, c := range []struct {
		name, method string
		ctx          func(int) context.Context
		want         int
	}{
		{"one caller", "cheap", always(from("192.0.2.1")), 10},
		{"one caller's costly calls", "dear", always(from("192.0.2.1")), 1},
		{"an invented token from many addresses", "cheap",
			func(i int) context.Context { return from(fmt.Sprintf("192.0.2.%d", i), token(1)...) }, 200},
		{"invented tokens from one address", "cheap",
			func(i int) context.Context { return from("192.0.2.1", token(i)...) }, 10},
		{"one network of IPv6, with invented tokens", "cheap",
			func(i int) context.Context { return from(fmt.Sprintf("2001:db8::%x", i+1), token(i)...) }, 10},
		{"an address of IPv4 in IPv6", "cheap",
			func(i int) context.Context { return from([]string{"192.0.2.1", "::ffff:192.0.2.1"}[i%2]) }, 10},
		{"many addresses", "cheap",
			func(i int) context.Context { return from(fmt.Sprintf("192.0.%d.%d", i/250, i%250)) }, 200},
		{"one network of IPv6", "cheap",
			func(i int) context.Context { return from(fmt.Sprintf("2001:db8::%x", i+1)) }, 10},
		{"networks of IPv6", "cheap",
			func(i int) context.Context { return from(fmt.Sprintf("2001:db8:0:%x::1", i+1)) }, 200},
		{"a header that anyone can send", "cheap", func(i int) context.Context {
			return from("192.0.2.1", "x-forwarded-for", fmt.Sprintf("198.51.100.%d", i))
		}, 10},
	} {
		th, _ := bound()
		if got := admitted(t, th, c.method, 200, c.ctx); got != c.want {
			t.Errorf("%s: %d calls are admitted, want %d", c.name, got, c.want)
		}
	}
}

func TestRefusalSaysWhenToComeAgain(t *testing.T) {
	t.Parallel()
	th, c := bound()
	ctx := from("192.0.2.1")
	if got := admitted(t, th, "cheap", 10, always(ctx)); got != 10 {
		t.Fatalf("%d are admitted", got)
	}
	_, err := th.Admit(ctx, "dear")
	var refused *fault.Error
	if !errors.As(err, &refused) || refused.Reason != fault.RateLimited {
		t.Fatalf("got %v", err)
	}
	var retry *errdetails.RetryInfo
	quota := false
	for _, d := range refused.GRPCStatus().Details() {
		switch d := d.(type) {
		case *errdetails.RetryInfo:
			if retry != nil {
				t.Error("it says twice when to come again")
			}
			retry = d
		case *errdetails.QuotaFailure:
			quota = true
		}
	}
	if !quota || retry == nil || retry.RetryDelay.AsDuration() != time.Second {
		t.Fatalf("details %v", refused.GRPCStatus().Details())
	}
	c.now = c.now.Add(retry.RetryDelay.AsDuration())
	if _, err := th.Admit(ctx, "dear"); err != nil {
		t.Errorf("after that time: %v", err)
	}
}

func TestProxiesAndFreeAddresses(t *testing.T) {
	t.Parallel()
	th, _ := bound(func(o *throttle.Options) {
		o.Proxies = []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}
		o.Free = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
	})
	through := func(hops string) func(int) context.Context { return always(from("10.0.0.1", "x-forwarded-for", hops)) }
	for _, c := range []struct {
		name string
		ctx  func(int) context.Context
		want int
	}{
		{"by a proxy", through("192.0.2.1"), 10},
		{"by two proxies, with an invention in front", through("8.8.8.8, 192.0.2.2, 10.0.0.2"), 10},
		{"the same caller with another invention", through("9.9.9.9, 192.0.2.2, 10.0.0.2"), 0},
		{"nonsense", through("what"), 10},
		{"a free address", always(from("127.0.0.1")), 50},
		{"a proxy that nobody spoke of", always(from("127.0.0.1", "x-forwarded-for", "192.0.2.3")), 10},
	} {
		if got := admitted(t, th, "cheap", 50, c.ctx); got != c.want {
			t.Errorf("%s: %d calls are admitted, want %d", c.name, got, c.want)
		}
	}
}

func TestWatchesOfOneAddress(t *testing.T) {
	t.Parallel()
	th, _ := bound()
	ctx := from("192.0.2.1")
	end, err := th.Admit(ctx, "watch")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := th.Admit(ctx, "watch"); err != nil {
		t.Fatal(err)
	}
	var refused *fault.Error
	if _, err := th.Admit(ctx, "watch"); !errors.As(err, &refused) || refused.Reason != fault.TooManyWatchers {
		t.Errorf("a third: %v", err)
	}
	if _, err := th.Admit(from("192.0.2.2"), "watch"); err != nil {
		t.Errorf("from elsewhere: %v", err)
	}
	end()
	end() // once is enough
	if got := admitted(t, th, "watch", 3, always(ctx)); got != 1 {
		t.Errorf("%d more, want 1", got)
	}
}

// TestTheLeastBounds: one watch and one call of an address are bounds, and the bytes of a day may be used to the last.
func TestTheLeastBounds(t *testing.T) {
	t.Parallel()
	th, _ := bound(func(o *throttle.Options) { o.Watches, o.Calls, o.Bytes = 1, 1, 100 })
	ctx := from("192.0.2.1")
	if got := admitted(t, th, "watch", 3, always(ctx)); got != 1 {
		t.Errorf("%d watches, want 1", got)
	}
	if _, err := th.Enter(ctx, "cheap"); err != nil {
		t.Error(err)
	}
	if _, err := th.Enter(ctx, "cheap"); err == nil {
		t.Error("a second call is under way")
	}
	for i, bytes := range []int{100, 1, 1} {
		if err := th.Store(ctx, bytes); (err == nil) != (i < 2) {
			t.Errorf("write %d: %v", i+1, err)
		}
	}
}

// TestMemoryIsBounded has more callers than are remembered: those beyond share a bucket, and are forgotten
// once it is full again.
func TestMemoryIsBounded(t *testing.T) {
	t.Parallel()
	th, c := bound(func(o *throttle.Options) { o.AddressRate = 0 })
	ctx := func(i int) context.Context {
		return from(netip.AddrFrom4([4]byte{1, byte(i >> 16), byte(i >> 8), byte(i)}).String())
	}
	if got := admitted(t, th, "cheap", 50_100, ctx); got != 50_010 {
		t.Errorf("%d are admitted, want 50000 and 10 that share", got)
	}
	if got := th.Known(); got != 50_001 {
		t.Errorf("%d are remembered, want 50000 and those that share", got)
	}
	c.now = c.now.Add(time.Minute)
	others := func(i int) context.Context { return ctx(i + 100_000) }
	if got := admitted(t, th, "cheap", 50_000, others); got != 50_000 {
		t.Errorf("after a minute %d others are admitted", got)
	}
	if got := th.Known(); got != 50_000 {
		t.Errorf("after a minute %d are remembered, want the others alone", got)
	}
	c.now = c.now.Add(time.Second) // more often while there are too many
	if got := admitted(t, th, "cheap", 20, ctx); got != 20 || th.Known() != 20 {
		t.Errorf("a second later %d are admitted and %d remembered, want 20", got, th.Known())
	}
}

// TestOnlyFullBucketsAreForgotten: an address that has used up its games of the day gets none by waiting until the
// throttle forgets callers.
func TestOnlyFullBucketsAreForgotten(t *testing.T) {
	t.Parallel()
	th, c := bound(func(o *throttle.Options) { o.Games = 1 })
	ctx := from("192.0.2.1")
	if _, err := th.Game(ctx); err != nil {
		t.Fatal(err)
	}
	c.now = c.now.Add(2 * time.Minute)
	admitted(t, th, "cheap", 1, always(from("192.0.2.2")))
	if _, err := th.Game(ctx); err == nil {
		t.Error("two minutes later there is another game")
	}
	if got := th.Known(); got != 2 {
		t.Errorf("%d are remembered, want 2", got)
	}
}

// TestBurstByDefault: without a burst in the options four seconds' worth of units is saved up.
func TestBurstByDefault(t *testing.T) {
	t.Parallel()
	th, _ := bound(func(o *throttle.Options) { o.Burst = 0 })
	if got := admitted(t, th, "cheap", 50, always(from("192.0.2.1"))); got != 40 {
		t.Errorf("%d are admitted at once, want 40", got)
	}
}

// retryAfter is the time that a refusal names; negative if the error is none.
func retryAfter(err error) time.Duration {
	var refused *fault.Error
	if errors.As(err, &refused) {
		for _, d := range refused.GRPCStatus().Details() {
			if retry, ok := d.(*errdetails.RetryInfo); ok {
				return retry.RetryDelay.AsDuration()
			}
		}
	}
	return -1
}

// TestEveryRefusalSaysWhenToComeAgain: at the door, and where bytes are stored, the time is that after which the same
// is let through.
func TestEveryRefusalSaysWhenToComeAgain(t *testing.T) {
	t.Parallel()
	th, c := bound(func(o *throttle.Options) { o.Bytes = 86_400 })
	ctx := from("192.0.2.1")
	enter := func(method string) error {
		leave, err := th.Enter(ctx, method)
		if err == nil {
			leave()
		}
		return err
	}
	admitted(t, th, "cheap", 10, always(ctx))
	err := enter("dear")
	if wait := retryAfter(err); wait != time.Second {
		t.Errorf("at the door: %v, %v", wait, err)
	}
	c.now = c.now.Add(time.Second)
	if err := enter("dear"); err != nil {
		t.Errorf("at the door, after that time: %v", err)
	}
	for range 2 { // one byte a second comes back, and the last write may be too large
		if err := th.Store(ctx, 80_000); err != nil {
			t.Fatal(err)
		}
	}
	err = th.Store(ctx, 1)
	if wait := retryAfter(err); wait != 73_600*time.Second {
		t.Errorf("to store: %v, %v", wait, err)
	}
	c.now = c.now.Add(73_600 * time.Second)
	if err := th.Store(ctx, 1); err != nil {
		t.Errorf("to store, after that time: %v", err)
	}
}

func BenchmarkAdmit(b *testing.B) {
	th, _ := bound(func(o *throttle.Options) { o.CallerRate, o.AddressRate, o.Clock = 1e9, 1e9, nil })
	ctx := from("192.0.2.1", "authorization", "Bearer wl_s_x")
	b.ReportAllocs()
	for b.Loop() {
		done, err := th.Admit(ctx, "cheap")
		if err != nil {
			b.Fatal(err)
		}
		done()
	}
}

// TestManyHops: a stranger may say that a call came by a million proxies. Nothing is made of what nobody trusts, and of
// a trusted proxy's words only the last.
func TestManyHops(t *testing.T) {
	th, _ := bound()
	for _, peer := range []string{"192.0.2.1", "10.1.1.1"} {
		allocated := func(hops string) float64 {
			ctx := from(peer, "x-forwarded-for", hops)
			return testing.AllocsPerRun(3, func() { th.Caller(ctx) })
		}
		if one, million := allocated("192.0.2.9"), allocated(strings.Repeat(",", 1<<20)+"192.0.2.9"); million > one {
			t.Errorf("from %s: %.0f allocations with a million hops, %.0f with one", peer, million, one)
		}
	}
}
