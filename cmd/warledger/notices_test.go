package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"github.com/warledger/warledger/eventstore/memory"
	"github.com/warledger/warledger/service"
	"github.com/warledger/warledger/service/webhook"
)

// TestDeadlinesOnTheLine creates a game with deadlines, changes them with consent and takes a holiday.
func TestDeadlinesOnTheLine(t *testing.T) {
	t.Parallel()
	addr := serve(t)
	ann, bob := newPerson(t, addr), newPerson(t, addr)
	var game struct{ Name string }
	ann.json(&game, "create toy ridge --take red --time 72h --bank 120h --lapse open-seat --remind 24h,1h --holidays "+
		"14 --days-off sat,sun --utc-offset 9h")
	bob.do("join "+game.Name+" blue", "deadlines: 72h0m0s for each action, 120h0m0s more in all, then open_seat",
		"blue: until ")
	ann.do("deadlines propose . --time 24h --per turn --lapse forfeit", "proposed: 24h0m0s for each turn, then forfeit",
		"blue must answer")
	bob.do("deadlines answer . no", "stays as it was")
	bob.fails(exitUsage, "deadlines answer . yes", "no deadlines wait")
	ann.do("deadlines propose . --time 24h --holidays 3", "blue must answer")
	bob.do("deadlines answer . yes --record "+bob.asks(),
		"All agree: .* is played by 24h0m0s for each action, then notice")
	bob.do("deadlines holiday . 2", "blue: until ")
	bob.fails(exitRefused, "deadlines holiday . 2", "1 days of holiday left")
	ann.fails(exitUsage, "deadlines propose . --time 1s", "deadlines.allowance")
}

// TestWebhooksOnTheLine has a program told of a game, and mail refused where there is none.
func TestWebhooksOnTheLine(t *testing.T) {
	t.Parallel()
	got := make(chan string, 100)
	receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got <- string(body)
	}))
	t.Cleanup(receiver.Close)
	client := webhook.New(
		webhook.Options{Guard: webhook.Guard{Allowed: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}},
	)
	t.Cleanup(client.Close)
	store := memory.New()
	addr, stop := serveConfig(t,
		service.Config{Store: store, Signing: newSigning(t), Notices: service.Notices{Webhooks: client}}, "127.0.0.1:0")
	t.Cleanup(func() {
		stop()
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	ann := newPerson(t, addr)
	ann.do("create toy ridge --take red,blue")
	ann.do("webhook add . "+receiver.URL+" --as red --tell record --note bot", "^whsec_")
	ann.fails(exitUsage, "webhook add . http://10.0.0.1/ --as red", "webhook.url")
	list := ann.do("webhook list .", "SEAT +STATE", "red +active +games/.*/webhooks/.* +bot")
	name := ""
	for _, word := range strings.Fields(list) {
		if strings.Contains(word, "/webhooks/") {
			name = word
		}
	}
	ann.do("webhook ping "+name, "It arrived: status 200")
	if body := <-got; !strings.Contains(body, "ping") {
		t.Errorf("got %s", body)
	}
	if code, _, errs := ann.run("do", ".", "--as", "red", "plan 0303"); code != exitDone {
		t.Fatalf("%d: %s", code, errs)
	}
	if body := <-got; !strings.Contains(body, "game.record") || !strings.Contains(body, "plan 0303") {
		t.Errorf("got %s", body)
	}
	ann.do("webhook delete "+name, "is gone")
	ann.fails(exitUsage, "webhook delete games/x", "is no name")
	ann.fails(exitRefused, "mail add . ann@example.org --as red", "sends no mail")
	ann.do("mail list .", "SEAT +STATE")
	ann.fails(exitNotAllowed, "mail confirm "+strings.Replace(name, "webhooks", "mailboxes", 1)+" abc", "code")
}
