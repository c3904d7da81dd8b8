package server

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"strings"
)

// AnyHost in [Options.Hosts] answers requests for every name.
const AnyHost = "*"

// hosts knows the names under which the HTTP ports answer. Otherwise a page of another site could make its name lead
// to this address (DNS rebinding). For the browser the server would then be of the page's own origin, and the page
// could read what only the browser may reach.
type hosts struct {
	names map[string]bool
	any   bool
	also  func(host string) bool
}

func newHosts(names []string, also func(string) bool) *hosts {
	h := &hosts{names: map[string]bool{"localhost": true}, also: also}
	for _, name := range names {
		if name == AnyHost {
			h.any = true
		}
		h.names[hostOf(name)] = true
	}
	return h
}

// hostOf returns the name in a Host or :authority header, in lower case, without a port. It returns "" for an authority
// that is malformed: in brackets stands an IPv6 address, and nothing but a port follows.
func hostOf(authority string) string {
	name := authority
	if inner, ok := strings.CutPrefix(authority, "["); ok {
		inner, rest, closed := strings.Cut(inner, "]")
		address, err := netip.ParseAddr(inner)
		if !closed || err != nil || !address.Is6() || rest != "" && !strings.HasPrefix(rest, ":") {
			return ""
		}
		name = inner
	} else if host, _, err := net.SplitHostPort(authority); err == nil {
		name = host
	}
	return strings.ToLower(strings.TrimSuffix(name, "."))
}

// serve reports whether a request is for one of the names. An address is one of them if it is a loopback address, or
// the one that the connection came to.
func (h *hosts) serve(r *http.Request) bool {
	name := hostOf(r.Host)
	if h.any || name != "" && h.names[name] {
		return true
	}
	if address, err := netip.ParseAddr(name); err == nil {
		if address = address.Unmap(); address.IsLoopback() {
			return true
		}
		at, ok := r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr)
		if ok && at.AddrPort().Addr().Unmap().WithZone("") == address.WithZone("") {
			return true
		}
	}
	return name != "" && h.also != nil && h.also(name)
}

// guard answers only requests for one of the names.
func (h *hosts) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !h.serve(r) {
			http.Error(w, fmt.Sprintf("this server does not answer for the host %.100q; its operator "+
				"can add the name with --hosts", r.Host), http.StatusMisdirectedRequest)
			return
		}
		next.ServeHTTP(w, r)
	})
}
