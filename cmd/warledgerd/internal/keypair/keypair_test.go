package keypair_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"log/slog"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"go.uber.org/goleak"

	"github.com/warledger/warledger/cmd/warledgerd/internal/keypair"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// files are a pair on disk.
type files struct{ cert, key string }

func newFiles(t *testing.T) files {
	dir := t.TempDir()
	return files{filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")}
}

// write makes a new pair with a serial number that tells it from others.
func (f files) write(t *testing.T, serial int64, expires time.Time) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(t, err)
	template := &x509.Certificate{SerialNumber: big.NewInt(serial), DNSNames: []string{"localhost"}, NotAfter: expires}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	must(t, err)
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	must(t, err)
	must(t, os.WriteFile(f.key, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret}), 0o600))
	must(t, os.WriteFile(f.cert, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600))
}

// shown is the serial number that a client sees, and the version of TLS.
func shown(t *testing.T, p *keypair.Pair, max uint16) (serial int64, err error) {
	t.Helper()
	a, b := net.Pipe()
	served := make(chan error, 1)
	go func() { served <- tls.Server(a, p.Config("h2")).Handshake(); a.Close() }()
	client := tls.Client(b, &tls.Config{InsecureSkipVerify: true, MaxVersion: max, NextProtos: []string{"h2"}})
	err = client.Handshake()
	b.Close()
	<-served
	if err != nil {
		return 0, err
	}
	return client.ConnectionState().PeerCertificates[0].SerialNumber.Int64(), nil
}

func TestOnlyTLS13(t *testing.T) {
	t.Parallel()
	f := newFiles(t)
	f.write(t, 1, time.Now().Add(time.Hour))
	p, err := keypair.Load(f.cert, f.key, "", slog.New(slog.DiscardHandler))
	must(t, err)
	if serial, err := shown(t, p, 0); err != nil || serial != 1 {
		t.Errorf("serial %d, %v", serial, err)
	}
	if _, err := shown(t, p, tls.VersionTLS12); err == nil {
		t.Error("TLS 1.2 is spoken")
	}
}

func TestReload(t *testing.T) {
	t.Parallel()
	f := newFiles(t)
	f.write(t, 1, time.Now().Add(time.Hour))
	p, err := keypair.Load(f.cert, f.key, "", slog.New(slog.DiscardHandler))
	must(t, err)
	later := time.Now().Add(48 * time.Hour).Truncate(time.Second)
	f.write(t, 2, later)
	must(t, p.Reload())
	if serial, err := shown(t, p, 0); err != nil || serial != 2 || !p.Expires().Equal(later) {
		t.Errorf("serial %d until %s, %v", serial, p.Expires(), err)
	}
	must(t, os.WriteFile(f.cert, []byte("half a cert"), 0o600))
	if err := p.Reload(); err == nil || !strings.Contains(err.Error(), f.cert) {
		t.Errorf("a broken certificate: %v", err)
	}
	if serial, err := shown(t, p, 0); err != nil || serial != 2 {
		t.Errorf("after a broken reload: serial %d, %v", serial, err)
	}
	reg := prometheus.NewRegistry()
	for _, c := range p.Collectors() {
		must(t, reg.Register(c))
	}
	families, err := reg.Gather()
	must(t, err)
	if got := families[0].Metric[0].Gauge.GetValue(); got != float64(later.Unix()) {
		t.Errorf("expiry %v, want %v", got, later.Unix())
	}
	if got := families[1].Metric[0].Counter.GetValue(); got != 1 {
		t.Errorf("%v failures, want 1", got)
	}
}

func TestKeep(t *testing.T) {
	t.Parallel()
	f := newFiles(t)
	f.write(t, 1, time.Now().Add(time.Hour))
	p, err := keypair.Load(f.cert, f.key, "", slog.New(slog.DiscardHandler))
	must(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	now, done := make(chan os.Signal), make(chan struct{})
	go func() { defer close(done); p.Keep(ctx, time.Hour, now) }()
	f.write(t, 2, time.Now().Add(time.Hour))
	now <- os.Interrupt
	now <- os.Interrupt // the first has been done once the second is taken
	if serial, err := shown(t, p, 0); err != nil || serial != 2 {
		t.Errorf("after the signal: serial %d, %v", serial, err)
	}
	cancel()
	<-done

	ctx, cancel = context.WithCancel(context.Background())
	defer cancel()
	done = make(chan struct{})
	go func() { defer close(done); p.Keep(ctx, time.Millisecond, nil) }()
	f.write(t, 3, time.Now().Add(time.Hour))
	must(t, os.Chtimes(f.cert, time.Time{}, time.Now().Add(time.Minute))) // whatever the file system's clock is worth
	for {
		if serial, err := shown(t, p, 0); err != nil || serial == 3 {
			must(t, err)
			break
		}
	}
	cancel()
	<-done
}

func TestLoadRefuses(t *testing.T) {
	t.Parallel()
	f, other := newFiles(t), newFiles(t)
	f.write(t, 1, time.Now().Add(time.Hour))
	other.write(t, 2, time.Now().Add(time.Hour))
	for _, pair := range [][2]string{{f.cert, other.key}, {f.cert, f.cert}, {f.cert, f.key + "x"}} {
		if _, err := keypair.Load(pair[0], pair[1], "", slog.New(slog.DiscardHandler)); err == nil {
			t.Errorf("%v is a pair", pair)
		}
	}
}
