package webhook

import (
	"errors"
	"net/netip"
	"net/url"
	"strings"
	"syscall"
)

// maxURL is how long an address may be, in bytes.
const maxURL = 2048

// inner are the networks that no stranger may have the server reach, besides those that package netip knows: they are
// this host, its neighbours, or lead to them in another spelling. See the IANA registries of special-purpose addresses.
var inner = prefixes(
	"0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "198.18.0.0/15", "198.51.100.0/24",
	"203.0.113.0/24", "240.0.0.0/4",
	"::/96", "64:ff9b::/96", "64:ff9b:1::/48", "100::/64", "2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20",
	"5f00::/16", "fec0::/10",
)

func prefixes(texts ...string) (list []netip.Prefix) {
	for _, text := range texts {
		list = append(list, netip.MustParsePrefix(text))
	}
	return list
}

// errAddress says that an address may not be reached.
var errAddress = errors.New("the address is not one that webhooks may reach")

// Guard decides what may be reached. The zero value lets through what anybody on the Internet could reach, by https.
type Guard struct {
	// Allowed are networks that may be reached all the same, also without TLS.
	Allowed []netip.Prefix
}

// lets reports whether an address may be reached.
func (g Guard) lets(addr netip.Addr, plain bool) bool {
	addr = addr.Unmap().WithZone("")
	for _, p := range g.Allowed {
		if p.Contains(addr) {
			return true
		}
	}
	if plain || !addr.IsGlobalUnicast() || addr.IsPrivate() || addr.IsLinkLocalUnicast() {
		return false
	}
	for _, p := range inner {
		if p.Contains(addr) {
			return false
		}
	}
	return true
}

// control is asked before each connection is made, with the address that the name stood for: what the name stands for
// at another time does not matter.
func (g Guard) control(plain bool) func(network, address string, _ syscall.RawConn) error {
	return func(network, address string, _ syscall.RawConn) error {
		at, err := netip.ParseAddrPort(address)
		if err != nil || !strings.HasPrefix(network, "tcp") || !g.lets(at.Addr(), plain) {
			return errAddress
		}
		return nil
	}
}

// CheckURL says what is wrong with an address; empty if nothing is. It never quotes it: it may be a secret.
func (g Guard) CheckURL(text string) (fault string) {
	u, err := url.Parse(text)
	switch {
	case len(text) > maxURL:
		return "it is too long, at most 2048 bytes are allowed"
	case err != nil, u.Host == "", u.Hostname() == "", u.Opaque != "":
		return "expected an address such as https://example.org/hook"
	case u.Scheme != "https" && (u.Scheme != "http" || len(g.Allowed) == 0):
		return "expected https"
	case u.User != nil:
		return "expected neither user nor password"
	case strings.Contains(text, "#"):
		return "expected no fragment"
	}
	if addr, err := netip.ParseAddr(u.Hostname()); err == nil && !g.lets(addr, u.Scheme == "http") {
		return "the address is not one that webhooks may reach"
	}
	return ""
}
