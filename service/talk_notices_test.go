package service_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

const aMessage = logv1.NoticeKind_NOTICE_KIND_MESSAGE

// TestWebhooksTellWhatOthersSay: those that ask for it by name, once each, and nothing that the seat may not read.
func TestWebhooksTellWhatOthersSay(t *testing.T) {
	t.Parallel()
	g := open(t, posting(t)).seated()
	g.say(g.red, atTable, "before the webhook")
	r, usual := receive(t), receive(t)
	g.hook(r, "/blue", g.blue, aMessage)
	g.hook(usual, "/blue", g.blue) // everything but messages
	g.say(g.red, asNote, "red's note")
	g.say(g.red, toSide, "red's side")
	g.say(g.blue, atTable, "blue's own")
	g.say(g.red, atTable, "first")
	said := func() (texts []string) {
		for _, d := range r.all() {
			for _, m := range d.notice.Data.Messages {
				texts = append(texts, m.Text)
			}
		}
		return texts
	}
	soon(t, "the first message is told", func() bool { return len(said()) == 1 })
	g.say(g.red, atTable, "second")
	soon(t, "the second message is told", func() bool { return len(said()) == 2 })
	equal(t, "told", said(), []string{"first", "second"})
	for _, d := range r.all() {
		if d.notice.Type != "game.message" || strings.Contains(d.body, "red's") || strings.Contains(d.body, "before") {
			t.Errorf("told %s", d.body)
		}
	}
	g.do(g.red, "plan 0303")
	soon(t, "a record is told", func() bool { return len(usual.records()) > 0 })
	for _, d := range usual.all() {
		if len(d.notice.Data.Messages) > 0 {
			t.Errorf("a webhook that did not ask was told %s", d.body)
		}
	}
}

// TestMailTellsWhatOthersSay: in one mail, once nobody has written for a while.
func TestMailTellsWhatOthersSay(t *testing.T) {
	t.Parallel()
	p, d := openPostOffice(t), newDial()
	g := open(t, mailing(t, p), byDial(d)).seated()
	g.agreed(p, g.blue, "blue@example.org", func(b *v1.Mailbox) { b.Messages = true })
	g.agreed(p, g.red, "red@example.org")
	before := len(p.letters())
	g.say(g.red, atTable, "shall we pause?")
	g.say(g.red, atTable, "until Monday?")
	g.say(g.red, asNote, "a note")
	g.say(g.blue, atTable, "yes")
	mails := func() (out []letter) {
		for _, l := range p.letters()[before:] {
			if strings.Contains(l.text, "pause") {
				out = append(out, l)
			}
		}
		return out
	}
	soon(t, "a mail comes", func() bool {
		d.pass(30 * time.Second)
		return len(mails()) > 0
	})
	list := mails()
	if len(list) != 1 || list[0].to != "blue@example.org" || !strings.Contains(list[0].text, "until Monday?") ||
		strings.Contains(list[0].text, "a note") || strings.Contains(list[0].text, "yes") {
		t.Errorf("mails %+v", list)
	}
	equal(t, "the mailbox", g.mailbox(g.blue).Messages, true)
}

// TestSteadyTalkKeepsNoMailBack: a mail waits for a quiet minute, but no longer than five minutes from the first
// message that it tells. The clock stands still while the test waits, less than a minute after the newest message.
func TestSteadyTalkKeepsNoMailBack(t *testing.T) {
	t.Parallel()
	for name, servers := range map[string]int{"one server": 1, "two servers": 2} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, p := newDial(), openPostOffice(t)
			hosts, _ := clustered(t, d, servers, mailing(t, p))
			g := hosts[0].seated()
			// By default the next mail comes a quarter of an hour after the last, which asks for consent or for a plan.
			g.agreed(p, g.blue, "blue@example.org",
				func(b *v1.Mailbox) { b.Messages, b.MinInterval = true, minutes(1) })
			d.until(t, 10*time.Second, "a plan is asked for", func() bool { return len(p.letters()) == 2 })
			known := func() bool { return g.mailbox(g.blue).Delivery.SuccessTime.AsTime().Equal(d.time()) }
			soon(t, "that is known", known)
			d.pass(time.Minute)
			var said, told []string
			var saidAt []time.Time
			mails := func() int {
				told = nil
				n := 0
				for _, l := range p.letters() {
					if !strings.Contains(l.text, "What was said") {
						continue // two servers may both ask for the plan
					}
					n++
					if d.time().Before(saidAt[len(told)].Add(5 * time.Minute)) {
						t.Fatalf("mail %d came before five minutes had passed", n)
					}
					told = append(told, saidInMail.FindAllString(l.text, -1)...)
				}
				return n
			}
			for round := 1; round <= 2; round++ {
				for range 6 {
					saidAt, said = append(saidAt, d.time()), append(said, fmt.Sprintf("word %d.", len(said)))
					g.on(hosts[len(said)%servers]).say(g.red, atTable, said[len(said)-1])
					due := d.time().Add(time.Minute)
					if last := saidAt[(len(said)-1)/6*6].Add(5 * time.Minute); last.Before(due) {
						due = last
					}
					soon(t, "the word is noticed", func() bool { return d.wakes(due) })
					mails()
					d.pass(50 * time.Second)
				}
				soon(t, "a mail comes while the talk goes on", func() bool { return mails() >= round })
				soon(t, "that is known", known)
			}
			mails()
			equal(t, "told", told, said)
		})
	}
}

var saidInMail = regexp.MustCompile(`word \d+\.`)
