package service_test

import (
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
