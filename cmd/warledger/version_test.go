package main

import (
	"bytes"
	"regexp"
	"testing"
)

// TestVersion: whoever reports a fault copies one answer, by the flag that every program has or by the command.
func TestVersion(t *testing.T) {
	t.Parallel()
	want := regexp.MustCompile(`^warledger \S+.*\nrules versions: anniversary \d+, downfall \d+, ocs \d+\n$`)
	for _, arg := range []string{"--version", "version"} {
		var out, complaints bytes.Buffer
		if code := run(t.Context(), []string{arg}, world{out: &out, err: &complaints}); code != exitDone ||
			!want.Match(out.Bytes()) {
			t.Errorf("%s: exit code %d, %q, %q", arg, code, &out, &complaints)
		}
	}
}
