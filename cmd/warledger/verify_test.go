package main

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestVerifySaysThatAnEndIsMissing: a file that was cut off after any record is a sound log, so it passes. But verify
// says that it has no end, that no die was checked, and what would prove that nothing is missing.
func TestVerifySaysThatAnEndIsMissing(t *testing.T) {
	t.Parallel()
	p := newPerson(t, serve(t))
	p.do("create toy ridge --take red")
	early, late := filepath.Join(t.TempDir(), "early.wlg"), filepath.Join(t.TempDir(), "late.wlg")
	p.do("export . -f " + early)
	p.do("join . blue")
	p.do("export . -f " + late)
	p.do("verify "+early, "has no end", "no die that the server threw was checked", "verify --log", "verify --known")
	if code, _, _ := p.run("verify", "--ended", early); code != exitFound {
		t.Errorf("an end is asked for and missing: exit %d", code)
	}
	var sum object
	p.json(&sum, "verify "+early)
	if sum["ended"] != false {
		t.Errorf("as JSON: %v", sum)
	}

	kept := regexp.MustCompile(`\d+:[0-9a-f]{64}`).FindString(p.do("verify " + late))
	p.do("verify --known "+kept+" "+late, "has the hash that you kept")
	if code, out, _ := p.run("verify", "--known", kept, early); code != exitFound ||
		!strings.Contains(out, "the file was cut off") {
		t.Errorf("cut off before what was kept: exit %d, %s", code, out)
	}
	version, hash, _ := strings.Cut(kept, ":")
	other := version + ":" + strings.Repeat("00", len(hash)/2)
	if code, out, _ := p.run("verify", "--known", other, late); code != exitFound ||
		!strings.Contains(out, "you kept") {
		t.Errorf("another hash: exit %d, %s", code, out)
	}
	for _, bad := range []string{"3", "3:", "0:" + hash, "x:" + hash, "3:" + hash[1:]} {
		p.fails(exitUsage, "verify --known "+bad+" "+late, "expected the version")
	}

	p.do("close .")
	p.do("export . -f " + late)
	if out := p.do("verify --ended " + late); strings.Contains(out, "no end") {
		t.Errorf("a whole file: %s", out)
	}
}
