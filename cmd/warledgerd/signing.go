package main

import (
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"golang.org/x/mod/sumdb/note"

	"github.com/warledger/warledger/service"
)

// signing reads the key that checkpoints are signed with, made at the first start. It derives the secret that seals
// keyrings from it. Whoever has the key can sign for the server. Without it, those who kept checkpoints cannot know the
// server again, and people who sign in do not find their games.
func signing(set *settings) (signs *service.Signing, sealing []byte, err error) {
	path := set.SigningKey
	switch path {
	case "off":
		return nil, nil, nil
	case "":
		path = set.DB + ".signing-key"
	}
	data, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		data, err = newSigningKey(path)
	case err == nil:
		err = private(path)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("--signing-key: %w", err)
	}
	secret, public, _ := strings.Cut(strings.TrimSpace(string(data)), "\n")
	signer, err := note.NewSigner(secret)
	if err == nil {
		var verifier note.Verifier
		if verifier, err = note.NewVerifier(public); err == nil &&
			(verifier.Name() != signer.Name() || verifier.KeyHash() != signer.KeyHash()) {
			err = errors.New("the two keys do not belong together")
		}
	}
	if err != nil { // which could quote the key
		return nil, nil, fmt.Errorf("--signing-key: %s holds no key and its public key, a line each", path)
	}
	sealing, err = hkdf.Key(sha256.New, []byte(secret), nil, sealingKey, sha256.Size)
	return &service.Signing{Signer: signer, VerifierKey: public, Every: set.SignEvery}, sealing, err
}

// sealingKey separates the secret for keyrings from anything else that is derived from the key.
const sealingKey = "warledger/keyring/server/1"

// private refuses a file that others than its user and group can read or write: whoever had the key could
// sign other histories.
func private(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if mode := info.Mode().Perm(); runtime.GOOS != "windows" && mode&0o027 != 0 {
		return fmt.Errorf("%s can be read or changed by others (mode %#o): if none of them had it, chmod 600; "+
			"otherwise the key is worth nothing any more", path, mode)
	}
	return nil
}

// newSigningKey makes a key and keeps it before it is used, whole or not at all.
func newSigningKey(path string) ([]byte, error) {
	secret, public, err := note.GenerateKey(rand.Reader, "warledger")
	if err != nil {
		return nil, err
	}
	data := []byte(secret + "\n" + public + "\n")
	temp, err := os.CreateTemp(filepath.Dir(path), ".signing-key-*") // of mode 0600
	if err != nil {
		return nil, err
	}
	defer os.Remove(temp.Name())
	_, err = temp.Write(data)
	if err = errors.Join(err, temp.Sync(), temp.Close()); err != nil {
		return nil, err
	}
	if err := os.Rename(temp.Name(), path); err != nil {
		return nil, err
	}
	return data, syncDir(filepath.Dir(path))
}

// syncDir has the name of a new file outlive the machine: a key that signed must not be lost.
func syncDir(name string) error {
	dir, err := os.Open(name)
	if err != nil {
		return err
	}
	err = dir.Sync()
	if errors.Is(err, errors.ErrUnsupported) || runtime.GOOS == "windows" {
		err = nil
	}
	return errors.Join(err, dir.Close())
}
