package service_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-smtp"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/warledger/warledger/eventstore/memory"
	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/service/fault"
)

// box asks for mail to a seat, unconfirmed.
func (g *table) box(token, address string, set ...func(*v1.Mailbox)) *v1.Mailbox {
	g.t.Helper()
	b := &v1.Mailbox{Address: address}
	for _, f := range set {
		f(b)
	}
	out, err := g.notifications().CreateMailbox(as(token),
		&v1.CreateMailboxRequest{Parent: g.name, RequestId: id(), Mailbox: b})
	must(g.t, err)
	return out.Mailbox
}

var mailedLink = regexp.MustCompile(`https://play\.example(/mail/\S+)`)

// linkIn is the path of a link to a page of the server in a mail.
func linkIn(t testing.TB, l letter) *url.URL {
	t.Helper()
	m := mailedLink.FindStringSubmatch(l.text)
	if m == nil {
		t.Fatalf("the mail has no link:\n%s", l.text)
	}
	u, err := url.Parse(m[1])
	must(t, err)
	return u
}

// visit follows a link of a mail, or presses its button.
func (h *host) visit(method string, u *url.URL) *httptest.ResponseRecorder {
	h.t.Helper()
	w := httptest.NewRecorder()
	h.service.MailPages(http.NotFoundHandler()).ServeHTTP(w,
		httptest.NewRequest(method, u.String(), strings.NewReader("List-Unsubscribe=One-Click")))
	return w
}

// agreed asks for mail and agrees to it, once the server knows that its question has arrived: the clock stands still
// until then, since mail is sent no sooner than an interval after the last.
func (g *table) agreed(p *postOffice, token, address string, set ...func(*v1.Mailbox)) *v1.Mailbox {
	g.t.Helper()
	before := len(p.letters())
	b := g.box(token, address, set...)
	soon(g.t, "the question is mailed", func() bool { return len(p.letters()) > before })
	if w := g.visit(http.MethodPost, linkIn(g.t, p.letters()[before])); w.Code != http.StatusOK {
		g.t.Fatalf("agreeing gives %d", w.Code)
	}
	soon(g.t, "the question is known to have arrived",
		func() bool { return g.mailbox(token).Delivery.SuccessTime != nil })
	return b
}

func (g *table) mailbox(token string) *v1.Mailbox {
	g.t.Helper()
	out, err := g.notifications().ListMailboxes(as(token), &v1.ListMailboxesRequest{Parent: g.name})
	must(g.t, err)
	if len(out.Mailboxes) != 1 {
		return nil
	}
	return out.Mailboxes[0]
}

// TestMailNeedsConsent: nobody is written to but once, until they agree by the button; who follows the link alone has
// not agreed, and who does nothing is forgotten.
func TestMailNeedsConsent(t *testing.T) {
	t.Parallel()
	p, d := openPostOffice(t), newDial()
	g := open(t, mailing(t, p), byDial(d)).seated()
	b := g.box(g.red, "red@example.org")
	if b.Delivery.State != v1.SubscriptionState_SUBSCRIPTION_STATE_UNCONFIRMED || b.Seat != "red" {
		t.Errorf("got %v", b)
	}
	soon(t, "the question is mailed", func() bool { return len(p.letters()) == 1 })
	question := p.letters()[0]
	if question.to != "red@example.org" || strings.Contains(question.text, "plan") ||
		question.header.Get("List-Unsubscribe") != "" || !strings.Contains(question.subject, "A game") {
		t.Errorf("the question is %v", question)
	}
	link := linkIn(t, question)
	if w := g.visit(http.MethodGet, link); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), "<button>") ||
		w.Header().Get("Cache-Control") != "no-store" {
		t.Errorf("the page is %d %v", w.Code, w.Header())
	}
	g.do(g.blue, "plan 0503")
	d.pass(time.Hour)
	if s := g.mailbox(g.red).Delivery.State; s != v1.SubscriptionState_SUBSCRIPTION_STATE_UNCONFIRMED {
		t.Errorf("who has looked at the page is %v", s)
	}
	bad := *link
	bad.RawQuery = strings.Replace(link.RawQuery, "code=", "code=a", 1)
	if w := g.visit(http.MethodPost, &bad); w.Code != http.StatusNotFound {
		t.Errorf("a bad code gives %d", w.Code)
	}
	wantError(t, second(g.notifications().ConfirmMailbox(as(), &v1.ConfirmMailboxRequest{Name: b.Name, Code: "a"})),
		codes.PermissionDenied, fault.CodeInvalid)
	// By call, with the code alone, as from a terminal.
	must(t, second(g.notifications().ConfirmMailbox(as(),
		&v1.ConfirmMailboxRequest{Name: b.Name, Code: link.Query().Get("code")})))
	soon(t, "mail begins", func() bool { d.pass(time.Minute); return len(p.letters()) == 2 })

	other := g.box(g.blue, "blue@example.org")
	soon(t, "the question is mailed", func() bool { return len(p.letters()) == 3 })
	late := linkIn(t, p.letters()[2])
	d.pass(48 * time.Hour)
	soon(t, "it is forgotten", func() bool { return g.mailbox(g.blue) == nil })
	if w := g.visit(http.MethodPost, late); w.Code != http.StatusNotFound {
		t.Errorf("agreeing too late gives %d", w.Code)
	}
	_ = other
}

// TestDigest: one mail when something is asked, not with each command and not too often, with what happened since the
// seat's last action, what is asked and a link; nothing of it is hidden from the seat. It ends with one click.
func TestDigest(t *testing.T) {
	t.Parallel()
	p, d := openPostOffice(t), newDial()
	g := open(t, mailing(t, p), byDial(d)).seated(manual(1),
		within(logv1.Lapse_LAPSE_NOTICE, func(d *logv1.Deadlines) { d.Reminders = append(d.Reminders, minutes(60)) }))
	g.do(g.blue, "plan 0503")
	g.agreed(p, g.blue, "blue@example.org", func(b *v1.Mailbox) { b.MinInterval = minutes(1) })
	g.do(g.red, "plan 0303")
	g.do(g.red, "move r2 0304")
	d.pass(time.Hour)
	if n := len(p.letters()); n != 1 {
		t.Errorf("blue got %d mails and is asked nothing", n)
	}
	g.do(g.red, "end")
	d.pass(30 * time.Second)
	if n := len(p.letters()); n != 1 {
		t.Error("blue was written to while red may be playing on")
	}
	d.pass(30 * time.Second)
	soon(t, "blue is written to", func() bool { return len(p.letters()) == 2 })
	m := p.letters()[1]
	for _, want := range []string{"What happened since your last action:", "What is asked of you, as",
		"Your time is up at 2026-11-24", "https://play.example/#/" + g.name} {
		if !strings.Contains(m.text, want) {
			t.Errorf("the mail does not say %q:\n%s", want, m.text)
		}
	}
	if !strings.Contains(m.text, "r2") && !strings.Contains(m.text, "0304") {
		t.Errorf("the mail does not tell of red's move:\n%s", m.text)
	}
	if strings.Contains(m.text, "0303") { // red's plan is hidden from blue
		t.Errorf("the mail tells blue of red's plan:\n%s", m.text)
	}
	if m.header.Get("List-Unsubscribe-Post") != "List-Unsubscribe=One-Click" ||
		m.header.Get("Auto-Submitted") != "auto-generated" || m.header.Get("Message-Id") == "" {
		t.Errorf("the headers are %v", m.header)
	}
	d.pass(3 * time.Hour)
	d.pass(20 * time.Hour)
	soon(t, "blue is reminded", func() bool { return len(p.letters()) == 3 })
	if s := p.letters()[2].subject; !strings.Contains(s, "almost up") {
		t.Errorf("the reminder is %q", s)
	}
	end, err := url.Parse(strings.Trim(m.header.Get("List-Unsubscribe"), "<>"))
	must(t, err)
	if w := g.visit(http.MethodGet, end); w.Code != http.StatusOK || g.mailbox(g.blue) == nil {
		t.Errorf("looking at the page gives %d and mailbox %v", w.Code, g.mailbox(g.blue))
	}
	for range 2 { // a second click is no error
		if w := g.visit(http.MethodPost, end); w.Code != http.StatusOK || g.mailbox(g.blue) != nil {
			t.Errorf("one click gives %d and mailbox %v", w.Code, g.mailbox(g.blue))
		}
	}
}

// TestMailInJapanese has the language of the mailbox in all that is said.
func TestMailInJapanese(t *testing.T) {
	t.Parallel()
	p, d := openPostOffice(t), newDial()
	g := open(t, mailing(t, p), byDial(d)).seated(manual(1))
	g.agreed(p, g.blue, "blue@example.org", func(b *v1.Mailbox) { b.LanguageCode = "ja" })
	soon(t, "blue is written to", func() bool { d.pass(time.Minute); return len(p.letters()) == 2 })
	if m := p.letters()[1]; !strings.Contains(m.subject, "あなたの決定待ちです") || !strings.Contains(m.text, "求められていること") {
		t.Errorf("the mail is %q:\n%s", m.subject, m.text)
	}
}

// TestMailServerTrouble: mail that is not taken is tried again under the same id; an address that does not
// exist is given up at once.
func TestMailServerTrouble(t *testing.T) {
	t.Parallel()
	p, d := openPostOffice(t), newDial()
	store := memory.New()
	t.Cleanup(func() { must(t, store.Close()) })
	again := func() *host { return open(t, mailing(t, p), byDial(d), func(s *setting) { s.store = store }) }
	g := again().seated()
	p.refuses(func(string) error { return &smtp.SMTPError{Code: 451, Message: "later"} })
	g.box(g.red, "red@example.org")
	soon(t, "it fails", func() bool { return g.mailbox(g.red).Delivery.Attempts == 1 })
	if s := g.mailbox(g.red).Delivery; s.Failure != "refused" ||
		s.State != v1.SubscriptionState_SUBSCRIPTION_STATE_FAILING {
		t.Errorf("got %v", s)
	}
	g.host.stop()
	p.refuses(nil)
	g.host = again()
	d.pass(time.Minute)
	soon(t, "it is taken", func() bool { return len(p.letters()) == 1 })
	p.refuses(func(string) error { return &smtp.SMTPError{Code: 550, Message: "nobody of that name"} })
	g.box(g.blue, "nobody@example.org")
	soon(t, "it is given up", func() bool {
		return g.mailbox(g.blue).Delivery.State == v1.SubscriptionState_SUBSCRIPTION_STATE_DISABLED
	})
	if s := g.mailbox(g.blue).Delivery; s.Failure != "rejected" {
		t.Errorf("got %v", s)
	}
}

// TestWhoLosesASeatIsTold, once and of nothing else.
func TestWhoLosesASeatIsTold(t *testing.T) {
	t.Parallel()
	p, d := openPostOffice(t), newDial()
	g := open(t, mailing(t, p), byDial(d)).seated(within(logv1.Lapse_LAPSE_OPEN_SEAT))
	g.agreed(p, g.red, "red@example.org")
	g.do(g.red, "plan 0303")
	g.agreed(p, g.blue, "blue@example.org")
	d.pass(25 * time.Hour)
	soon(t, "blue is told", func() bool {
		for _, l := range p.letters() {
			if l.to == "blue@example.org" && strings.Contains(l.subject, "lost your seat") {
				return true
			}
		}
		return false
	})
	g.blue = g.sit("blue")
	if b := g.mailbox(g.blue); b != nil {
		t.Errorf("the next holder has %v", b)
	}
}

// TestWhoMayHaveMail: who holds a seat, one address, and no address is asked too often.
func TestWhoMayHaveMail(t *testing.T) {
	t.Parallel()
	p, d := openPostOffice(t), newDial()
	h := open(t, mailing(t, p), byDial(d))
	g := h.seated()
	create := func(token string, b *v1.Mailbox) error {
		return second(g.notifications().CreateMailbox(as(token),
			&v1.CreateMailboxRequest{Parent: g.name, RequestId: id(), Mailbox: b}))
	}
	wantError(t, create(g.owner, &v1.Mailbox{Address: "a@example.org"}), codes.PermissionDenied, fault.NotYourSeat)
	wantError(t, create(g.red, &v1.Mailbox{Seat: "blue", Address: "a@example.org"}), codes.PermissionDenied,
		fault.NotYourSeat)
	for _, bad := range []string{
		"", "ann", "ann@", "@example.org", "Ann <ann@example.org>", "ann@example.org\r\nBcc: x@example.org",
		"a@b@example.org", "ann@localhost", strings.Repeat("a", 300) + "@example.org",
	} {
		err := create(g.red, &v1.Mailbox{Address: bad, MinInterval: durationpb.New(time.Second)})
		wantError(t, err, codes.InvalidArgument, fault.ValidationFailed)
		equal(t, "fields", violations(err), []string{"mailbox.address", "mailbox.min_interval"})
		if len(bad) > 12 && strings.Contains(err.Error(), bad) {
			t.Errorf("the error quotes the address: %v", err)
		}
	}
	for range 3 {
		must(t, create(g.red, &v1.Mailbox{Address: "victim@example.org"}))
	}
	wantError(t, create(g.blue, &v1.Mailbox{Address: "Victim@example.org"}), codes.ResourceExhausted, fault.RateLimited)
	d.pass(25 * time.Hour)
	must(t, create(g.blue, &v1.Mailbox{Address: "victim@example.org"}))
	must(t, second(g.notifications().DeleteMailbox(as(g.blue), &v1.DeleteMailboxRequest{Name: g.mailbox(g.red).Name})))
	if g.mailbox(g.red) == nil {
		t.Error("blue ends red's mail")
	}
	must(t, second(g.notifications().DeleteMailbox(as(g.red), &v1.DeleteMailboxRequest{Name: g.mailbox(g.red).Name})))
	if g.mailbox(g.red) != nil {
		t.Error("red's mailbox stays")
	}
	off := open(t).seated()
	wantError(t, second(off.notifications().CreateMailbox(as(off.red), &v1.CreateMailboxRequest{
		Parent: off.name, RequestId: id(), Mailbox: &v1.Mailbox{Address: "a@example.org"},
	})), codes.FailedPrecondition, fault.MailOff)
}
