package doctor

import (
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"os"
	"time"
)

// Certificate judges a file of certificates by the one that expires first.
func Certificate(path string, now time.Time) Finding {
	const check = "tls.file"
	data, err := os.ReadFile(path)
	if err != nil {
		return Finding{check, Problem, err.Error(), "see whether the name is right and who may read it"}
	}
	var first *x509.Certificate
	for block, rest := pem.Decode(data); block != nil; block, rest = pem.Decode(rest) {
		if block.Type != "CERTIFICATE" {
			continue
		}
		c, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			return Finding{check, Problem, fmt.Sprintf("%s holds a certificate that can't be read: %v", path, err),
				"have it issued again"}
		}
		if now.Before(c.NotBefore) {
			return Finding{check, Problem, fmt.Sprintf("the certificate in %s is not valid before %s", path,
				c.NotBefore.UTC().Format("2006-01-02 15:04 UTC")),
				"set this machine's clock, or use the right certificate"}
		}
		if first == nil || c.NotAfter.Before(first.NotAfter) {
			first = c
		}
	}
	if first == nil {
		return Finding{check, Problem, path + " holds no certificate in PEM",
			"use the file with BEGIN CERTIFICATE in it"}
	}
	return Expiry(check, "the certificate in "+path, first.NotAfter, now, "renew it")
}
