package throttle

import (
	"context"
	"net"
	"net/netip"
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
	hops := hopsOf(ctx)
	for i := len(hops) - 1; i >= 0 && within(from, t.o.Proxies); i-- {
		hop, err := netip.ParseAddr(hops[i])
		if err != nil {
			break
		}
		from = hop.Unmap()
	}
	return from
}

func hopsOf(ctx context.Context) []string {
	var hops []string
	for _, value := range metadata.ValueFromIncomingContext(ctx, "x-forwarded-for") {
		for hop := range strings.SplitSeq(value, ",") {
			hops = append(hops, strings.TrimSpace(hop))
		}
	}
	return hops
}

// forwarded reports whether a proxy has passed the call on. A call through an unknown proxy is not free.
func forwarded(ctx context.Context) bool { return len(hopsOf(ctx)) > 0 }

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
