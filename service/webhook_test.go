package service_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/warledger/warledger/eventstore"
	"github.com/warledger/warledger/eventstore/memory"
	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/webhook"
)

const (
	aRecord   = logv1.NoticeKind_NOTICE_KIND_RECORD
	asked     = logv1.NoticeKind_NOTICE_KIND_ASKED
	aReminder = logv1.NoticeKind_NOTICE_KIND_REMINDER
	over      = logv1.NoticeKind_NOTICE_KIND_OVER
)

// TestWebhooksSeeWhatWatchersSee has a webhook of each perspective follow a whole game: each gets every record once, in
// order, and is shown just what a watcher of that perspective is. What a seat may not see is in none of its notices.
func TestWebhooksSeeWhatWatchersSee(t *testing.T) {
	t.Parallel()
	g := open(t, posting(t)).seated()
	perspectives := map[string]string{"": g.owner, "red": g.red, "blue": g.blue}
	receivers := map[string]*receiver{}
	begin := g.game().Version
	watchers := map[string]*watcher{}
	for seat, token := range perspectives {
		receivers[seat] = receive(t)
		g.hook(receivers[seat], "/"+seat, token, aRecord)
		tokens := []string{token}
		if seat == "" {
			tokens = nil // the owner sees what spectators do
		}
		watchers[seat] = g.watch(&v1.WatchGameRequest{Start: &v1.WatchGameRequest_AfterVersion{AfterVersion: begin}},
			tokens...)
	}
	follow := func() {
		t.Helper()
		version := g.game().Version
		for seat, r := range receivers {
			soon(t, "all records are posted", func() bool { return len(r.records()) >= int(version-begin) })
			for i, d := range r.all() {
				if d.notice.Data.Seat != seat || d.notice.Data.Game.Name != g.name ||
					!strings.HasSuffix(d.notice.Data.Link, "/#/"+g.name) {
					t.Errorf("notice %d says %v", i, d.notice.Data)
				}
			}
		}
	}
	g.do(g.red, "plan 0303")
	g.do(g.blue, "plan 0503")
	follow()
	for seat, secret := range map[string]string{"red": "plan 0503", "blue": "plan 0303", "": "plan 0"} {
		for _, d := range receivers[seat].all() {
			if strings.Contains(d.body, secret) {
				t.Errorf("the webhook of %q was told %s", seat, d.body)
			}
		}
	}
	told := map[string]int{}
	for seat, w := range watchers {
		for _, d := range receivers[seat].all() {
			equal(t, fmt.Sprintf("record of %q", seat), d.notice.Data.Record, w.record())
			told[seat]++
		}
	}
	g.play(400, 5)
	follow()
	version := g.game().Version
	for seat, r := range receivers {
		got := r.records()
		for i, v := range got {
			if v != begin+uint64(i)+1 {
				t.Fatalf("%q got the records %v", seat, got)
			}
		}
		if len(got) != int(version-begin) {
			t.Errorf("%q got %d records, there are %d", seat, len(got), version-begin)
		}
		ids := map[string]bool{}
		for _, d := range r.all() {
			ids[d.id] = true
		}
		if len(ids) != len(got) {
			t.Errorf("%q got %d records under %d ids", seat, len(got), len(ids))
		}
	}
}

// TestWebhookComesBack has a receiver fail, stall and hang up before it takes anything. Nothing is lost, doubled or out
// of order, and how it fares can be seen.
func TestWebhookComesBack(t *testing.T) {
	t.Parallel()
	d := newDial()
	// Long enough for the tries that do not stall, on a slow machine too.
	stalled := func(o *webhook.Options) { o.Timeout = 5 * time.Second }
	g := redBegins(open(t, posting(t, stalled), byDial(d)))
	r := receive(t)
	release := make(chan struct{})
	var back atomic.Bool
	r.answers(func(w http.ResponseWriter, _ *v1.Notice, tries int) bool {
		if back.Load() {
			return true
		}
		switch tries {
		case 1:
			w.WriteHeader(http.StatusServiceUnavailable)
			return false
		case 2:
			<-release // until long after the other side has lost patience
			return false
		case 3:
			panic(http.ErrAbortHandler)
		case 4:
			w.Header().Set("Location", r.server.URL+"/elsewhere")
			w.WriteHeader(http.StatusTemporaryRedirect)
			return false
		}
		back.Store(true)
		return true
	})
	hook := g.hook(r, "/red", g.red, aRecord)
	g.do(g.red, "move r2 0304")
	for i, want := range []string{webhook.FailedStatus, webhook.FailedTimeout, webhook.FailedConnect,
		webhook.FailedStatus} {
		var state *v1.Delivery
		soon(t, "it was tried",
			func() bool { state = g.hookState(g.red, hook.Name); return int(state.Attempts) == i+1 })
		if state.Failure != want || state.State != v1.SubscriptionState_SUBSCRIPTION_STATE_FAILING ||
			state.AfterVersion != 5 || state.FailingSince == nil {
			t.Errorf("try %d: %v, want %s", i+1, state, want)
		}
		if wait, least := state.RetryTime.AsTime().Sub(d.time()), 5*time.Second<<i; wait < least || wait > least*3/2 {
			t.Errorf("try %d: the next is after %s", i+1, wait)
		}
		if i == 0 {
			g.do(g.red, "end") // what comes meanwhile waits its turn, and does not hurry the retry
			time.Sleep(20 * time.Millisecond)
			if n := r.triedAny(); n != 1 {
				t.Errorf("it was tried %d times without waiting", n)
			}
		}
		d.pass(state.RetryTime.AsTime().Sub(d.time()))
	}
	close(release)
	version := g.game().Version
	soon(t, "all has arrived", func() bool { return len(r.records()) == int(version)-5 })
	for i, v := range r.records() {
		if v != uint64(6+i) {
			t.Errorf("the records came as %v", r.records())
		}
	}
	first := r.all()[0]
	if n := r.tried(first.id); n != 5 {
		t.Errorf("the first notice was tried %d times under its id", n)
	}
	soon(t, "that is known", func() bool {
		s := g.hookState(g.red, hook.Name)
		return s.State == v1.SubscriptionState_SUBSCRIPTION_STATE_ACTIVE && s.AfterVersion == version &&
			s.Failure == "" && s.SuccessTime != nil
	})
}

// forgetful is a store that does not take what is to be kept of notices while told so: a server that is killed after it
// has delivered and before it has stored that.
type forgetful struct {
	eventstore.Store
	forgets atomic.Bool
}

func (f *forgetful) SetMeta(ctx context.Context, stream string, meta []byte, expected uint64) error {
	if f.forgets.Load() && strings.HasPrefix(stream, "notices/") {
		return errors.Join(eventstore.ErrIO)
	}
	return f.Store.SetMeta(ctx, stream, meta, expected)
}

// TestKilledBetweenDeliveringAndKnowing: what was delivered and not stored as delivered comes again under the same id
// after a restart, and nothing else does.
func TestKilledBetweenDeliveringAndKnowing(t *testing.T) {
	t.Parallel()
	store := &forgetful{Store: memory.New()}
	t.Cleanup(func() { must(t, store.Close()) })
	d, r := newDial(), receive(t)
	again := func() *host { return open(t, posting(t), byDial(d), func(s *setting) { s.store = store }) }
	g := redBegins(again())
	g.hook(r, "/red", g.red)
	g.do(g.red, "move r2 0304")
	soon(t, "the first arrives", func() bool { return len(r.records()) == 1 })
	soon(t, "that is known", func() bool {
		out, err := g.notifications().ListWebhooks(as(g.red), &v1.ListWebhooksRequest{Parent: g.name})
		must(t, err)
		return out.Webhooks[0].Delivery.AfterVersion == 6
	})
	store.forgets.Store(true)
	g.do(g.red, "end")
	soon(t, "the second arrives", func() bool { return len(r.records()) == 2 })
	g.host.stop()
	store.forgets.Store(false)
	g.host = again()
	soon(t, "it arrives again", func() bool { return len(r.records()) >= 3 })
	g.do(g.blue, g.legal(g.blue).Actions[0].Command)
	soon(t, "the third arrives", func() bool { return slices.Contains(r.records(), 8) })
	var ids []string
	for _, d := range r.all() {
		if d.notice.Type == "game.record" {
			ids = append(ids, d.id)
		}
	}
	if got := r.records(); !slices.Equal(got, []uint64{6, 7, 7, 8}) || ids[1] != ids[2] || ids[0] == ids[1] ||
		ids[2] == ids[3] {
		t.Errorf("the records came as %v under %v", got, ids)
	}
}

// TestStoppedBetweenTwoNotices: a server that ends after it has told of the last record, and while it tells that
// something is asked, tells that when it begins again, though nothing happens in the game meanwhile.
func TestStoppedBetweenTwoNotices(t *testing.T) {
	t.Parallel()
	store := memory.New()
	t.Cleanup(func() { must(t, store.Close()) })
	r := receive(t)
	again := func() *host { return open(t, posting(t), func(s *setting) { s.store = store }) }
	g := redBegins(again())
	asking, stopped := make(chan struct{}), make(chan struct{})
	r.answers(func(_ http.ResponseWriter, n *v1.Notice, _ int) bool {
		if n.Type != "game.asked" {
			return true
		}
		close(asking)
		<-stopped
		return false
	})
	g.hook(r, "/blue", g.blue, aRecord, asked)
	g.do(g.red, "end")
	<-asking
	g.host.stop()
	r.answers(nil)
	close(stopped)
	g.host = again()
	soon(t, "blue is told that something is asked", func() bool { return len(r.types()) == 2 })
	if got := r.types(); !slices.Equal(got, []string{"game.record", "game.asked"}) {
		t.Errorf("blue was told %v", got)
	}
}

// TestHopelessWebhooks are given up after days, or at once when the receiver says so, and go on where they
// stopped once a ping arrives.
func TestHopelessWebhooks(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		status int
		word   string
		least  time.Duration
	}{
		"failing": {http.StatusInternalServerError, webhook.FailedStatus, 3 * 24 * time.Hour},
		"gone":    {http.StatusGone, webhook.FailedGone, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDial()
			g := redBegins(open(t, posting(t), byDial(d)))
			r := receive(t)
			r.answers(func(w http.ResponseWriter, _ *v1.Notice, _ int) bool { w.WriteHeader(c.status); return false })
			hook := g.hook(r, "/red", g.red, aRecord)
			begun := d.time()
			g.do(g.red, "move r2 0304")
			var state *v1.Delivery
			tries := int32(-1)
			soon(t, "it is given up", func() bool {
				if state = g.hookState(g.red, hook.Name); state.RetryTime != nil && state.Attempts != tries {
					tries = state.Attempts
					d.pass(state.RetryTime.AsTime().Sub(d.time()))
				}
				return state.State == v1.SubscriptionState_SUBSCRIPTION_STATE_DISABLED
			})
			if state.Failure != c.word || d.time().Sub(begun) < c.least || state.Attempts > 60 {
				t.Errorf("given up after %s: %v", d.time().Sub(begun), state)
			}
			n := r.triedAny()
			g.do(g.red, "end")
			d.pass(100 * 24 * time.Hour)
			ping := func() *v1.PingWebhookResponse {
				out, err := g.notifications().PingWebhook(as(g.red), &v1.PingWebhookRequest{Name: hook.Name})
				must(t, err)
				return out
			}
			if out := ping(); out.Delivered || int(out.StatusCode) != c.status || out.Failure != c.word ||
				out.Webhook.Delivery.State != state.State {
				t.Errorf("a ping in vain gives %v", out)
			}
			if got := r.triedAny(); got != n+1 {
				t.Errorf("%d requests came after it was given up, want the ping", got-n)
			}
			r.answers(nil)
			if out := ping(); !out.Delivered || out.StatusCode != 200 ||
				out.Webhook.Delivery.State != v1.SubscriptionState_SUBSCRIPTION_STATE_ACTIVE {
				t.Errorf("a ping gives %v", out)
			}
			soon(t, "what was missed arrives", func() bool { return len(r.records()) == 2 })
			if types := r.types(); types[0] != "ping" {
				t.Errorf("got %v", types)
			}
		})
	}
}

// TestAskedOncePerTurn: a seat is told once that something is asked of it, again only after it has acted, and not
// of what it does itself.
func TestAskedOncePerTurn(t *testing.T) {
	t.Parallel()
	g := open(t, posting(t)).seated(manual(1))
	r := receive(t)
	hook := g.hook(r, "/blue", g.blue, asked, over)
	quiet := func(want ...string) {
		t.Helper()
		told := func() []string { return slices.DeleteFunc(r.types(), func(s string) bool { return s == "ping" }) }
		soon(t, "it is told", func() bool { return len(told()) >= len(want) })
		must(t, second(g.notifications().PingWebhook(as(g.blue), &v1.PingWebhookRequest{Name: hook.Name})))
		if got := told(); !slices.Equal(got, want) {
			t.Errorf("blue was told %v, want %v", got, want)
		}
	}
	quiet("game.asked") // both plan
	g.do(g.red, "plan 0303")
	quiet("game.asked")
	g.do(g.blue, "plan 0503")
	g.do(g.red, "move r2 0304")
	quiet("game.asked")
	g.do(g.red, "end")
	quiet("game.asked", "game.asked")
	if q := r.all()[len(r.all())-2].notice.Data.Questions; len(q) == 0 {
		t.Error("it does not say what is asked")
	}
	out, err := g.undo(g.red, 1, true)
	must(t, err)
	if out.Done {
		t.Fatal("red needs nobody's consent")
	}
	quiet("game.asked", "game.asked", "game.asked") // for consent, though blue was told to move
	must(t, second(g.games.CloseGame(as(g.owner), &v1.CloseGameRequest{Name: g.name, RequestId: id()})))
	quiet("game.asked", "game.asked", "game.asked", "game.over")
}

// TestAReplacedQuestionIsAskedAnew: the owner proposes other deadlines in the place of those that blue was told of.
// Blue is told of these too, with what they are, and an answer to the first proposal does not reach the second.
func TestAReplacedQuestionIsAskedAnew(t *testing.T) {
	t.Parallel()
	h := open(t, posting(t))
	g := h.seated(manual(1))
	r := receive(t)
	g.hook(r, "/blue", g.blue, asked)
	soon(t, "blue is asked for a plan", func() bool { return len(r.types()) == 1 })
	var last uint64
	for i, allowance := range []time.Duration{7 * 24 * time.Hour, time.Minute, time.Hour} {
		req := &v1.ProposeDeadlinesRequest{Name: g.name, RequestId: id(), Deadlines: &logv1.Deadlines{
			Allowance: durationpb.New(allowance), Span: logv1.DeadlineSpan_DEADLINE_SPAN_ACTION,
			Lapse: logv1.Lapse_LAPSE_FORFEIT,
		}}
		must(t, second(h.deadlines().ProposeDeadlines(as(g.owner, g.red), req)))
		soon(t, "blue is told", func() bool { return len(r.types()) >= i+2 })
		all := r.all()
		p := all[len(all)-1].notice.Data.Game.PendingDeadlines
		if p.GetDeadlines().GetAllowance().AsDuration() != allowance || p.GetProposed() <= last {
			t.Errorf("blue was told of %v after record %d", p, last)
		}
		if last != 0 {
			_, err := h.deadlines().AnswerDeadlines(as(g.blue), &v1.AnswerDeadlinesRequest{
				Name: g.name, Seat: "blue", Proposed: last, Agree: true, RequestId: id()})
			wantError(t, err, codes.FailedPrecondition, fault.DeadlinesNotAsked)
		}
		last = p.GetProposed()
	}
	if got := r.types(); len(got) != 4 {
		t.Errorf("blue was told %v", got)
	}
}

// TestReminders come before the time is up, each once, also over a restart.
func TestReminders(t *testing.T) {
	t.Parallel()
	store := memory.New()
	t.Cleanup(func() { must(t, store.Close()) })
	d, r := newDial(), receive(t)
	again := func() *host { return open(t, posting(t), byDial(d), func(s *setting) { s.store = store }) }
	g := again().seated(within(logv1.Lapse_LAPSE_NOTICE,
		func(d *logv1.Deadlines) { d.Reminders = append(d.Reminders, minutes(600), minutes(60)) }))
	hook := g.hook(r, "/red", g.red, aReminder)
	d.pass(13 * time.Hour)
	if n := len(r.types()); n > 0 {
		t.Errorf("red was reminded %d times too soon", n)
	}
	d.pass(time.Hour)
	soon(t, "red is reminded", func() bool { return len(r.types()) == 1 })
	soon(t, "that is known", func() bool { return g.hookState(g.red, hook.Name).SuccessTime != nil })
	g.host.stop()
	g.host = again()
	d.pass(9*time.Hour - time.Minute)
	must(t, second(g.notifications().PingWebhook(as(g.red), &v1.PingWebhookRequest{Name: hook.Name})))
	d.pass(time.Minute)
	soon(t, "red is reminded again", func() bool { return len(r.types()) == 3 })
	got := r.all()
	if got[0].notice.Type != "game.reminder" || got[1].notice.Type != "ping" || got[2].notice.Type != "game.reminder" ||
		got[0].id == got[2].id {
		t.Errorf("red was told %v", r.types())
	}
	if due := got[2].notice.Data.DueTime.AsTime(); due.Sub(d.time()) != time.Hour {
		t.Errorf("the reminder says %s", due)
	}
}

// TestWhoMayHaveWebhooks: a webhook belongs to whoever made it; others do not see it, and it ends with the seat.
func TestWhoMayHaveWebhooks(t *testing.T) {
	t.Parallel()
	g := redBegins(open(t, posting(t)))
	r, n := receive(t), g.notifications()
	hook := g.hook(r, "/red", g.red)
	if hook.Seat != "red" || len(hook.Kinds) != 4 || hook.Delivery.AfterVersion != 5 {
		t.Errorf("got %v", hook)
	}
	owners := g.hook(r, "/owner", g.owner)
	if owners.Seat != "" || !slices.Equal(owners.Kinds, []logv1.NoticeKind{aRecord, over}) {
		t.Errorf("got %v", owners)
	}
	for who, token := range map[string]string{"blue": g.blue, "the owner": g.owner} {
		_, err := n.GetWebhook(as(token), &v1.GetWebhookRequest{Name: hook.Name})
		wantError(t, err, codes.NotFound, fault.WebhookNotFound)
		wantError(t, second(n.PingWebhook(as(token), &v1.PingWebhookRequest{Name: hook.Name})), codes.NotFound,
			fault.WebhookNotFound)
		must(t, second(n.DeleteWebhook(as(token), &v1.DeleteWebhookRequest{Name: hook.Name})))
		out, err := n.ListWebhooks(as(token), &v1.ListWebhooksRequest{Parent: g.name})
		must(t, err)
		for _, w := range out.Webhooks {
			if w.Seat == "red" {
				t.Errorf("%s sees red's webhook", who)
			}
		}
	}
	grant, err := v1.NewAccessServiceClient(g.conn).CreateToken(as(g.red),
		&v1.CreateTokenRequest{Name: g.name, Rights: v1.Rights_RIGHTS_ACT, ExpireTime: hour(), RequestId: id()})
	must(t, err)
	create := func(token string, set func(*v1.CreateWebhookRequest)) error {
		req := &v1.CreateWebhookRequest{Parent: g.name, RequestId: id(),
			Webhook: &v1.Webhook{Url: "http://127.0.0.1:1/"}}
		set(req)
		return second(n.CreateWebhook(as(token), req))
	}
	wantError(t, create(grant.Secret, func(*v1.CreateWebhookRequest) {}), codes.PermissionDenied, fault.TokenTooNarrow)
	wantError(t, create(g.blue, func(r *v1.CreateWebhookRequest) { r.Webhook.Seat = "red" }), codes.PermissionDenied,
		fault.NotYourSeat)
	wantError(t, create(g.owner, func(r *v1.CreateWebhookRequest) { r.Webhook.Kinds = []logv1.NoticeKind{asked} }),
		codes.InvalidArgument, fault.ValidationFailed)
	for range 3 {
		must(t, create(g.red, func(*v1.CreateWebhookRequest) {}))
	}
	wantError(t, create(g.red, func(*v1.CreateWebhookRequest) {}), codes.ResourceExhausted, fault.TooManyWebhooks)
	must(t, second(g.games.LeaveSeat(as(g.red), &v1.LeaveSeatRequest{Name: g.name, Seat: "red", RequestId: id()})))
	before := len(r.records())
	g.red = g.sit("red")
	out, err := n.ListWebhooks(as(g.red), &v1.ListWebhooksRequest{Parent: g.name})
	must(t, err)
	if len(out.Webhooks) > 0 {
		t.Errorf("the next holder has %v", out.Webhooks)
	}
	soon(t, "the owner's webhook hears of it", func() bool { return slices.Contains(r.records(), 7) })
	for _, d := range r.all()[before:] {
		if d.notice.Data.Seat == "red" && d.notice.GetData().GetRecord().GetVersion() > 6 {
			t.Errorf("who left was told %s", d.body)
		}
	}
}

// TestRetriedWebhook: a retry gets the first answer, its secret among it, and the same id for
// something else is refused.
func TestRetriedWebhook(t *testing.T) {
	t.Parallel()
	g := open(t, posting(t)).seated()
	req := &v1.CreateWebhookRequest{Parent: g.name, RequestId: id(),
		Webhook: &v1.Webhook{Url: "http://127.0.0.1:1/hook", Note: "a bot"}}
	first, err := g.notifications().CreateWebhook(as(g.red), req)
	must(t, err)
	again, err := g.notifications().CreateWebhook(as(g.red), req)
	must(t, err)
	if again.Secret != first.Secret || again.Webhook.Name != first.Webhook.Name {
		t.Errorf("a retry gives %v, the first answer was %v", again, first)
	}
	if _, err := webhook.ParseSecret(first.Secret); err != nil {
		t.Error(err)
	}
	req.Webhook.Note = "another"
	wantError(t, second(g.notifications().CreateWebhook(as(g.red), req)), codes.AlreadyExists, fault.RequestIDReused)
}

// TestWhatWebhooksMayNotReach: no address of this host or its neighbours, spelt out or behind a name.
func TestWhatWebhooksMayNotReach(t *testing.T) {
	t.Parallel()
	g := open(t, posting(t, func(o *webhook.Options) { o.Guard = webhook.Guard{} })).seated()
	create := func(url string) (*v1.CreateWebhookResponse, error) {
		return g.notifications().CreateWebhook(as(g.red),
			&v1.CreateWebhookRequest{Parent: g.name, RequestId: id(), Webhook: &v1.Webhook{Url: url}})
	}
	for _, url := range []string{"https://127.0.0.1/", "https://[::1]/", "https://169.254.169.254/latest",
		"http://example.org/", "https://u:p@example.org/", "ftp://x", "", "https://10.1.2.3:8080/x"} {
		_, err := create(url)
		wantError(t, err, codes.InvalidArgument, fault.ValidationFailed)
		equal(t, "fields", violations(err), []string{"webhook.url"})
		if url != "" && strings.Contains(err.Error(), url) {
			t.Errorf("the error quotes the address: %v", err)
		}
	}
	named, err := create("https://localhost:1/")
	must(t, err)
	out, err := g.notifications().PingWebhook(as(g.red), &v1.PingWebhookRequest{Name: named.Webhook.Name})
	must(t, err)
	if out.Delivered || out.Failure != webhook.FailedAddress && out.Failure != webhook.FailedConnect {
		t.Errorf("got %v", out)
	}
	off := open(t).seated()
	wantError(t, second(off.notifications().CreateWebhook(as(off.red), &v1.CreateWebhookRequest{
		Parent: off.name, RequestId: id(), Webhook: &v1.Webhook{Url: "https://example.org/"},
	})), codes.FailedPrecondition, fault.WebhooksOff)
}
