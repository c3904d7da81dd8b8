package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	goformat "go/format"
	"os"
	"strings"
)

// unformatted maps each Go file that gofmt would change to what it would become.
func unformatted(ctx context.Context, c checkout) (map[string][]byte, error) {
	names, err := c.files(ctx)
	if err != nil {
		return nil, err
	}
	want := map[string][]byte{}
	var failed []error
	for _, name := range names {
		if !strings.HasSuffix(name, ".go") || strings.Contains("/"+name, "/testdata/") {
			continue
		}
		src, err := os.ReadFile(c.path(name))
		if err != nil {
			return nil, err
		}
		out, err := goformat.Source(src)
		if err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", name, err))
			continue
		}
		if !bytes.Equal(src, out) {
			want[name] = out
		}
	}
	return want, errors.Join(failed...)
}

// checkFormat fails when gofmt would change a file.
func checkFormat(ctx context.Context, c checkout) error {
	want, err := unformatted(ctx, c)
	for name := range want {
		err = errors.Join(err, fmt.Errorf("%s is not formatted; go run ./internal/dev fmt", name))
	}
	return err
}

// format rewrites Go files and protos in place.
func format(ctx context.Context, c checkout) error {
	want, err := unformatted(ctx, c)
	if err != nil {
		return err
	}
	for name, out := range want {
		fmt.Println(name)
		if err := replace(c.path(name), out); err != nil {
			return err
		}
	}
	return c.run(ctx, tool("buf", "format", "--write")...)
}

// replace writes a file that exists, keeping its permissions.
func replace(path string, data []byte) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	return os.WriteFile(path, data, info.Mode().Perm())
}
