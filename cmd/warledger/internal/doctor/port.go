package doctor

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"regexp"
	"strings"
	"syscall"
	"time"
)

// Port asks a port for HTTP.
type Port struct {
	// Check names the port in findings ("port.web"), and Flag the server's setting for it ("--web").
	Check, Flag string
	// Address is HOST:PORT.
	Address string
	// TLS is how to encrypt; nil for not at all.
	TLS *tls.Config
	// Patience is how long a question may take.
	Patience time.Duration
}

// Page is what a port answered.
type Page struct {
	Code int
	Text string
	// Date is the server's clock, and Asked and Answered are this machine's around it.
	Date, Asked, Answered time.Time
}

// longestPage is how much of an answer is read, in bytes.
const longestPage = 4 << 20

// Ask asks for a page, or with a body calls a method with JSON. Without an answer the finding says why.
func (p Port) Ask(ctx context.Context, path, body string) (Page, *Finding) {
	scheme, method := "http", http.MethodGet
	if p.TLS != nil {
		scheme = "https"
	}
	if body != "" {
		method = http.MethodPost
	}
	ctx, cancel := context.WithTimeout(ctx, p.Patience)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, scheme+"://"+p.Address+path, strings.NewReader(body))
	if err != nil {
		return Page{}, &Finding{p.Check, Problem, fmt.Sprintf("%q is not HOST:PORT", p.Address), "check " + p.Flag}
	}
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	t := &http.Transport{TLSClientConfig: p.TLS, DisableKeepAlives: true, ForceAttemptHTTP2: true}
	page := Page{Asked: time.Now()}
	resp, err := t.RoundTrip(req)
	if err != nil {
		return Page{}, p.fails(err)
	}
	defer resp.Body.Close()
	page.Answered, page.Code = time.Now(), resp.StatusCode
	page.Date, _ = http.ParseTime(resp.Header.Get("Date"))
	text, err := io.ReadAll(io.LimitReader(resp.Body, longestPage))
	if err != nil {
		return Page{}, p.fails(err)
	}
	page.Text = string(text)
	return page, p.unwanted(page)
}

// unwanted says what is wrong with an answer; nil if nothing is.
func (p Port) unwanted(page Page) *Finding {
	switch page.Code {
	case http.StatusOK:
		return nil
	case http.StatusMisdirectedRequest:
		return &Finding{p.Check, Problem, p.Address + " answers, but not under this name (421)",
			"add the name to --hosts of the server; a proxy must pass on a name that the server knows"}
	case http.StatusServiceUnavailable:
		return &Finding{p.Check, Problem, fmt.Sprintf("%s says that the server can't work (503)", p.Address),
			"its store can't be written or it is stopping: look at its log, its disk or its database"}
	case http.StatusBadRequest:
		if p.TLS == nil && strings.Contains(page.Text, "HTTPS server") {
			return &Finding{p.Check, Problem, p.Address + " speaks TLS, but the request did not", "add --tls on"}
		}
	}
	return &Finding{p.Check, Problem, fmt.Sprintf("%s answers %d: it may be another program", p.Address, page.Code),
		"see what listens there; " + p.Flag + " of warledgerd says which port is meant"}
}

// fails says why a port gives no answer.
func (p Port) fails(err error) *Finding {
	var record tls.RecordHeaderError
	var timeout net.Error
	switch {
	case errors.Is(err, syscall.ECONNREFUSED):
		return &Finding{p.Check, Note, "nothing listens at " + p.Address,
			"if a server should, start it, or check its " + p.Flag}
	case errors.As(err, &record):
		return &Finding{p.Check, Problem, p.Address + " does not speak TLS, but the request did", "add --tls off"}
	case errors.As(err, &timeout) && timeout.Timeout():
		return &Finding{p.Check, Problem, fmt.Sprintf("%s gave no answer in %v", p.Address, p.Patience),
			"a firewall may drop the connection, or the server hangs: look at its log"}
	}
	return &Finding{p.Check, Problem, fmt.Sprintf("the request to %s failed: %v", p.Address, err),
		"see what listens there; " + p.Flag + " of warledgerd says which port is meant"}
}

// buildInfo is the metric that tells the server's version.
var buildInfo = regexp.MustCompile(`(?m)^warledger_build_info\{version="([^"\\]{1,100})"\} 1`)

// ProgramIn is the server's version among its metrics; empty if they do not tell.
func ProgramIn(metrics string) string {
	if m := buildInfo.FindStringSubmatch(metrics); m != nil {
		return m[1]
	}
	return ""
}

// Operations judges that the port for operations answers at an address, and at which others of this host besides:
// strangers must not reach it.
func Operations(address string, besides []string) Finding {
	const check = "port.ops"
	const do = "it is never encrypted: see that strangers can't reach it, as with --ops localhost:7481"
	host, _, _ := net.SplitHostPort(address)
	ip, err := netip.ParseAddr(host)
	here := host == "localhost" || err == nil && ip.IsLoopback()
	near := err == nil && (ip.IsPrivate() || ip.IsLinkLocalUnicast())
	answers := "the port for operations answers at " + address
	switch {
	case here && len(besides) == 0:
		return Finding{check, Fine, answers, ""}
	case here:
		return Finding{check, Warning, answers + ", and to other hosts at " + strings.Join(besides, ", "), do}
	case near:
		return Finding{check, Note, answers + ": whoever is in that network reaches it", do}
	}
	return Finding{check, Warning, answers + ", which is not this host", do}
}

// Elsewhere finds the other addresses of this host at which a port of it answers too: those of its network cards.
func Elsewhere(ctx context.Context, address string) (found []string) {
	host, port, err := net.SplitHostPort(address)
	if err != nil || host != "localhost" && !net.ParseIP(host).IsLoopback() {
		return nil
	}
	cards, err := net.InterfaceAddrs()
	if err != nil {
		return nil
	}
	for _, a := range cards {
		card, ok := a.(*net.IPNet)
		if !ok || card.IP.IsLoopback() || card.IP.IsLinkLocalUnicast() {
			continue
		}
		other := net.JoinHostPort(card.IP.String(), port)
		d := net.Dialer{Timeout: time.Second}
		if c, err := d.DialContext(ctx, "tcp", other); err == nil {
			_ = c.Close()
			found = append(found, other)
		}
	}
	return found
}
