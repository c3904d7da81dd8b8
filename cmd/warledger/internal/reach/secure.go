package reach

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"time"
)

// encrypt does the handshake. asked says whether the server wanted a certificate of the client.
func (w Way) encrypt(ctx context.Context, conn net.Conn, host string) (secure *tls.Conn, asked bool, r Result) {
	config := w.TLS.Clone()
	config.NextProtos = []string{"h2"}
	if config.ServerName == "" {
		config.ServerName = host
	}
	config.GetClientCertificate = func(*tls.CertificateRequestInfo) (*tls.Certificate, error) {
		asked = true
		if len(w.TLS.Certificates) > 0 {
			return &w.TLS.Certificates[0], nil
		}
		return new(tls.Certificate), nil
	}
	limited, cancel := context.WithTimeout(ctx, w.Patience)
	defer cancel()
	secure = tls.Client(conn, config)
	if err := secure.HandshakeContext(limited); err != nil {
		return nil, asked, w.handshake(err, conn.RemoteAddr().String(), config.ServerName)
	}
	if secure.ConnectionState().NegotiatedProtocol != "h2" {
		return nil, asked, noHTTP2(conn.RemoteAddr().String())
	}
	return secure, asked, Result{Kind: OK}
}

// handshake says why it failed.
func (w Way) handshake(err error, address, name string) Result {
	var record tls.RecordHeaderError
	switch alert := alertIn(err); {
	case errors.As(err, &record):
		return Result{Kind: Plain, Found: address + " does not speak TLS, but the client does",
			Do: "add --tls off; over a network that others can read, give the server a certificate first (--tls-cert)"}
	case alert != "":
		return refusedBy(alert, address)
	case isTimeout(err):
		return silent(address, w.Patience)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return Result{Kind: Handshake, Found: address + " ends the connection during the TLS handshake",
			Do: "if it is a server without TLS, add --tls off; else look at the server's log"}
	}
	return certificate(err, name)
}

// alertIn is what the other side of a TLS connection does not like; empty if it said nothing.
func alertIn(err error) string {
	var remote *net.OpError
	if errors.As(err, &remote) && remote.Op == "remote error" { // which is how crypto/tls tells of an alert
		return remote.Err.Error()
	}
	return ""
}

// refusedBy says what a server does not like about the handshake.
func refusedBy(text, address string) Result {
	switch {
	case strings.Contains(text, "certificate"):
		return wantsCertificate(address)
	case strings.Contains(text, "application protocol"):
		return noHTTP2(address)
	default:
		return Result{Kind: Handshake, Found: address + " refuses the TLS handshake: " + text,
			Do: "the server speaks only TLS 1.3: look for a proxy in between, and at the server's log"}
	}
}

func wantsCertificate(address string) Result {
	return Result{Kind: WantsCert, Found: address + " accepts only clients with a certificate that it trusts",
		Do: "show one that the server's operator has signed: --cert FILE --key FILE"}
}

// certificate says why a certificate is not believed.
func certificate(err error, name string) Result {
	var invalid x509.CertificateInvalidError
	var other x509.HostnameError
	var unknown x509.UnknownAuthorityError
	switch {
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired && invalid.Cert != nil:
		c, now := invalid.Cert, time.Now()
		if now.Before(c.NotBefore) {
			return Result{Kind: NotYetValid, Expires: c.NotAfter, Found: fmt.Sprintf(
				"the server's certificate is valid from %s on, but the time here is %s", day(c.NotBefore), day(now)),
				Do: "set the clock of this machine; if it is right, the server has the wrong certificate"}
		}
		return Result{Kind: Expired, Expires: c.NotAfter,
			Found: fmt.Sprintf("the server's certificate expired at %s, and here it is %s", day(c.NotAfter), day(now)),
			Do: "its operator must renew it: warledgerd reads the new file within a minute; " +
				"if it is valid, set the clock of this machine"}
	case errors.As(err, &other):
		return Result{Kind: WrongName, Found: fmt.Sprintf("the server's certificate is for %s, not for %s",
			names(other.Certificate), name),
			Do: "call the server by a name in its certificate, or have its operator add this one"}
	case errors.As(err, &unknown):
		return Result{Kind: Unknown, Found: "no authority that this machine trusts has signed the server's certificate",
			Do: "give the signer's certificate: --ca FILE"}
	}
	return Result{Kind: Handshake, Found: "TLS failed: " + err.Error(), Do: "look at the server's certificate and log"}
}

func day(t time.Time) string { return t.UTC().Format("2006-01-02 15:04 UTC") }

// names are whom a certificate is for.
func names(c *x509.Certificate) string {
	all := slices.Clone(c.DNSNames)
	for _, ip := range c.IPAddresses {
		all = append(all, ip.String())
	}
	if len(all) == 0 {
		return "no name"
	}
	return strings.Join(all, ", ")
}

// firstExpiry is when the first certificate of a chain expires.
func firstExpiry(s tls.ConnectionState) (first time.Time) {
	chain := s.PeerCertificates
	if len(s.VerifiedChains) > 0 {
		chain = s.VerifiedChains[0]
	}
	for _, c := range chain {
		if first.IsZero() || c.NotAfter.Before(first) {
			first = c.NotAfter
		}
	}
	return first
}
