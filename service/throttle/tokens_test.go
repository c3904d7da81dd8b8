package throttle_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/throttle"
)

func bearing(address string, token any) context.Context {
	return from(address, "authorization", fmt.Sprintf("Bearer %v", token))
}

// TestCheckedTokens: tokens that have opened something count in buckets of their own, from whatever address they come
// and however they are spelt. The bound of the address still holds.
func TestCheckedTokens(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, method string
		tokens       int
		person       string
		ctx          func(int) context.Context
		want         int
	}{
		{"one of many addresses", "cheap", 1, "",
			func(i int) context.Context { return bearing(fmt.Sprintf("192.0.2.%d", i), 0) }, 10},
		{"five of one address", "cheap", 5, "", func(i int) context.Context { return bearing("192.0.2.1", i%5) }, 50},
		{"all of one address", "cheap", 200, "", func(i int) context.Context { return bearing("192.0.2.1", i) }, 100},
		{"one, spelt in many ways", "cheap", 1, "", func(i int) context.Context {
			return from("192.0.2.1", "authorization",
				[]string{"Bearer 0", "bearer 0", "BEARER   0 ", " Bearer 0", "Bearer 0,Bearer x", "x 0"}[i%6])
		}, 10},
		{"many of one person", "cheap", 200, "ann", func(i int) context.Context { return bearing("192.0.2.1", i) }, 10},
		{"what makes games and tokens", "create", 200, "",
			func(i int) context.Context { return bearing("192.0.2.1", i) }, 10},
	} {
		th, _ := bound()
		for i := range c.tokens {
			th.Checked(bearing("192.0.2.1", i), c.person, true)
		}
		if got := admitted(t, th, c.method, 200, c.ctx); got != c.want {
			t.Errorf("%s: %d calls are admitted, want %d", c.name, got, c.want)
		}
	}
}

// TestTokensThatOpenNothingMore: a token counts as a stranger's once it opens nothing, and a player is served even if
// strangers at the same address have used up all their units.
func TestTokensThatOpenNothingMore(t *testing.T) {
	t.Parallel()
	th, c := bound()
	player := bearing("192.0.2.1", "player")
	th.Checked(player, "", true)
	th.Checked(from("192.0.2.1"), "", true) // without a token there is nothing to remember
	admitted(t, th, "cheap", 20, always(from("192.0.2.1")))
	if got := admitted(t, th, "cheap", 20, always(player)); got != 10 {
		t.Errorf("%d of the player's calls are admitted beside a flood of strangers, want 10", got)
	}
	c.now = c.now.Add(30 * time.Minute)
	admitted(t, th, "cheap", 20, always(from("192.0.2.1")))
	if got := admitted(t, th, "cheap", 20, always(player)); got != 10 {
		t.Errorf("after half an hour %d of the player's calls are admitted, want 10", got)
	}
	th.Checked(player, "", false)
	if got := admitted(t, th, "cheap", 20, always(player)); got != 0 {
		t.Errorf("%d calls with a revoked token are admitted beside a flood of strangers, want none", got)
	}
}

// TestCharge: later calls pay for work that a call turned out to need.
func TestCharge(t *testing.T) {
	t.Parallel()
	th, c := bound()
	ctx := from("192.0.2.1")
	if got := admitted(t, th, "cheap", 1, always(ctx)); got != 1 {
		t.Fatal("the call is not admitted")
	}
	th.Charge(ctx, 1000) // no more than all that can be saved up
	if got := admitted(t, th, "cheap", 20, always(ctx)); got != 0 {
		t.Errorf("%d more are admitted", got)
	}
	c.now = c.now.Add(2 * time.Second)
	if got := admitted(t, th, "cheap", 20, always(ctx)); got == 0 {
		t.Error("none is admitted any more")
	}
}

// TestOfADay bounds the games that an address creates in a day, and the bytes that it stores.
func TestOfADay(t *testing.T) {
	t.Parallel()
	th, c := bound(func(o *throttle.Options) { o.Games, o.Bytes = 3, 1000 })
	make := func(address string) (func(), error) {
		return th.Game(from(address, "authorization", "Bearer "+address))
	}
	var undo func()
	for range 3 {
		var err error
		if undo, err = make("2001:db8::1"); err != nil {
			t.Fatal(err)
		}
	}
	var refused *fault.Error
	if _, err := make("2001:db8::2"); !errors.As(err, &refused) || refused.Reason != fault.TooManyGames {
		t.Errorf("a fourth: %v", err)
	}
	undo()
	if _, err := make("2001:db8::3"); err != nil {
		t.Errorf("in place of one that was not made: %v", err)
	}
	if _, err := make("192.0.2.1"); err != nil {
		t.Errorf("elsewhere: %v", err)
	}
	c.now = c.now.Add(8 * time.Hour)
	if _, err := make("2001:db8::4"); err != nil {
		t.Errorf("after a third of a day: %v", err)
	}
	ctx := from("192.0.2.1")
	for i, want := range []bool{true, true, true, false, false} {
		if err := th.Store(ctx, 400); (err == nil) != want {
			t.Errorf("part %d: %v", i, err)
		}
	}
	if err := th.Store(from("192.0.2.2"), 5000); err != nil {
		t.Errorf("one that is larger than all of a day: %v", err)
	}
	c.now = c.now.Add(6 * time.Hour)
	if err := th.Store(ctx, 1); err != nil {
		t.Errorf("six hours later: %v", err)
	}
}

// TestTokensAreForgotten: a token that was not used for more than an hour is, and its address with it.
func TestTokensAreForgotten(t *testing.T) {
	t.Parallel()
	th, c := bound()
	th.Checked(bearing("192.0.2.1", "player"), "", true)
	for _, step := range []struct {
		after time.Duration
		want  int
	}{{59 * time.Minute, 2}, {2 * time.Minute, 1}} {
		c.now = c.now.Add(step.after)
		admitted(t, th, "cheap", 1, always(from("192.0.2.1")))
		if got := th.Known(); got != step.want {
			t.Errorf("%s later %d are remembered, want %d", step.after, got, step.want)
		}
	}
}

// TestTokensThatNeverOpenAnything: a token that opens nothing any more is not remembered.
func TestTokensThatNeverOpenAnything(t *testing.T) {
	t.Parallel()
	th, _ := bound()
	player := bearing("192.0.2.1", "player")
	for i, opened := range []bool{true, false} {
		th.Checked(player, "", opened)
		if got, want := th.Known(), 1-i; got != want {
			t.Errorf("opened %t: %d are remembered, want %d", opened, got, want)
		}
	}
}

// TestCharges: what a call costs beyond its price comes from the same buckets, be it a single unit
// or more than there is.
func TestCharges(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ units, times, want int }{{1, 4, 6}, {3, 2, 4}, {0, 5, 10}, {-5, 1, 10}, {1000, 1, 0}} {
		th, _ := bound()
		ctx := from("192.0.2.1")
		for range c.times {
			th.Charge(ctx, c.units)
		}
		if got := admitted(t, th, "cheap", 20, always(ctx)); got != c.want {
			t.Errorf("%d charges of %d leave %d units, want %d", c.times, c.units, got, c.want)
		}
	}
}
