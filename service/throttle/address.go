package throttle

import (
	"context"
	"iter"
	"net"
	"net/netip"
	"slices"
	"strings"

	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/peer"
)

// address is where a call comes from: the peer, or the address that the last trusted proxy saw.
func (t *Throttle) address(ctx context.Context) netip.Addr {
	p, ok := peer.FromContext(ctx)
	if !ok {
		return netip.Addr{}
	}
	tcp, ok := p.Addr.(*net.TCPAddr)
	if !ok { // a pipe within the process
		return netip.Addr{}
	}
	from := tcp.AddrPort().Addr().Unmap()
	for hop := range hops(ctx) {
		if !within(from, t.o.Proxies) {
			break
		}
		before, err := netip.ParseAddr(hop)
		if err != nil {
			break
		}
		from = before.Unmap()
	}
	return from
}

// hops are the addresses that proxies say a call came by, the last first. A stranger may name millions: they are read
// one by one, as far as the proxies are trusted.
func hops(ctx context.Context) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, value := range slices.Backward(metadata.ValueFromIncomingContext(ctx, forwardedFor)) {
			for more := true; more; {
				comma := strings.LastIndexByte(value, ',')
				if !yield(strings.TrimSpace(value[comma+1:])) {
					return
				}
				if more = comma >= 0; more {
					value = value[:comma]
				}
			}
		}
	}
}

const forwardedFor = "x-forwarded-for"

// forwarded reports whether a proxy has passed the call on. A call through an unknown proxy is not free.
func forwarded(ctx context.Context) bool {
	return len(metadata.ValueFromIncomingContext(ctx, forwardedFor)) > 0
}

func within(a netip.Addr, nets []netip.Prefix) bool {
	for _, n := range nets {
		if n.Contains(a) {
			return true
		}
	}
	return false
}

func networkOf(a netip.Addr) netip.Prefix {
	bits := 32
	if a.Is6() {
		bits = 64
	}
	network, _ := a.WithZone("").Prefix(bits) // an address has at least as many bits
	return network
}
