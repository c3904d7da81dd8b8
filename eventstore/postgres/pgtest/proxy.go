package pgtest

import (
	"io"
	"net"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

// Proxy stands between a store and its server, as a network would.
type Proxy struct {
	folder string
	server string
	l      net.Listener

	mu      sync.Mutex
	stalled bool
	delay   time.Duration
	conns   map[net.Conn]bool
	running sync.WaitGroup
}

// NewProxy makes a proxy of the server. It ends with the test.
func (c *Cluster) NewProxy(t testing.TB) *Proxy {
	t.Helper()
	folder, err := os.MkdirTemp("", "wlpx")
	if err != nil {
		t.Fatal(err)
	}
	const socket = ".s.PGSQL.5432"
	l, err := net.Listen("unix", filepath.Join(folder, socket))
	if err != nil {
		t.Fatal(err)
	}
	p := &Proxy{folder: folder, server: filepath.Join(c.folder, socket), l: l, conns: make(map[net.Conn]bool)}
	p.running.Go(p.accept)
	t.Cleanup(func() {
		_ = l.Close()
		p.Cut()
		p.running.Wait()
		_ = os.RemoveAll(folder)
	})
	return p
}

// Socket is the folder of the proxy's socket, which stands for a host in a connection string.
func (p *Proxy) Socket() string { return p.folder }

// Stall keeps back whatever comes from now on, in both directions, until Cut.
func (p *Proxy) Stall() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stalled = true
}

// Slow has everything that the server sends arrive later. 0 ends that.
func (p *Proxy) Slow(delay time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.delay = delay
}

// Cut ends all connections, and lets new ones through again.
func (p *Proxy) Cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stalled = false
	for conn := range p.conns {
		_ = conn.Close()
	}
	clear(p.conns)
}

func (p *Proxy) accept() {
	for {
		here, err := p.l.Accept()
		if err != nil {
			return
		}
		there, err := net.Dial("unix", p.server)
		if err != nil {
			_ = here.Close()
			continue
		}
		p.mu.Lock()
		p.conns[here], p.conns[there] = true, true
		p.mu.Unlock()
		p.running.Go(func() { p.pass(here, there, false) })
		p.running.Go(func() { p.pass(there, here, true) })
	}
}

// pass copies what one side sends, and ends both when one ends. What was kept back is never sent.
func (p *Proxy) pass(from, to net.Conn, answers bool) {
	defer from.Close()
	defer to.Close()
	buf := make([]byte, 1<<16)
	for {
		n, err := from.Read(buf)
		if err != nil {
			return
		}
		p.mu.Lock()
		stalled, delay := p.stalled, p.delay
		p.mu.Unlock()
		if answers {
			time.Sleep(delay)
		}
		if stalled {
			_, _ = io.Copy(io.Discard, from)
			return
		}
		if _, err := to.Write(buf[:n]); err != nil {
			return
		}
	}
}
