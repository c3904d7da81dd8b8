package build

import (
	"runtime/debug"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/rulestest/toy"
)

// TestText: whoever reports a fault names the version, the commit and the rules versions by copying one answer.
func TestText(t *testing.T) {
	t.Parallel()
	built := func(version string, settings ...debug.BuildSetting) *debug.BuildInfo {
		return &debug.BuildInfo{GoVersion: "go1.26.8", Main: debug.Module{Version: version}, Settings: settings}
	}
	commit := debug.BuildSetting{Key: "vcs.revision", Value: "0123456789abcdef0123"}
	changed := debug.BuildSetting{Key: "vcs.modified", Value: "true"}
	for name, c := range map[string]struct {
		number string
		info   *debug.BuildInfo
		sets   []rules.Ruleset
		want   string
	}{
		"a release": {"0.1.0", built("(devel)", commit), nil, "p 0.1.0, commit 0123456789ab, go1.26.8"},
		"a working tree": {"", built("(devel)", commit, changed), nil,
			"p (devel), commit 0123456789ab with changes, go1.26.8"},
		"go install": {"", built("v0.1.0"), nil, "p v0.1.0, go1.26.8"},
		"with a ruleset": {"0.1.0", built(""), []rules.Ruleset{toy.Ruleset()},
			"p 0.1.0, go1.26.8\nrules versions: toy 1"},
		"built by no tool": {"", nil, nil, "p (unknown), an unknown Go"},
	} {
		if diff := cmp.Diff(c.want, text("p", c.number, c.info, c.sets)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestCommitted: a clock that stands before the program's own source is wrong.
func TestCommitted(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 26, 10, 0, 0, 0, time.UTC)
	dated := &debug.BuildInfo{Settings: []debug.BuildSetting{{Key: "vcs.time", Value: "2026-11-26T10:00:00Z"}}}
	for _, c := range []struct {
		info *debug.BuildInfo
		want time.Time
	}{{dated, at}, {new(debug.BuildInfo), time.Time{}}, {nil, time.Time{}}} {
		if got := committed(c.info); !got.Equal(c.want) {
			t.Errorf("committed at %v, want %v", got, c.want)
		}
	}
}
