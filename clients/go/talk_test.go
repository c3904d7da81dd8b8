package warledger_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	warledger "github.com/warledger/warledger/clients/go"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// TestListenOutlivesTheServer: what is said and deleted while a listener is cut off comes when it is back, and nothing
// comes twice.
func TestListenOutlivesTheServer(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	wallet := new(warledger.Wallet)
	c := dial(t, h.addr, warledger.WithTokens(wallet))
	red, blue := seated(t, c, wallet)
	say := func(text string) *v1.Message {
		t.Helper()
		m, err := red.Say(t.Context(), warledger.Saying{Text: text})
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	for n := range 3 {
		say(fmt.Sprint("word ", n))
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	type change struct{ Said, Gone string }
	heard, ended := make(chan change, 100), make(chan struct{})
	names := map[string]string{}
	go func() {
		defer close(ended)
		for u, err := range blue.Listen(ctx, warledger.ListenOptions{Backlog: 2, Heartbeat: 100 * time.Millisecond}) {
			switch {
			case err != nil && ctx.Err() == nil:
				t.Error(err)
				return
			case err != nil:
				return
			case u.Message != nil:
				names[u.Message.Name] = u.Message.Text
				heard <- change{Said: u.Message.Text}
			case u.Deleted != "":
				heard <- change{Gone: names[u.Deleted]}
			case u.CaughtUp:
				heard <- change{}
			}
		}
	}()
	want := func(list ...change) {
		t.Helper()
		for _, w := range list {
			select {
			case got := <-heard:
				if diff := cmp.Diff(w, got); diff != "" {
					t.Fatalf("(-want +got):\n%s", diff)
				}
			case <-time.After(30 * time.Second):
				t.Fatalf("nothing came, want %v", w)
			}
		}
	}
	want(change{Said: "word 1"}, change{Said: "word 2"}, change{})
	gone := say("soon gone")
	want(change{Said: "soon gone"})
	h.stop(0)
	h.start()
	if err := red.DeleteMessage(t.Context(), gone.Name); err != nil {
		t.Fatal(err)
	}
	want(change{Gone: "soon gone"})
	say("after")
	want(change{Said: "after"})
	stop()
	<-ended
	if len(heard) > 0 {
		t.Errorf("then came %v", <-heard)
	}
}

// TestMessagesComeInPages reads more than a page holds, and the newest few.
func TestMessagesComeInPages(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	wallet := new(warledger.Wallet)
	c := dial(t, h.addr, warledger.WithTokens(wallet))
	red, blue := seated(t, c, wallet)
	for n := range 9 {
		s := warledger.Saying{Text: fmt.Sprint(n), Audience: v1.Audience_AUDIENCE_SIDE}
		if _, err := red.Say(t.Context(), s); err != nil {
			t.Fatal(err)
		}
	}
	for most, want := range map[int]string{0: "012345678", 4: "5678", 1: "8", 20: "012345678"} {
		list, err := red.Messages(t.Context(), v1.Audience_AUDIENCE_SIDE, "red", most)
		got := ""
		for _, m := range list {
			got += m.Text
		}
		if err != nil || got != want {
			t.Errorf("of %d: %q, %v; want %q", most, got, err, want)
		}
	}
	if list, err := blue.Messages(t.Context(), 0, "blue", 0); err != nil || len(list) > 0 {
		t.Errorf("blue reads %v, %v", list, err)
	}
}
