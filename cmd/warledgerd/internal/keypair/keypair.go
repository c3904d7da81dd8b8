// Package keypair keeps a server's certificate and key current while it runs. The files are read again when they change
// and when it is asked for; a pair that cannot be used is reported and the old one stays.
package keypair

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// Pair is a certificate with its key, each in a file of PEM.
type Pair struct {
	certFile, keyFile string
	log               *slog.Logger
	current           atomic.Pointer[tls.Certificate]
	// authorities are those that vouch for clients, read from a file; without one clients are not asked.
	authoritiesFile string
	authorities     atomic.Pointer[x509.CertPool]
	failures        atomic.Int64

	mu sync.Mutex // one reading at a time
	// seen is what the files looked like when they were read last, whatever the outcome.
	seen [3]stamp
}

// stamp is how one sees that a file has changed. Files behind a link that is replaced, as secrets of
// Kubernetes are, change it too.
type stamp struct {
	modified time.Time
	size     int64
}

// Load reads the pair for the first time, and the authorities for clients if there is a file of them.
func Load(certFile, keyFile, authoritiesFile string, log *slog.Logger) (*Pair, error) {
	p := &Pair{certFile: certFile, keyFile: keyFile, authoritiesFile: authoritiesFile, log: log}
	return p, p.Reload()
}

// ConfigForClients is Config for a listener that accepts only clients with a certificate of one of the authorities as
// they are at each handshake; the same as Config if none exist.
func (p *Pair) ConfigForClients(protocols ...string) *tls.Config {
	c := p.Config(protocols...)
	if p.authoritiesFile == "" {
		return c
	}
	c.ClientAuth = tls.RequireAndVerifyClientCert
	c.GetConfigForClient = func(*tls.ClientHelloInfo) (*tls.Config, error) {
		one := c.Clone()
		one.GetConfigForClient, one.ClientCAs = nil, p.authorities.Load()
		return one, nil
	}
	// A session taken up again would skip a check against authorities that have changed since.
	c.SessionTicketsDisabled = true
	return c
}

// Config is for a listener that offers TLS 1.3 and nothing older, with the pair as it is at each handshake.
func (p *Pair) Config(protocols ...string) *tls.Config {
	return &tls.Config{
		MinVersion: tls.VersionTLS13, NextProtos: protocols,
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return p.current.Load(), nil },
	}
}

// Reload reads the files again. On an error the old pair stays.
func (p *Pair) Reload() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.seen = p.stamps()
	pair, err := tls.LoadX509KeyPair(p.certFile, p.keyFile)
	if err != nil {
		p.failures.Add(1)
		return fmt.Errorf("certificate %s with key %s: %w", p.certFile, p.keyFile, err)
	}
	pool, err := readAuthorities(p.authoritiesFile)
	if err != nil {
		p.failures.Add(1)
		return err
	}
	p.current.Store(&pair)
	p.authorities.Store(pool)
	return nil
}

// readAuthorities returns nil for no file.
func readAuthorities(name string) (*x509.CertPool, error) {
	if name == "" {
		return nil, nil
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("authorities for clients: %w", err)
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(data) {
		return nil, fmt.Errorf("authorities for clients: %s holds no certificate in PEM", name)
	}
	return pool, nil
}

func (p *Pair) stamps() [3]stamp {
	return [3]stamp{stampOf(p.certFile), stampOf(p.keyFile), stampOf(p.authoritiesFile)}
}

// Expires is when the certificate that is used now stops being valid.
func (p *Pair) Expires() time.Time {
	if leaf := p.leaf(); leaf != nil {
		return leaf.NotAfter
	}
	return time.Time{}
}

// Names reports whether the certificate that is used now is for a host: a name, perhaps under a wildcard, or an
// address. It may be asked from several goroutines.
func (p *Pair) Names(host string) bool {
	leaf := p.leaf()
	return leaf != nil && leaf.VerifyHostname(host) == nil
}

// leaf is the certificate that is used now; nil if none exists.
func (p *Pair) leaf() *x509.Certificate {
	pair := p.current.Load()
	if pair == nil {
		return nil
	}
	if pair.Leaf != nil {
		return pair.Leaf
	}
	leaf, err := x509.ParseCertificate(pair.Certificate[0]) // only under GODEBUG=x509keypairleaf=0
	if err != nil {
		return nil
	}
	return leaf
}

// Keep reads the files again whenever they have changed, looking every so often, and whenever now says so,
// until the context ends.
func (p *Pair) Keep(ctx context.Context, every time.Duration, now <-chan os.Signal) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if !p.changed() {
				continue
			}
		case <-now:
		}
		if err := p.Reload(); err != nil {
			p.log.Error("the old certificate stays", "error", err)
			continue
		}
		p.log.Info("certificate read", "expires", p.Expires())
	}
}

func (p *Pair) changed() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.seen != p.stamps()
}

func stampOf(name string) stamp {
	info, err := os.Stat(name)
	if err != nil {
		return stamp{}
	}
	return stamp{info.ModTime(), info.Size()}
}

// Collectors are what an operator wants to know of the pair.
func (p *Pair) Collectors() []prometheus.Collector {
	return []prometheus.Collector{
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Namespace: "warledger", Subsystem: "tls", Name: "certificate_expiry_timestamp_seconds",
			Help: "When the certificate expires, in seconds since 1970.",
		}, func() float64 { return float64(p.Expires().Unix()) }),
		prometheus.NewCounterFunc(prometheus.CounterOpts{
			Namespace: "warledger", Subsystem: "tls", Name: "reload_failures_total",
			Help: "Times that the certificate or its key could not be used when read again.",
		}, func() float64 { return float64(p.failures.Load()) }),
	}
}
