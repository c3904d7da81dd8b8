package mail

import (
	"context"
	"errors"
	"io"
	"net"
	"net/mail"
	"sync"
	"testing"

	"github.com/emersion/go-smtp"
	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// office is an SMTP server that keeps its mails.
type office struct {
	address  string
	rcpt     func() error // what it answers to a recipient
	data     func() error // what it answers to a mail
	mu       sync.Mutex
	arrived  []*mail.Message
	texts    []string
	envelope []string
}

func openOffice(t *testing.T) *office {
	t.Helper()
	o := &office{}
	server := smtp.NewServer(smtp.BackendFunc(func(*smtp.Conn) (smtp.Session, error) { return &session{o}, nil }))
	server.Domain = "localhost"
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	o.address = listener.Addr().String()
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	t.Cleanup(func() {
		if err := server.Close(); err != nil {
			t.Error(err)
		}
		listener.Close() // the server does not know it yet where no test has connected
		if err := <-served; err != nil && !errors.Is(err, smtp.ErrServerClosed) && !errors.Is(err, net.ErrClosed) {
			t.Error(err)
		}
	})
	return o
}

type session struct{ o *office }

func (s *session) Reset()                               {}
func (s *session) Logout() error                        { return nil }
func (s *session) Mail(string, *smtp.MailOptions) error { return nil }
func (s *session) Rcpt(to string, _ *smtp.RcptOptions) error {
	s.o.mu.Lock()
	defer s.o.mu.Unlock()
	s.o.envelope = append(s.o.envelope, to)
	if s.o.rcpt != nil {
		return s.o.rcpt()
	}
	return nil
}

func (s *session) Data(r io.Reader) error {
	m, err := mail.ReadMessage(r)
	if err != nil {
		return err
	}
	text, err := io.ReadAll(m.Body)
	if err != nil {
		return err
	}
	s.o.mu.Lock()
	defer s.o.mu.Unlock()
	if s.o.data != nil {
		if err := s.o.data(); err != nil {
			return err
		}
	}
	s.o.arrived, s.o.texts = append(s.o.arrived, m), append(s.o.texts, string(text))
	return nil
}

func (o *office) transport(t *testing.T) *SMTP {
	t.Helper()
	s, err := NewSMTP(Options{Address: o.address, From: "Warledger <games@example.org>", Encryption: "none"})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func (o *office) send(t *testing.T, m Message) Result {
	t.Helper()
	got, err := o.transport(t).Send(t.Context(), m)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestAMailSaysWhatItIs(t *testing.T) {
	t.Parallel()
	o := openOffice(t)
	got := o.send(t, Message{
		To: "ann@example.org", Subject: "Your turn", Text: "Move.", ID: "one", Thread: "game",
		Unsubscribe: "https://play.example/stop", Language: "ja",
	})
	if got.Failure != "" || len(o.arrived) != 1 {
		t.Fatalf("%+v, %d mails", got, len(o.arrived))
	}
	for header, want := range map[string]string{
		"From": `"Warledger" <games@example.org>`, "To": "<ann@example.org>", "Subject": "Your turn",
		"Message-Id":  "<one@example.org>",
		"In-Reply-To": "<game@example.org>", "References": "<game@example.org>", "Auto-Submitted": "auto-generated",
		"Content-Language": "ja",
		"List-Unsubscribe": "<https://play.example/stop>", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
	} {
		if got := o.arrived[0].Header.Get(header); got != want {
			t.Errorf("%s: %q, want %q", header, got, want)
		}
	}
	if diff := cmp.Diff([]string{"ann@example.org"}, o.envelope); diff != "" {
		t.Error(diff)
	}
	if o.texts[0] != "Move.\r\n" && o.texts[0] != "Move." {
		t.Errorf("text %q", o.texts[0])
	}
}

// TestWordsOfAMailMakeNoHeaders puts line ends into texts that players may write.
func TestWordsOfAMailMakeNoHeaders(t *testing.T) {
	t.Parallel()
	o := openOffice(t)
	got := o.send(t,
		Message{To: "ann@example.org", Subject: "Hi\r\nBcc: eve@example.org\r\n\r\nBody", Text: "Move.", ID: "two"})
	if got.Failure != "" || len(o.arrived) != 1 {
		t.Fatalf("%+v, %d mails", got, len(o.arrived))
	}
	if o.arrived[0].Header.Get("Bcc") != "" || len(o.envelope) != 1 {
		t.Errorf("header %v, sent to %v", o.arrived[0].Header, o.envelope)
	}
}

func TestFailuresHaveNames(t *testing.T) {
	t.Parallel()
	no := func(code int) func() error {
		return func() error { return &smtp.SMTPError{Code: code, EnhancedCode: smtp.NoEnhancedCode, Message: "no"} }
	}
	for name, c := range map[string]struct {
		rcpt, data func() error
		want       string
	}{
		"no such mailbox":        {rcpt: no(550), want: FailedRejected},
		"mailbox busy":           {rcpt: no(450), want: FailedRefused},
		"the mail is not wanted": {data: no(554), want: FailedRefused},
		"the disk is full":       {data: no(452), want: FailedRefused},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := openOffice(t)
			o.rcpt, o.data = c.rcpt, c.data
			if got := o.send(t, Message{To: "ann@example.org", Text: "Move.", ID: "x"}); got.Failure != c.want ||
				len(o.arrived) != 0 {
				t.Errorf("%+v with %d mails, want %s", got, len(o.arrived), c.want)
			}
		})
	}
}

func TestAnAddressThatIsNoneIsRejectedWithoutAConnection(t *testing.T) {
	t.Parallel()
	o := openOffice(t)
	if got := o.send(t, Message{To: "nobody", Text: "Move.", ID: "x"}); got.Failure != FailedRejected ||
		len(o.envelope) != 0 {
		t.Errorf("%+v", got)
	}
}

func TestAServerThatIsNotThereIsAFailureToConnect(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	o := &office{address: listener.Addr().String()}
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	if got := o.send(t, Message{To: "ann@example.org", Text: "Move.", ID: "x"}); got.Failure != FailedConnect {
		t.Errorf("%+v", got)
	}
}

func TestSendEndsWithItsContext(t *testing.T) {
	t.Parallel()
	o := openOffice(t)
	ctx, cancel := context.WithCancel(t.Context())
	o.data = func() error { cancel(); return &smtp.SMTPError{Code: 451, Message: "later"} }
	if got, err := o.transport(t).Send(ctx, Message{To: "ann@example.org", Text: "Move.", ID: "x"}); !errors.Is(err,
		context.Canceled) {
		t.Errorf("%+v, %v", got, err)
	}
}
