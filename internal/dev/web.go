package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
)

const (
	// npmFolder has the lock file of all that is built with npm.
	npmFolder = "clients"
	// webFolder holds the web board, dist in it what the server embeds.
	webFolder = "clients/web"
)

// npm runs npm in a folder.
func npm(folder string, args ...string) []string {
	return append([]string{"npm", "--prefix", folder, "--no-audit", "--no-fund"}, args...)
}

// prepareWeb fetches what the web board is built with, as the lock file has it, and builds the client that it uses.
func prepareWeb(ctx context.Context, c checkout) error {
	if _, err := exec.LookPath("npm"); err != nil {
		return errors.New(
			"the web board is built with Node 20 or newer and npm, and there is no npm; everything else needs neither",
		)
	}
	for _, argv := range [][]string{
		npm(npmFolder, "ci"), npm(webFolder, "run", "gen"), npm(webFolder, "run", "check"),
	} {
		if err := c.run(ctx, argv...); err != nil {
			return err
		}
	}
	return nil
}

// buildWeb builds the web board into the folder that the server embeds.
func buildWeb(ctx context.Context, c checkout, _ []string) error {
	if err := prepareWeb(ctx, c); err != nil {
		return err
	}
	return c.run(ctx, npm(webFolder, "run", "bundle")...)
}

// checkWeb builds the web board elsewhere and compares it with what is checked in.
func checkWeb(ctx context.Context, c checkout) error {
	tmp, err := os.MkdirTemp("", "warledger-web-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	if err := prepareWeb(ctx, c); err != nil {
		return err
	}
	if err := c.run(ctx, npm(webFolder, "run", "bundle", "--", "--outDir", tmp)...); err != nil {
		return err
	}
	return sameTree(c.path(webFolder+"/dist"), tmp)
}

// sameTree names each file in which two folders differ.
func sameTree(ours, fresh string) error {
	have, err := readTree(ours)
	if err != nil {
		return err
	}
	want, err := readTree(fresh)
	if err != nil {
		return err
	}
	if len(want) == 0 {
		return errors.New("nothing was built")
	}
	var found []error
	for name, data := range want {
		if !bytes.Equal(have[name], data) {
			found = append(found,
				fmt.Errorf("%s/dist/%s is missing or stale; go run ./internal/dev web", webFolder, name))
		}
	}
	for name := range have {
		if _, ok := want[name]; !ok {
			found = append(found,
				fmt.Errorf("%s/dist/%s is built by nothing; go run ./internal/dev web", webFolder, name))
		}
	}
	slices.SortFunc(found, func(a, b error) int { return bytes.Compare([]byte(a.Error()), []byte(b.Error())) })
	return errors.Join(found...)
}

func readTree(dir string) (map[string][]byte, error) {
	all := map[string][]byte{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		all[filepath.ToSlash(rel)], err = os.ReadFile(path)
		return err
	})
	return all, err
}
