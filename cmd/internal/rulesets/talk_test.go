package rulesets

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/rulestest/toy"
)

// whispered is how a seat writes what others may not read, in each of two games: other words, another number of them,
// pinned or not, and deleted or not.
type whispered struct {
	words  []string
	pin    bool
	delete bool
}

var whispers = [2]whispered{
	{words: []string{"attack at dawn"}, pin: true},
	{words: []string{"hold the ford, and wait for the rain to end", "no", "yes", "what I said before"}, delete: true},
}

// say says something for a seat; the same request at both sites is the same message.
func (s *site) say(seat string, to v1.Audience, text string, n uint64, pin bool) *v1.Message {
	req := &v1.CreateMessageRequest{Parent: s.name, RequestId: namedID("talk "+seat, n),
		Message: &v1.Message{Seat: seat, Audience: to, Text: text}}
	if pin {
		req.Message.Pin = &v1.Message_Record{Record: 1}
	}
	out, err := v1.NewTalkServiceClient(s.conn).CreateMessage(s.as(seat), req)
	s.must(err)
	return out.Message
}

// talk plays a few commands at two sites, with the same words at the table, while one seat writes different things to
// an audience. Whoever may not read them may not tell the games apart.
func (p *pair) talk(to v1.Audience) (compared int) {
	defer func() {
		for _, g := range p.games {
			g.close()
		}
	}()
	for _, g := range p.games {
		g.subscribe()
		for _, who := range g.seats() {
			g.hook(who, "/said/"+who, logv1.NoticeKind_NOTICE_KIND_MESSAGE)
		}
	}
	about := p.set.About()
	speaker := rules.Seat(p.below(len(about.Seats)))
	seat := about.SeatID(speaker)
	p.path = append(p.path, fmt.Sprintf("%s whispers to %s", seat, to))
	spectators := p.below(2) == 0
	for _, g := range p.games {
		_, err := v1.NewTalkServiceClient(g.conn).UpdateTalk(g.as("owner"),
			&v1.UpdateTalkRequest{Name: g.name + "/talk", SpectatorsRead: &spectators})
		g.must(err)
	}
	for step := range 3 {
		p.alike(step)
		for i, g := range p.games {
			for n, other := range g.seats() {
				g.say(other, v1.Audience_AUDIENCE_TABLE, fmt.Sprint("word ", step), uint64(100+10*step+n), false)
			}
			p.whisper(i, seat, to, step)
		}
	}
	names := append(slices.Clone(p.games[0].whispers), p.games[1].whispers...)
	p.games[0].whispers, p.games[1].whispers = names, names
	p.outsiders = []string{"owner", "spectator", seat + "/see"}
	for i, other := range about.Seats {
		if in := about.SideOf(speaker).Has(rules.Seat(i)); !in || to == v1.Audience_AUDIENCE_SELF && other.ID != seat {
			p.outsiders = append(p.outsiders, other.ID)
		}
	}
	for _, g := range p.games {
		for n, other := range g.seats() {
			g.say(other, v1.Audience_AUDIENCE_TABLE, lastWord, uint64(900+n), false)
		}
	}
	for _, g := range p.games {
		g.rest()
	}
	for _, one := range p.outsiders {
		if slices.Contains(p.games[0].seats(), one) {
			compared += p.compareMaps(one, "notices of messages", p.games[0].overheard(one), p.games[1].overheard(one))
		}
		for _, who := range derived(p.games[0], one) {
			compared += p.compare(who, true)
		}
	}
	return compared
}

// lastWord is what every seat says at the end.
const lastWord = "that was all"

// overheard is what a seat was told by notices of messages, up to the last word of every other one. How many messages
// come in one notice, and in which order those to a side and to the table come, is a matter of time: the clock of a
// site stands still.
func (s *site) overheard(who string) map[string]string {
	for n := 1; ; n++ {
		var said []string
		empty := 0
		for _, body := range s.hooks.wait(s.t, s.hooks.posts, "/said/"+who, n) {
			notice := new(v1.Notice)
			s.must(protojson.Unmarshal([]byte(body), notice))
			if len(notice.GetData().GetMessages()) == 0 {
				empty++
			}
			for _, m := range notice.GetData().GetMessages() {
				said = append(said, text(m))
			}
		}
		if ended := strings.Count(strings.Join(said, "\n"), lastWord); ended == len(s.seats())-1 {
			slices.Sort(said)
			return map[string]string{"said": strings.Join(said, "\n"), "notices without messages": fmt.Sprint(empty)}
		}
	}
}

// whisper writes what differs.
func (p *pair) whisper(i int, seat string, to v1.Audience, step int) {
	g := p.games[i]
	for n, words := range whispers[i].words {
		m := g.say(seat, to, words, uint64(10*step+n), whispers[i].pin)
		g.whispers = append(g.whispers, m.Name)
		if whispers[i].delete && n == 1 {
			_, err := v1.NewTalkServiceClient(g.conn).DeleteMessage(g.as(seat), &v1.DeleteMessageRequest{Name: m.Name})
			g.must(err)
		}
	}
}

// alike makes the same command in both games.
func (p *pair) alike(step int) {
	waiting := p.games[0].game("").WaitingFor
	if len(waiting) == 0 {
		return
	}
	text := p.pick(p.games[0].legal(waiting[0]))
	for _, g := range p.games {
		g.must(g.submit(waiting[0], text, uuidOf("command", uint64(step))))
	}
}

// TestNoTalkLeaks has pairs of games differ in nothing but what one seat wrote to its side or to itself. No call may
// show that to anybody else: neither words nor how many there are.
func TestNoTalkLeaks(t *testing.T) {
	t.Parallel()
	sets := append(Offered(), toy.Ruleset())
	if testing.Short() {
		sets = sets[len(sets)-1:]
	}
	for _, set := range sets {
		for seed, to := range []v1.Audience{v1.Audience_AUDIENCE_SIDE, v1.Audience_AUDIENCE_SELF} {
			t.Run(fmt.Sprint(set.About().Name, " ", to), func(t *testing.T) {
				t.Parallel()
				p := newPair(t, set, uint64(seed), nil)
				n := p.talk(to)
				if p.leak != "" {
					t.Fatalf("a leak: %s", p.leak)
				}
				if n < 100 {
					t.Errorf("%d answers compared, so the test proves little", n)
				}
				t.Logf("%d answers compared", n)
			})
		}
	}
}

// talked is a number that depends on all that was said, as a count or a size might.
func (s *site) talked() (n int) {
	page, err := s.store.List(context.Background(), "talk/", "", 100)
	s.must(err)
	for _, info := range page {
		n += len(info.Meta)
	}
	return n
}

// talkPlants are leaks of what is said.
var talkPlants = []plant{
	{name: "a page token tells how much there is",
		answer: func(s *site, _ context.Context, _ string, _, out proto.Message) {
			if p, ok := out.(*v1.ListMessagesResponse); ok && p.NextPageToken == "" {
				p.NextPageToken = fmt.Sprint(s.talked())
			}
		}},
	{name: "a name tells which message it is", sends: func(s *site, _ string, out proto.Message) {
		if w, ok := out.(*v1.WatchMessagesResponse); ok && w.GetMessage() != nil {
			w.GetMessage().Name += fmt.Sprint(s.talked())
		}
	}},
	{name: "what holds for the talk depends on it",
		answer: func(s *site, _ context.Context, _ string, _, out proto.Message) {
			if p, ok := out.(*v1.GetTalkResponse); ok {
				p.Talk.MaxCharacters += int32(s.talked())
			}
		}},
	{name: "an error tells that a message exists", fails: func(s *site, method string, err error) error {
		if method == "ReportMessage" {
			return fmt.Errorf("%w: %d", err, s.talked())
		}
		return err
	}},
	{name: "a notice tells how much there is", posts: func(s *site, body string) string {
		return strings.Replace(body, lastWord, lastWord+fmt.Sprint(s.talked()), 1)
	}},
}

// TestTheHuntFindsLeaksOfTalk plants them.
func TestTheHuntFindsLeaksOfTalk(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("a plant changes answers, not what runs side by side: the run without the race detector finds them")
	}
	for i := range talkPlants {
		t.Run(talkPlants[i].name, func(t *testing.T) {
			t.Parallel()
			p := newPair(t, toy.Ruleset(), uint64(i), &talkPlants[i])
			if p.talk(v1.Audience_AUDIENCE_SIDE + v1.Audience(i%2)); p.leak == "" {
				t.Error("the hunt does not find it")
			}
		})
	}
}
