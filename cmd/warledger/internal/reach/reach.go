// Package reach finds out in which way a client can't reach a server. It takes the steps of a call one by one: name,
// connection, TLS, HTTP/2, the call itself. The first step that fails says what is wrong, and what to do about it.
package reach

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"strings"
	"syscall"
	"time"
)

// Kind is one way of reaching a server or failing to.
type Kind string

// The kinds, by the step that they belong to.
const (
	OK Kind = "ok"

	BadAddress Kind = "address"     // it has no host and port
	NoName     Kind = "no-name"     // DNS knows no such name
	NoResolver Kind = "no-resolver" // DNS gives no answer

	Refused Kind = "refused"  // nothing listens there
	NoRoute Kind = "no-route" // there is no route there
	Timeout Kind = "timeout"  // a step had no answer in time

	Plain       Kind = "plain"       // the client uses TLS, the server does not
	Encrypted   Kind = "encrypted"   // the client does not use TLS, the server does
	Expired     Kind = "expired"     // its certificate has expired
	NotYetValid Kind = "not-yet"     // its certificate is not valid yet
	WrongName   Kind = "wrong-name"  // its certificate is for other names
	Unknown     Kind = "unknown-ca"  // no trusted authority has signed its certificate
	WantsCert   Kind = "wants-cert"  // it wants a certificate from the client
	Handshake   Kind = "tls-failed"  // TLS failed in another way
	NoHTTP2     Kind = "no-http2"    // it speaks another protocol than HTTP/2
	WrongHost   Kind = "wrong-host"  // it does not answer for this name
	WrongPath   Kind = "wrong-path"  // it answers, but is not Warledger
	BehindProxy Kind = "proxy"       // a proxy answers, and can't reach the server
	Forbidden   Kind = "forbidden"   // a proxy wants a password
	Busy        Kind = "busy"        // the server refuses because of too many calls
	NotServing  Kind = "not-serving" // the server answers, but can't work now
	Broken      Kind = "broken"      // anything else
)

// Way is how a client means to reach a server.
type Way struct {
	// Target is the address as the client was given it: HOST:PORT, dns:///HOST:PORT or unix:PATH.
	Target string
	// TLS is how to encrypt; nil for not at all.
	TLS *tls.Config
	// Patience is how long each step may take.
	Patience time.Duration
	// Lookup finds the addresses of a name; the system's if nil.
	Lookup func(ctx context.Context, host string) ([]string, error)
}

// Result is what was found.
type Result struct {
	Kind Kind
	// Found says what is so, as a sentence without its full stop, and Do what helps; empty if nothing is to be done.
	Found, Do string
	// Expires is when the first certificate of the server's chain expires; zero without TLS.
	Expires time.Time
}

// Find takes the steps of a call.
func Find(ctx context.Context, w Way) Result {
	network, address, err := place(w.Target)
	if err != nil {
		return Result{Kind: BadAddress, Found: err.Error(), Do: "give HOST:PORT; the usual port is 7480"}
	}
	if network == "tcp" {
		if r := w.name(ctx, address); r.Kind != OK {
			return r
		}
	}
	conn, r := w.connect(ctx, network, address)
	if r.Kind != OK {
		return r
	}
	defer conn.Close()
	if w.TLS == nil {
		return w.plain(ctx, conn, network, address)
	}
	secure, asked, r := w.encrypt(ctx, conn, hostOf(address))
	if r.Kind != OK {
		return r
	}
	defer secure.Close()
	r = w.call(ctx, secure, address, asked)
	r.Expires = firstExpiry(secure.ConnectionState())
	return r
}

// place reads a target as gRPC does.
func place(target string) (network, address string, err error) {
	if path, ok := strings.CutPrefix(target, "unix:"); ok {
		return "unix", strings.TrimPrefix(path, "//"), nil
	}
	for _, scheme := range []string{"dns:", "passthrough:"} {
		if rest, ok := strings.CutPrefix(target, scheme); ok {
			target = rest[strings.LastIndexByte(rest, '/')+1:]
			break
		}
	}
	if strings.Contains(target, "://") {
		return "", "", fmt.Errorf("%q is the address of a page", target)
	}
	host, port, err := net.SplitHostPort(target)
	if err != nil || port == "" {
		return "", "", fmt.Errorf("%q names no host and port", target)
	}
	if host == "" {
		host = "localhost"
	}
	return "tcp", net.JoinHostPort(host, port), nil
}

func hostOf(address string) string {
	if host, _, err := net.SplitHostPort(address); err == nil {
		return host
	}
	return "localhost"
}

// name looks the host up.
func (w Way) name(ctx context.Context, address string) Result {
	host := hostOf(address)
	if net.ParseIP(host) != nil {
		return Result{Kind: OK}
	}
	lookup := w.Lookup
	if lookup == nil {
		lookup = net.DefaultResolver.LookupHost
	}
	ctx, cancel := context.WithTimeout(ctx, w.Patience)
	defer cancel()
	_, err := lookup(ctx, host)
	var dns *net.DNSError
	switch {
	case err == nil:
		return Result{Kind: OK}
	case errors.As(err, &dns) && dns.IsNotFound:
		return Result{Kind: NoName, Found: fmt.Sprintf("no address is known for the name %q", host),
			Do: "check the spelling; a new name may take an hour to become known everywhere"}
	}
	return Result{Kind: NoResolver, Found: fmt.Sprintf("the name %q could not be looked up: %v", host, err),
		Do: "check this machine's network and DNS server, or give the IP address"}
}

// connect opens the connection.
func (w Way) connect(ctx context.Context, network, address string) (net.Conn, Result) {
	conn, err := (&net.Dialer{Timeout: w.Patience}).DialContext(ctx, network, address)
	if err == nil {
		return conn, Result{Kind: OK}
	}
	switch {
	case errors.Is(err, syscall.ECONNREFUSED), network == "unix" && errors.Is(err, os.ErrNotExist):
		return nil, Result{Kind: Refused, Found: "nothing listens at " + address,
			Do: "is warledgerd running there? --server or WARLEDGER_SERVER names another"}
	case errors.Is(err, syscall.EHOSTUNREACH), errors.Is(err, syscall.ENETUNREACH):
		return nil, Result{Kind: NoRoute, Found: "there is no route to " + address,
			Do: "check this machine's network, and the address"}
	case isTimeout(err):
		return nil, Result{Kind: Timeout, Found: fmt.Sprintf("%s gave no answer in %v", address, w.Patience),
			Do: "a firewall may drop the connection, or the address is another machine's: see that its port is open"}
	}
	return nil, Result{Kind: Broken, Found: err.Error(), Do: "see whether the address is right"}
}

// plain goes on without TLS. A server that wants TLS closes the connection or sends an alert.
func (w Way) plain(ctx context.Context, conn net.Conn, network, address string) Result {
	first, err := w.greet(conn)
	switch {
	case isSettings(first):
		again, r := w.connect(ctx, network, address)
		if r.Kind != OK {
			return r
		}
		defer again.Close()
		return w.call(ctx, again, address, false)
	case isHTTP1(first):
		return noHTTP2(address)
	case isRecord(first) || len(first) == 0 && w.speaksTLS(ctx, network, address):
		return Result{Kind: Encrypted, Found: address + " speaks TLS, but the client does not",
			Do: "add --tls on; for a self-signed certificate also --ca FILE"}
	case isTimeout(err):
		return silent(address, w.Patience)
	}
	return notOurs(address)
}

// speaksTLS reports whether a server answers a handshake in any way.
func (w Way) speaksTLS(ctx context.Context, network, address string) bool {
	conn, r := w.connect(ctx, network, address)
	if r.Kind != OK {
		return false
	}
	defer conn.Close()
	ctx, cancel := context.WithTimeout(ctx, w.Patience)
	defer cancel()
	// Nothing is sent over it: only whether it is TLS matters, not whose.
	err := tls.Client(conn, &tls.Config{InsecureSkipVerify: true, NextProtos: []string{"h2"}}).HandshakeContext(ctx)
	return err == nil || alertIn(err) != ""
}

func silent(address string, patience time.Duration) Result {
	return Result{Kind: Timeout,
		Found: fmt.Sprintf("%s accepts the connection but says nothing for %v", address, patience),
		Do:    "another program may listen there, or the server hangs: look at its log"}
}

func notOurs(address string) Result {
	return Result{Kind: NoHTTP2, Found: "what listens at " + address + " does not speak HTTP/2",
		Do: "another program has this port: see what listens there, and which port warledgerd has (--listen)"}
}

func noHTTP2(address string) Result {
	return Result{Kind: NoHTTP2, Found: address + " speaks HTTP/1.1 only, and gRPC needs HTTP/2",
		Do: "a proxy in front must pass gRPC on with HTTP/2, as `grpc_pass` of nginx does; or use the port of --listen"}
}

func isTimeout(err error) bool {
	var timeout net.Error
	return errors.As(err, &timeout) && timeout.Timeout() || errors.Is(err, context.DeadlineExceeded)
}

// greet sends what begins a connection of HTTP/2, and reads the beginning of the answer.
func (w Way) greet(conn net.Conn) ([]byte, error) {
	_ = conn.SetDeadline(time.Now().Add(w.Patience))
	// The preface, and an empty frame of settings.
	const preface, settings = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "\x00\x00\x00\x04\x00\x00\x00\x00\x00"
	if _, err := conn.Write([]byte(preface + settings)); err != nil {
		return nil, err
	}
	first := make([]byte, 9)
	n, err := conn.Read(first)
	return first[:n], err
}

// isSettings, isHTTP1 and isRecord tell by its first bytes what an answer is: a frame of settings, which begins each
// connection of HTTP/2, an answer of HTTP/1, or a record of TLS.
func isSettings(first []byte) bool { return len(first) >= 4 && first[0] == 0 && first[3] == 4 }
func isHTTP1(first []byte) bool    { return strings.HasPrefix(string(first), "HTTP/1.") }
func isRecord(first []byte) bool {
	return len(first) >= 2 && (first[0] == 0x15 || first[0] == 0x16) && first[1] == 3
}

// transport makes calls over one connection that is there already.
func transport(conn net.Conn) *http.Transport {
	t := &http.Transport{Protocols: new(http.Protocols), DisableCompression: true}
	dial := func(context.Context, string, string) (net.Conn, error) { return conn, nil }
	if _, ok := conn.(*tls.Conn); ok {
		t.Protocols.SetHTTP2(true)
		t.DialTLSContext = dial
		return t
	}
	t.Protocols.SetUnencryptedHTTP2(true)
	t.DialContext = dial
	return t
}
