package mail

import (
	"strings"
	"testing"
)

func TestCheckAddress(t *testing.T) {
	t.Parallel()
	good := []string{"ann@example.org", "a.b+c@sub.example.org", strings.Repeat("a", 64) + "@example.org",
		"ann@xn--bcher-kva.example"}
	for _, address := range good {
		if fault := CheckAddress(address); fault != "" {
			t.Errorf("%q: %s", address, fault)
		}
	}
	bad := []string{
		"", "ann", "@example.org", "ann@", "ann@localhost", "ann@.example.org", "ann@example.org.", "ann@example..org",
		"Ann <ann@example.org>", "<ann@example.org>", `"ann b"@example.org`, "ann@example.org\r\nBcc: eve@example.org",
		"ann@example.org, eve@example.org",
		"ann @example.org", "ann@[127.0.0.1]", "ann@exam\tple.org", strings.Repeat("a", 65) + "@example.org",
		"a@" + strings.Repeat("b", 250) + ".example",
	}
	for _, address := range bad {
		if fault := CheckAddress(address); fault == "" {
			t.Errorf("%q passes", address)
		} else if strings.Contains(fault, "eve") {
			t.Errorf("%q is quoted: %s", address, fault)
		}
	}
}

func TestOptionsOfSMTPAreChecked(t *testing.T) {
	t.Parallel()
	good := Options{Address: "mail.example:587", From: "Warledger <games@example.org>", Encryption: "starttls"}
	if _, err := NewSMTP(good); err != nil {
		t.Error(err)
	}
	for want, change := range map[string]func(*Options){
		"needs a port":     func(o *Options) { o.Address = "mail.example" },
		"is no port":       func(o *Options) { o.Address = "mail.example:smtp" },
		"the sender":       func(o *Options) { o.From = "games" },
		"is no encryption": func(o *Options) { o.Encryption = "ssl" },
	} {
		o := good
		change(&o)
		if _, err := NewSMTP(o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}
