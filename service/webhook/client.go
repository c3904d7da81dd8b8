package webhook

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"sync"
	"time"
)

// Why a notice did not arrive. No more is told of an answer, or webhooks could be used to read what only
// the server can reach.
const (
	// FailedTimeout: there was no answer in time.
	FailedTimeout = "timeout"
	// FailedAddress: the address is not one that webhooks may reach.
	FailedAddress = "address"
	// FailedConnect: there was no connection.
	FailedConnect = "connect"
	// FailedTLS: the certificate is not one to trust, or there was no encryption.
	FailedTLS = "tls"
	// FailedStatus: the receiver answered with a status that is not 200 to 299.
	FailedStatus = "status"
	// FailedGone: the receiver answered 410 and wants no more.
	FailedGone = "gone"
)

// Bounds of one try.
const (
	usualTimeout = 10 * time.Second
	mostAnswer   = 16 << 10 // bytes that are read of an answer
	mostHeader   = 16 << 10
	idleTimeout  = 30 * time.Second
	mostWait     = time.Hour // that a receiver may ask for
)

// Options tune a client. The zero value is right for a server.
type Options struct {
	// Guard decides what may be reached.
	Guard Guard
	// Timeout of one try; 10 s.
	Timeout time.Duration
	// PerHost is how many tries go to one host at once; 4.
	PerHost int
	// Program names the sender in User-Agent.
	Program string
	// TLS is what to trust instead of what the system does; nil for that.
	TLS *tls.Config
}

// Client posts notices. It follows no redirects, uses no proxy and keeps no cookies.
type Client struct {
	options      Options
	plain, tls   *http.Client
	mu           sync.Mutex
	busy         map[string]int
	transportTLS *http.Transport
	transport    *http.Transport
}

// New makes a client. Close it at the end.
func New(o Options) *Client {
	if o.Timeout <= 0 {
		o.Timeout = usualTimeout
	}
	if o.PerHost <= 0 {
		o.PerHost = 4
	}
	c := &Client{options: o, busy: make(map[string]int)}
	make1 := func(plain bool) (*http.Client, *http.Transport) {
		dialer := &net.Dialer{Timeout: o.Timeout, Control: o.Guard.control(plain)}
		t := &http.Transport{
			DialContext: dialer.DialContext, TLSClientConfig: o.TLS, ForceAttemptHTTP2: true,
			TLSHandshakeTimeout:    o.Timeout,
			MaxResponseHeaderBytes: mostHeader, MaxIdleConns: 64, MaxIdleConnsPerHost: 1, IdleConnTimeout: idleTimeout,
			DisableCompression: true,
		}
		return &http.Client{Transport: t, Timeout: o.Timeout,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}, t
	}
	c.plain, c.transport = make1(true)
	c.tls, c.transportTLS = make1(false)
	return c
}

// Close lets connections go.
func (c *Client) Close() {
	c.transport.CloseIdleConnections()
	c.transportTLS.CloseIdleConnections()
}

// Result is the outcome of one attempt.
type Result struct {
	// Status of the answer; 0 if none existed.
	Status int
	// Failure is why it did not arrive, one of the words above; empty if it did.
	Failure string
	// After is how long the receiver wants to be left alone; 0 if it did not say.
	After time.Duration
}

// ErrBusy says that as many tries go to the host already as there may be. Try again soon.
var ErrBusy = errors.New("webhook: the host has as many requests as it may have")

// Post posts a notice. An error is [ErrBusy] or the context's: nothing was tried, or it was cut off; all
// else is in the result.
func (c *Client) Post(
	ctx context.Context, address string, secret []byte, id string, at time.Time, body []byte,
) (Result, error) {
	u, err := url.Parse(address)
	if err != nil || c.options.Guard.CheckURL(address) != "" { // what may be reached has changed
		return Result{Failure: FailedAddress}, nil
	}
	if !c.enter(u.Host) {
		return Result{}, ErrBusy
	}
	defer c.leave(u.Host)
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, u.String(), bytes.NewReader(body))
	if err != nil {
		return Result{Failure: FailedAddress}, nil
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("User-Agent", c.options.Program)
	req.Header.Set(HeaderID, id)
	req.Header.Set(HeaderTimestamp, strconv.FormatInt(at.Unix(), 10))
	req.Header.Set(HeaderSignature, Sign(secret, id, at, body))
	client := c.tls
	if u.Scheme == "http" {
		client = c.plain
	}
	resp, err := client.Do(req)
	if err != nil {
		if ctx.Err() != nil {
			return Result{}, ctx.Err()
		}
		return Result{Failure: failureOf(err)}, nil
	}
	defer resp.Body.Close()
	_, _ = io.CopyN(io.Discard, resp.Body, mostAnswer) // so that the connection can be used again
	return answered(resp, at), nil
}

func answered(resp *http.Response, at time.Time) Result {
	r := Result{Status: resp.StatusCode}
	switch {
	case r.Status >= 200 && r.Status < 300:
		return r
	case r.Status == http.StatusGone:
		r.Failure = FailedGone
	default:
		r.Failure = FailedStatus
	}
	if wait := resp.Header.Get("Retry-After"); wait != "" {
		if seconds, err := strconv.Atoi(wait); err == nil {
			r.After = time.Duration(max(0, min(seconds, int(mostWait/time.Second)))) * time.Second
		} else if then, err := http.ParseTime(wait); err == nil {
			r.After = max(0, min(then.Sub(at), mostWait))
		}
	}
	return r
}

// failureOf names what went wrong. The error itself quotes the address and goes nowhere.
func failureOf(err error) string {
	var timeout interface{ Timeout() bool }
	var record tls.RecordHeaderError
	var cert *tls.CertificateVerificationError
	switch {
	case errors.Is(err, errAddress):
		return FailedAddress
	case errors.As(err, &cert), errors.As(err, &record):
		return FailedTLS
	case errors.As(err, &timeout) && timeout.Timeout():
		return FailedTimeout
	}
	return FailedConnect
}

func (c *Client) enter(host string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.busy[host] >= c.options.PerHost {
		return false
	}
	c.busy[host]++
	return true
}

func (c *Client) leave(host string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.busy[host]--; c.busy[host] <= 0 {
		delete(c.busy, host)
	}
}

// Guard is what decides what may be reached.
func (c *Client) Guard() Guard { return c.options.Guard }
