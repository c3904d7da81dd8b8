package service_test

import (
	"errors"
	"io"
	"mime"
	"mime/quotedprintable"
	"net"
	"net/mail"
	"strings"
	"sync"
	"testing"

	"github.com/emersion/go-smtp"

	mailer "github.com/warledger/warledger/service/mail"
)

// letter is a mail as it arrived.
type letter struct {
	to, subject, text string
	header            mail.Header
}

// postOffice is an SMTP server that keeps what it is sent.
type postOffice struct {
	t       testing.TB
	address string
	mu      sync.Mutex
	// refuse says why a mail to an address is not taken; nil takes all.
	refuse func(to string) error
	// hold is called whenever a mail is offered, and keeps its sender waiting as long as it takes; nil for not at all.
	hold func()
	got  []letter
}

func openPostOffice(t testing.TB) *postOffice {
	t.Helper()
	p := &postOffice{t: t}
	s := smtp.NewServer(p)
	s.Domain, s.AllowInsecureAuth = "localhost", true
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	p.address = l.Addr().String()
	served := make(chan error, 1)
	go func() { served <- s.Serve(l) }()
	t.Cleanup(func() {
		must(t, s.Close())
		if err := <-served; err != nil && !errors.Is(err, smtp.ErrServerClosed) {
			t.Error(err)
		}
	})
	return p
}

// NewSession begins to take mail.
func (p *postOffice) NewSession(*smtp.Conn) (smtp.Session, error) {
	return &mailSession{office: p}, nil
}

type mailSession struct {
	office *postOffice
	to     string
}

func (s *mailSession) Reset()                               { s.to = "" }
func (s *mailSession) Logout() error                        { return nil }
func (s *mailSession) Mail(string, *smtp.MailOptions) error { return nil }
func (s *mailSession) Rcpt(to string, _ *smtp.RcptOptions) error {
	s.to = to
	if s.office.hold != nil {
		s.office.hold()
	}
	s.office.mu.Lock()
	defer s.office.mu.Unlock()
	if s.office.refuse != nil {
		return s.office.refuse(to)
	}
	return nil
}

func (s *mailSession) Data(r io.Reader) error {
	m, err := mail.ReadMessage(r)
	if err != nil {
		s.office.t.Errorf("got what is no mail: %v", err)
		return err
	}
	body := io.Reader(m.Body)
	if strings.EqualFold(m.Header.Get("Content-Transfer-Encoding"), "quoted-printable") {
		body = quotedprintable.NewReader(body)
	}
	text, err := io.ReadAll(body)
	if err != nil {
		return err
	}
	subject, err := new(mime.WordDecoder).DecodeHeader(m.Header.Get("Subject"))
	if err != nil {
		return err
	}
	s.office.mu.Lock()
	defer s.office.mu.Unlock()
	s.office.got = append(s.office.got, letter{s.to, subject, string(text), m.Header})
	return nil
}

func (p *postOffice) letters() []letter {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]letter(nil), p.got...)
}

func (p *postOffice) refuses(f func(to string) error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.refuse = f
}

// mailing has a server send mail by a post office.
func mailing(t testing.TB, p *postOffice) func(*setting) {
	t.Helper()
	transport, err := mailer.NewSMTP(mailer.Options{
		Address: p.address, From: "Warledger <play@example.org>", Encryption: "none",
	})
	must(t, err)
	return func(s *setting) { s.notices.Mail, s.notices.Page = transport, "https://play.example" }
}
