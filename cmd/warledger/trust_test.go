package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// keyPair writes a certificate that vouches for itself, and its key.
func keyPair(t *testing.T) (cert, key string, pool *x509.CertPool, pair tls.Certificate) {
	t.Helper()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(err)
	template := &x509.Certificate{SerialNumber: big.NewInt(1), DNSNames: []string{"localhost"},
		NotAfter: time.Now().Add(time.Hour)}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	must(err)
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	must(err)
	dir := t.TempDir()
	cert, key = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	must(os.WriteFile(cert, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600))
	must(os.WriteFile(key, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret}), 0o600))
	pair, err = tls.LoadX509KeyPair(cert, key)
	must(err)
	pool = x509.NewCertPool()
	pool.AddCert(pair.Leaf)
	return cert, key, pool, pair
}

// TestCertificateOfOnesOwn shows a certificate to a server that asks for one.
func TestCertificateOfOnesOwn(t *testing.T) {
	t.Parallel()
	ca, _, _, identity := keyPair(t)
	cert, key, known, _ := keyPair(t)
	server := httptest.NewUnstartedServer(http.NotFoundHandler())
	server.TLS = &tls.Config{Certificates: []tls.Certificate{identity}, ClientAuth: tls.RequireAndVerifyClientCert,
		ClientCAs: known}
	server.StartTLS()
	defer server.Close()
	ask := func(cert, key string) error {
		config, err := trust(ca, cert, key)
		if err != nil {
			return err
		}
		config.ServerName = "localhost"
		transport := &http.Transport{TLSClientConfig: config}
		defer transport.CloseIdleConnections()
		answer, err := (&http.Client{Transport: transport}).Get(server.URL)
		if err == nil {
			answer.Body.Close()
		}
		return err
	}
	if err := ask(cert, key); err != nil {
		t.Errorf("with the certificate: %v", err)
	}
	if err := ask("", ""); err == nil {
		t.Error("without a certificate the server answers")
	}
	if err := ask(cert, ""); err == nil || !strings.Contains(err.Error(), "go together") {
		t.Errorf("without its key: %v", err)
	}
	if err := ask(cert, cert); err == nil {
		t.Error("a certificate for a key")
	}
}
