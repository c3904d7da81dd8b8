package computers_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/warledger/warledger/eventstore"
	"github.com/warledger/warledger/eventstore/memory"
	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/internal/computers"
)

// desk is a desk with a clock, and games of which a map says what they know of each post.
type desk struct {
	*computers.Desk
	t      *testing.T
	now    time.Time
	states map[string]computers.State
}

func open(t *testing.T, change ...func(*computers.Config)) *desk {
	t.Helper()
	store := memory.New()
	t.Cleanup(func() { _ = store.Close() })
	shared := store.Share()
	t.Cleanup(func() { _ = shared.Close() })
	d := &desk{t: t, now: time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC), states: make(map[string]computers.State)}
	config := computers.Config{
		Store: shared, Clock: func() time.Time { return d.now },
		House:     []computers.House{{ID: "greedy", Title: "Greedy"}},
		MaxOffers: 1000, CallerOffers: 2, MaxSeats: 1000, CallerSeats: 1000,
		State: func(_ context.Context, _ string, p *logv1.ComputerPost) computers.State {
			return d.states[p.RequestId]
		},
	}
	for _, f := range change {
		f(&config)
	}
	d.Desk = computers.New(config)
	return d
}

// offer begins an offer, and returns the reason why not.
func (d *desk) offer(id, title, from string) (*computers.Offer, string) {
	o := &computers.Offer{ID: id, Run: id, From: from, Replaced: make(chan struct{}),
		Shown: &v1.Computer{Name: "computers/" + id, Title: title, MaxSeats: 64}}
	return o, fault.ReasonOf(d.Begin(d.t.Context(), o))
}

func (d *desk) give(o *computers.Offer, seat, request string) {
	d.t.Helper()
	p := &logv1.ComputerPost{Game: "g", Seat: seat, RequestId: request}
	if err := d.Give(d.t.Context(), o, p, ""); err != nil {
		d.t.Fatal(err)
	}
}

// posts are the requests of the posts that an offer plays.
func (d *desk) posts(o *computers.Offer) (requests []string, mark eventstore.Mark, unsettled bool) {
	d.t.Helper()
	list, mark, unsettled, err := d.Posts(d.t.Context(), o)
	if err != nil {
		d.t.Fatal(err)
	}
	for _, p := range list {
		requests = append(requests, p.RequestId)
	}
	return requests, mark, unsettled
}

// seats is how many posts the book has of a computer on offer.
func (d *desk) seats(o *computers.Offer) int32 {
	d.t.Helper()
	list, err := d.List(d.t.Context(), "en", "", "")
	if err != nil {
		d.t.Fatal(err)
	}
	for _, c := range list {
		if c.Name == o.Shown.Name {
			return c.Seats
		}
	}
	return -1
}

// TestTheListIsSorted: the server's own come first, and titles stand as readers of the language sort them.
func TestTheListIsSorted(t *testing.T) {
	t.Parallel()
	d := open(t)
	for i, title := range strings.Fields("Zeta あさひ Bot-10 Österling カモメ alpha Bot-9 うみ Offa Otto") {
		o, reason := d.offer(fmt.Sprint("id", i), title, fmt.Sprint("caller ", i))
		if reason != "" {
			t.Fatal(reason)
		}
		o.Shown.House = title == "Otto"
	}
	for lang, want := range map[string]string{
		"de": "Otto alpha Bot-9 Bot-10 Offa Österling Zeta あさひ うみ カモメ",
		"en": "Otto alpha Bot-9 Bot-10 Offa Österling Zeta あさひ うみ カモメ",
		"ja": "Otto alpha Bot-9 Bot-10 Offa Österling Zeta あさひ うみ カモメ",
	} {
		list, err := d.List(t.Context(), lang, "", "")
		if err != nil {
			t.Fatal(err)
		}
		var titles []string
		for _, c := range list {
			titles = append(titles, c.Title)
		}
		if got := strings.Join(titles, " "); got != want {
			t.Errorf("in %s: %s, want %s", lang, got, want)
		}
	}
}

// TestTwoPostsOfOneSeat: of two computers that are given one seat at once, the game says which has it. The post of the
// other erased the first.
func TestTwoPostsOfOneSeat(t *testing.T) {
	t.Parallel()
	d := open(t)
	one, _ := d.offer("one", "One", "")
	two, _ := d.offer("two", "Two", "")
	d.give(one, "blue", "first")
	d.give(two, "blue", "second")
	d.states["first"], d.states["second"] = computers.Plays, computers.Lost
	for o, want := range map[*computers.Offer]int{one: 1, two: 0} {
		if got, _, _ := d.posts(o); len(got) != want {
			t.Errorf("%s plays %v", o.ID, got)
		}
	}
	if err := d.Drop(t.Context(), "g", "blue", func(p *logv1.ComputerPost) bool {
		return p.RequestId == "second"
	}); err != nil {
		t.Fatal(err)
	}
	if a, b := d.seats(one), d.seats(two); a != 1 || b != 0 {
		t.Errorf("the book has %d and %d posts", a, b)
	}
}

// TestLostPostsAreNotWatchedLong: a post that its game does not know is looked at often only while the record of its
// game is about to come.
func TestLostPostsAreNotWatchedLong(t *testing.T) {
	t.Parallel()
	d := open(t)
	o, _ := d.offer("one", "One", "")
	d.give(o, "blue", "lost")
	d.states["lost"] = computers.Lost
	if _, _, unsettled := d.posts(o); !unsettled {
		t.Error("a post that was just given is not looked at again")
	}
	d.now = d.now.Add(11 * time.Second)
	if _, _, unsettled := d.posts(o); unsettled {
		t.Error("a lost post is looked at again and again")
	}
	d.now = d.now.Add(time.Hour)
	if d.posts(o); d.seats(o) != 0 {
		t.Error("a lost post is kept")
	}
}

// TestOffersOfOneCaller: one caller leaves room for the computers of others, and for their names.
func TestOffersOfOneCaller(t *testing.T) {
	t.Parallel()
	d := open(t)
	for i := range 2 {
		if _, reason := d.offer(fmt.Sprint("a", i), fmt.Sprint("A", i), "here"); reason != "" {
			t.Fatal(reason)
		}
	}
	_, reason := d.offer("a2", "A2", "here")
	if reason != string(fault.TooManyComputers) {
		t.Errorf("a third offer of one caller: %q", reason)
	}
	if _, reason := d.offer("a1", "A1", "here"); reason != "" {
		t.Errorf("an offer in place of the same account's: %q", reason)
	}
	for _, from := range []string{"there", "", "", ""} {
		if _, reason := d.offer(fmt.Sprint("b", d.now.Unix()), fmt.Sprint("B", d.now.Unix()), from); reason != "" {
			t.Errorf("an offer of another caller %q: %q", from, reason)
		}
		d.now = d.now.Add(time.Second)
	}

	brought := 0
	for ; brought < 100; brought++ {
		o, reason := d.offer(fmt.Sprint("c", brought), fmt.Sprint("C", brought), "far")
		if reason != "" {
			break
		}
		d.End(o)
	}
	if brought != 8 {
		t.Errorf("one caller brought %d new computers in a day, want 8", brought)
	}
	if _, reason := d.offer("c0", "C0", "far"); reason != "" {
		t.Errorf("a computer that was there before: %q", reason)
	}
	d.now = d.now.Add(24 * time.Hour)
	if _, reason := d.offer("c100", "C100", "far"); reason != "" {
		t.Errorf("a new computer the next day: %q", reason)
	}
}

// TestNamesAreKept: more offers than the book keeps take the name of nobody who has played, nor of one on offer.
func TestNamesAreKept(t *testing.T) {
	t.Parallel()
	d := open(t)
	played, _ := d.offer("played", "Played", "")
	d.give(played, "blue", "over")
	d.states["over"] = computers.Gone
	d.posts(played)
	d.End(played)
	stays, _ := d.offer("stays", "Stays", "")
	for i := range 530 {
		d.now = d.now.Add(time.Minute)
		o, reason := d.offer(fmt.Sprint("flood", i), fmt.Sprint("Flood ", i), "")
		if reason != "" {
			t.Fatal(reason)
		}
		d.End(o)
		if i%60 == 0 {
			d.posts(stays) // as its stream does every few seconds
		}
	}
	for _, title := range []string{"Played", "Stays"} {
		if _, reason := d.offer("thief", title, ""); reason != string(fault.ComputerNameTaken) {
			t.Errorf("another account is called %s: %q", title, reason)
		}
	}
	if _, reason := d.offer("thief", "Flood 0", ""); reason != "" {
		t.Errorf("a name that was forgotten is not free: %q", reason)
	}
}

// TestLookalikes: no title that looks like another one's is taken, and none has letters that cannot be seen.
func TestLookalikes(t *testing.T) {
	t.Parallel()
	d := open(t)
	if _, reason := d.offer("max", "Max 10", ""); reason != "" {
		t.Fatal(reason)
	}
	for _, title := range []string{
		"greedy", "GREEDY", "Gréedy", "Greedy.", "G reedy", "Ｇreedy", "Gгeedy", "Grееdy", "Ԍгееԁу", "\u202eGreedy",
		"Мах 10", "Μαχ 10", "max lo", "Max I0", "rnax 10", "Ma\u200bx 10",
		"Max 1口", "Max 丨O", "Gr3edy", "M@x 10",
	} {
		if _, reason := d.offer("thief", title, ""); reason != string(fault.ComputerNameTaken) {
			t.Errorf("%q is taken for no other title: %q", title, reason)
		}
	}
	for _, title := range []string{"Greedier", "貪欲", "Random 2", "グリーディー", "クリーティー", "Жадный", "!!!", "???"} {
		if _, reason := d.offer("other"+title, title, ""); reason != "" {
			t.Errorf("%q: %q", title, reason)
		}
	}
	for title, wrong := range map[string]bool{
		"Greedy": false, "Grеedy": true, "Gree\u200bdy": true, "Gree\u00addy": true, "\u202eydeerG": true,
		"Greedy\ufe0f": true,
		"Gree\u034fdy": true, "ᏀᎡᎬᎬᎠᎩ": true, "ꓖꓣꓰꓰꓓꓬ": true, "Greedy ボット 改": false, "로봇 Bot": false, "Жадный": false,
		"Ａ１": false, "\u3164": true, "42 ☃": false,
		// Phonetic letters, accents that nothing is written with, digits of others, symbols for letters.
		"ꞬrееԀу": true, "Gʀeedy": true, "Greeɗy": true, "ᵷreedy": true, "G\u0332reedy": true, "Gree\u20dddy": true,
		"Max ١٠": true, "ماكس ١٠": false, "Gr℮℮dy": true, "🅖reedy": true, "Greedy ★": false, "Gree∣y": true,
		"Łódź Øre Straße Nguyễn": false, "Ivan’s": false, "R&D-2 (b)": false, "R&D-2 (β)": true, "मैक्स १०": false,
		"Max १०": true, "Gr†edy": true, "Gre‡dy": true, "Gr•edy": true, "強い、ボット": false, "Max·Bot": false,
	} {
		if got := computers.TitleFault(title); (got != "") != wrong {
			t.Errorf("%q: %q", title, got)
		}
	}
}
