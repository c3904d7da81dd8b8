package mail

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/mail"
	"strconv"
	"time"

	gomail "github.com/wneessen/go-mail"
)

// sendTimeout is how long one mail may take.
const sendTimeout = 20 * time.Second

// Options say how to reach the SMTP server.
type Options struct {
	// Address of the server, with its port.
	Address string
	// From is the sender: an address, or a name and an address.
	From string
	// User and Password are for servers that want them; empty for none.
	User, Password string
	// Encryption is "starttls", "tls" from the beginning, or "none".
	Encryption string
	// TLS is what to trust instead of what the system does; nil for that.
	TLS *tls.Config
}

// SMTP sends mail by an SMTP server, one connection each.
type SMTP struct {
	host    string
	from    *mail.Address
	domain  string
	options []gomail.Option
}

// NewSMTP makes a transport. Nothing is connected yet.
func NewSMTP(o Options) (*SMTP, error) {
	host, portText, err := net.SplitHostPort(o.Address)
	if err != nil {
		return nil, fmt.Errorf("mail: the server's address needs a port: %w", err)
	}
	port, err := strconv.Atoi(portText)
	if err != nil {
		return nil, fmt.Errorf("mail: %q is no port", portText)
	}
	from, err := mail.ParseAddress(o.From)
	if err != nil || CheckAddress(from.Address) != "" {
		return nil, errors.New("mail: the sender is no address")
	}
	s := &SMTP{host: host, from: from, domain: domainOf(from.Address)}
	s.options = []gomail.Option{gomail.WithTimeout(sendTimeout), gomail.WithPort(port), gomail.WithoutNoop()}
	switch o.Encryption {
	case "starttls":
		s.options = append(s.options, gomail.WithTLSPolicy(gomail.TLSMandatory))
	case "tls":
		s.options = append(s.options, gomail.WithSSL())
	case "none":
		s.options = append(s.options, gomail.WithTLSPolicy(gomail.NoTLS))
	default:
		return nil, fmt.Errorf("mail: %q is no encryption, expected starttls, tls or none", o.Encryption)
	}
	if o.TLS != nil {
		s.options = append(s.options, gomail.WithTLSConfig(o.TLS))
	}
	if o.User != "" {
		s.options = append(s.options, gomail.WithSMTPAuth(gomail.SMTPAuthAutoDiscover), gomail.WithUsername(o.User),
			gomail.WithPassword(o.Password))
	}
	return s, nil
}

func domainOf(address string) string {
	for i := len(address) - 1; i >= 0; i-- {
		if address[i] == '@' {
			return address[i+1:]
		}
	}
	return address
}

// Send hands a mail to the server.
func (s *SMTP) Send(ctx context.Context, m Message) (Result, error) {
	msg, err := s.message(m)
	if err != nil {
		return Result{Failure: FailedRejected}, nil
	}
	client, err := gomail.NewClient(s.host, s.options...)
	if err != nil {
		return Result{}, fmt.Errorf("mail: %w", err)
	}
	err = client.DialAndSendWithContext(ctx, msg)
	if err != nil && ctx.Err() != nil && !msg.IsDelivered() {
		return Result{}, ctx.Err()
	}
	if msg.IsDelivered() { // what fails after that, such as saying goodbye, is nothing to send it again for
		return Result{}, nil
	}
	return Result{Failure: failureOf(err)}, nil
}

func (s *SMTP) message(m Message) (*gomail.Msg, error) {
	msg := gomail.NewMsg(gomail.WithNoDefaultUserAgent())
	msg.FromMailAddress(s.from)
	if err := msg.To(m.To); err != nil {
		return nil, err
	}
	msg.SetMessageIDWithValue(m.ID + "@" + s.domain)
	if m.Thread != "" {
		thread := "<" + m.Thread + "@" + s.domain + ">"
		msg.SetGenHeader(gomail.HeaderInReplyTo, thread)
		msg.SetGenHeader(gomail.HeaderReferences, thread)
	}
	msg.SetDate()
	msg.Subject(m.Subject)
	msg.SetGenHeader("Auto-Submitted", "auto-generated")
	if m.Language != "" {
		msg.SetGenHeader("Content-Language", m.Language)
	}
	if m.Unsubscribe != "" {
		msg.SetListUnsubscribe(m.Unsubscribe)
		msg.SetListUnsubscribePost()
	}
	msg.SetBodyString(gomail.TypeTextPlain, m.Text)
	return msg, nil
}

// failureOf names what went wrong. The error itself quotes the address and goes nowhere.
func failureOf(err error) string {
	var refused *gomail.SendError
	var timeout net.Error
	switch {
	case errors.As(err, &refused) && refused.Reason == gomail.ErrSMTPRcptTo && !refused.IsTemp() &&
		refused.ErrorCode() >= 500:
		return FailedRejected
	case errors.As(err, &refused):
		return FailedRefused
	case errors.As(err, &timeout) && timeout.Timeout():
		return FailedTimeout
	}
	return FailedConnect
}
