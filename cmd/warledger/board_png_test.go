package main

import (
	"bytes"
	"image/png"
	"os"
	"path/filepath"
	"testing"
)

func TestBoardAsAPicture(t *testing.T) {
	t.Parallel()
	p := newPerson(t, serve(t))
	p.do("create toy ridge --take red", "Created")
	file := filepath.Join(t.TempDir(), "board.png")
	p.do("board . --png "+file, `board.png: version 2, \d+ by \d+ pixels, \d+ bytes`)
	written, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	whole, err := png.Decode(bytes.NewReader(written))
	if err != nil {
		t.Fatal(err)
	}
	if out := p.do("board . --png -"); out != string(written) {
		t.Error("the standard output got another picture than the file")
	}
	if p.do("board . --png - --mark 0202") == string(written) {
		t.Error("a marked space cannot be seen")
	}
	if p.do("board . --png - --lang ja") == string(written) {
		t.Error("Japanese cannot be seen")
	}
	bare, err := png.Decode(bytes.NewReader([]byte(p.do("board . --png - --bare --scale 2"))))
	if err != nil {
		t.Fatal(err)
	}
	if bare.Bounds().Dx() >= whole.Bounds().Dx() {
		t.Errorf("at scale 2 the map is %v, the usual picture %v", bare.Bounds(), whole.Bounds())
	}
	region, err := png.Decode(bytes.NewReader([]byte(p.do("board . --png - --at 0202 --radius 1"))))
	if err != nil {
		t.Fatal(err)
	}
	if region.Bounds() == whole.Bounds() {
		t.Error("a region is as large as the whole")
	}
	p.fails(exitUsage, "board . --png - --at nowhere", "no such space.*nowhere")
	p.fails(exitUsage, "board . --png - --scale 1000000", "too large")
	p.fails(exitFailed, "board . --png "+filepath.Join(t.TempDir(), "none", "b.png"), "no such file")
}
