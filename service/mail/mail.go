package mail

import (
	"context"
	"net/mail"
	"strings"
)

// Message is a mail to one address.
type Message struct {
	// To is the address.
	To string
	// Subject and Text are in plain text.
	Subject, Text string
	// ID names the mail: the same whenever it is sent again, so that a reader can tell that two are one.
	ID string
	// Thread is the same for mails that belong together.
	Thread string
	// Unsubscribe is an address that ends such mail when it is posted to; empty for none.
	Unsubscribe string
	// Language of the text: "en" or "ja".
	Language string
}

// Why a mail was not taken.
const (
	// FailedTimeout: there was no answer in time.
	FailedTimeout = "timeout"
	// FailedConnect: there was no connection to the SMTP server, or it did not let us send.
	FailedConnect = "connect"
	// FailedRefused: the SMTP server did not take the mail now.
	FailedRefused = "refused"
	// FailedRejected: the SMTP server will never take mail to the address.
	FailedRejected = "rejected"
)

// Result is the outcome of sending a mail.
type Result struct {
	// Failure is why it was not taken, one of the words above; empty if it was.
	Failure string
}

// Transport sends mail. An error is the context's.
type Transport interface {
	Send(ctx context.Context, m Message) (Result, error)
}

// maxAddress is how long an address may be, in bytes (RFC 5321).
const maxAddress = 254

// CheckAddress says what is wrong with an address; empty if nothing is. It must be bare, as in
// "ann@example.org", and is never quoted.
func CheckAddress(address string) (fault string) {
	const expected = "expected an address such as ann@example.org"
	if len(address) > maxAddress {
		return "it is too long, at most 254 bytes are allowed"
	}
	parsed, err := mail.ParseAddress(address)
	if err != nil || parsed.Name != "" || parsed.Address != address ||
		strings.ContainsAny(address, " \"<>,;:\\[]\t\r\n") {
		return expected
	}
	local, domain, ok := strings.Cut(address, "@")
	if !ok || local == "" || len(local) > 64 || strings.HasPrefix(domain, ".") || !strings.Contains(domain, ".") ||
		strings.HasSuffix(domain, ".") {
		return expected
	}
	return ""
}
