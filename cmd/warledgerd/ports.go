package main

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"syscall"

	"github.com/warledger/warledger/cmd/warledgerd/internal/keypair"
	"github.com/warledger/warledger/service/throttle"
)

// ports are the listeners; web and ops are nil if none exists.
type ports struct{ grpc, web, ops net.Listener }

func (p *ports) close() {
	for _, l := range []net.Listener{p.grpc, p.web, p.ops} {
		if l != nil {
			_ = l.Close() // closed already after a stop in good order
		}
	}
}

// bound bounds the connections of the ports that strangers reach.
func (p *ports) bound(t *throttle.Throttle) {
	p.grpc = t.Listen(p.grpc)
	if p.web != nil {
		p.web = t.Listen(p.web)
	}
}

// encrypt puts TLS on the ports that strangers reach. gRPC's own credentials are not needed: the listener has done the
// handshake, and its clients ask for HTTP/2 by ALPN.
func (p *ports) encrypt(pair *keypair.Pair) {
	p.grpc = tls.NewListener(p.grpc, pair.ConfigForClients("h2"))
	if p.web != nil {
		p.web = tls.NewListener(p.web, pair.Config("h2", "http/1.1"))
	}
}

// portName is where a listener listens, for people.
func portName(l net.Listener) string {
	if l == nil {
		return "no port"
	}
	return l.Addr().String()
}

func listen(set *settings) (*ports, error) {
	p := new(ports)
	for _, port := range []struct {
		listener      *net.Listener
		address, flag string
	}{{&p.grpc, set.Listen, "--listen"}, {&p.web, set.Web, "--web"}, {&p.ops, set.Ops, "--ops"}} {
		if port.address == "off" && port.flag != "--listen" {
			continue
		}
		l, err := listenOn(port.address, port.flag)
		if err != nil {
			p.close()
			return nil, err
		}
		*port.listener = l
	}
	return p, nil
}

// listenOn says in a sentence what is wrong with an address.
func listenOn(address, flag string) (net.Listener, error) {
	l, err := net.Listen("tcp", address)
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil,
			fmt.Errorf("%s is in use, perhaps by another warledgerd; choose another address with %s", address, flag)
	}
	if err != nil {
		return nil, fmt.Errorf("cannot listen on %q (%s): %w", address, flag, err)
	}
	return l, nil
}
