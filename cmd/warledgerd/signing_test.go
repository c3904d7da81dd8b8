package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/mod/sumdb/note"
)

// checkpointKey is the key that a running server signs with.
func (p *process) checkpointKey() string {
	p.t.Helper()
	return p.postJSON("/warledger.v1.CheckpointService/GetCheckpoint", "verifierKey")
}

// TestSigningKey is made at the first start, for its user alone, and is the same ever after.
func TestSigningKey(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	db := filepath.Join(dir, "games.db")
	start := func(more ...string) *process {
		return launch(t,
			append([]string{"--listen", "127.0.0.1:0", "--web", "127.0.0.1:0", "--ops", "off", "--db", db}, more...)...)
	}
	p := start()
	key := p.checkpointKey()
	if _, err := note.NewVerifier(key); err != nil {
		t.Errorf("the key %q: %v", key, err)
	}
	p.interrupt()
	file := db + ".signing-key"
	info, err := os.Stat(file)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("the file: %v, %v", info, err)
	}
	p = start()
	if got := p.checkpointKey(); got != key {
		t.Errorf("after a restart the key is %q, was %q", got, key)
	}
	p.interrupt()
	elsewhere := filepath.Join(dir, "another-key")
	if err := os.Rename(file, elsewhere); err != nil {
		t.Fatal(err)
	}
	p = start("--signing-key", elsewhere)
	if got := p.checkpointKey(); got != key {
		t.Errorf("in another place the key is %q, was %q", got, key)
	}
	p.interrupt()
	p = start("--signing-key", "off")
	if got := p.postJSON("/warledger.v1.CheckpointService/GetCheckpoint", "code"); got != "failed_precondition" {
		t.Errorf("without a key: %q", got)
	}
	p.interrupt()
	if left, err := filepath.Glob(filepath.Join(dir, ".signing-key-*")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// TestSigningKeyThatCannotBeTrusted is refused before anybody is served, and nothing of it is told.
func TestSigningKeyThatCannotBeTrusted(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	good := filepath.Join(dir, "good")
	if _, err := newSigningKey(good); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(good)
	if err != nil {
		t.Fatal(err)
	}
	secret, public, _ := strings.Cut(strings.TrimSpace(string(data)), "\n")
	other := filepath.Join(dir, "other")
	if _, err := newSigningKey(other); err != nil {
		t.Fatal(err)
	}
	stranger, err := os.ReadFile(other)
	if err != nil {
		t.Fatal(err)
	}
	_, anotherPublic, _ := strings.Cut(strings.TrimSpace(string(stranger)), "\n")
	for name, c := range map[string]struct {
		text string
		mode os.FileMode
		want string
	}{
		"for everyone to read":   {string(data), 0o644, "can be read or changed by others (mode 0644)"},
		"for a group to change":  {string(data), 0o620, "can be read or changed by others (mode 0620)"},
		"empty":                  {"", 0o600, "holds no key"},
		"cut short":              {secret[:len(secret)-4] + "\n" + public, 0o600, "holds no key"},
		"without its public key": {secret, 0o600, "holds no key"},
		"with another's":         {secret + "\n" + anotherPublic, 0o600, "holds no key"},
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "key")
			if err := os.WriteFile(file, []byte(c.text), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.Chmod(file, c.mode); err != nil {
				t.Fatal(err)
			}
			code, _, errs := try("--listen", "127.0.0.1:0", "--web", "off", "--ops", "off",
				"--db", filepath.Join(t.TempDir(), "x.db"), "--signing-key", file)
			if code != int(failed) || !strings.Contains(errs, c.want) || !strings.Contains(errs, "--signing-key") {
				t.Errorf("%d, %q, want %q", code, errs, c.want)
			}
			if strings.Contains(errs, "PRIVATE") || len(secret) > 60 && strings.Contains(errs, secret[40:]) {
				t.Errorf("it tells the key: %s", errs)
			}
		})
	}
	code, _, errs := try("--listen", "127.0.0.1:0", "--web", "off", "--ops", "off", "--db", filepath.Join(dir, "x.db"),
		"--signing-key", filepath.Join(dir, "no", "folder"))
	if code != int(failed) || !strings.Contains(errs, "--signing-key") {
		t.Errorf("a folder that is not there: %d, %q", code, errs)
	}
}
