package ocs

import (
	"math"
	"strconv"
	"testing"

	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	"github.com/warledger/warledger/rules"
)

// eyes are how colours look to people with all kinds of cone, and to those who lack one (Machado, Oliveira, Fernandes
// 2009, severity 1), on linear RGB.
var eyes = map[string][3][3]float64{
	"all cones": {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
	"protanopia": {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216},
		{-0.003882, -0.048116, 1.051998}},
	"deuteranopia": {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.01182, 0.04294, 0.968881}},
	"tritanopia":   {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.3039}},
}

// seenAs is a colour in CIE Lab, as some eyes see it.
func seenAs(t *testing.T, color string, eye [3][3]float64) (lab [3]float64) {
	t.Helper()
	n, err := strconv.ParseUint(color[1:], 16, 32)
	if err != nil || len(color) != 7 {
		t.Fatalf("%q is no colour", color)
	}
	var linear, seen [3]float64
	for i := range linear {
		if v := float64(n>>(16-8*i)&255) / 255; v <= 0.04045 {
			linear[i] = v / 12.92
		} else {
			linear[i] = math.Pow((v+0.055)/1.055, 2.4)
		}
	}
	for i, row := range eye {
		seen[i] = min(1, max(0, row[0]*linear[0]+row[1]*linear[1]+row[2]*linear[2]))
	}
	f := func(v float64) float64 {
		if v > 0.008856 {
			return math.Cbrt(v)
		}
		return 7.787*v + 16.0/116
	}
	x := f((0.4124*seen[0] + 0.3576*seen[1] + 0.1805*seen[2]) / 0.9505)
	y := f(0.2126*seen[0] + 0.7152*seen[1] + 0.0722*seen[2])
	z := f((0.0193*seen[0] + 0.1192*seen[1] + 0.9505*seen[2]) / 1.089)
	return [3]float64{116*y - 16, 500 * (x - y), 200 * (y - z)}
}

// Each kind of hexside has a colour of its own and a width, which every eye tells from the other kinds and from the
// land that it runs through.
func TestHexsidesLookDifferent(t *testing.T) {
	t.Parallel()
	const least = 20 // a distance in CIE Lab; 2 is just noticed
	for _, d := range ruleset.ScenarioDocuments() {
		sc, _ := LoadScenario(d.Data)
		sides, lands := map[string]*boardv1.Legend{}, map[string]*boardv1.Legend{}
		for _, l := range sc.BoardMap(rules.English).GetLegend() {
			if _, ok := sc.featureByID(l.GetKey()); ok {
				sides[l.GetKey()] = l
			}
		}
		for i := range sc.Terrains {
			for _, l := range sc.BoardMap(rules.English).GetLegend() {
				if l.GetKey() == sc.Terrains[i].ID && !settled[l.GetKey()] {
					lands[l.GetKey()] = l
				}
			}
		}
		if len(sides) < 8 || len(lands) < 8 {
			t.Fatalf("%s: %d kinds of hexside, %d of land", d.ID, len(sides), len(lands))
		}
		for name, eye := range eyes {
			for a, x := range sides {
				if x.GetWidth() <= 0 || x.GetWidth() > 0.2 {
					t.Errorf("%s: %s has the width %g", d.ID, a, x.GetWidth())
				}
				for _, of := range []map[string]*boardv1.Legend{sides, lands} {
					for b, y := range of {
						p, q := seenAs(t, x.GetColor(), eye), seenAs(t, y.GetColor(), eye)
						if n := math.Sqrt(sq(p[0]-q[0]) + sq(p[1]-q[1]) + sq(p[2]-q[2])); a != b && n < least {
							t.Errorf("%s, %s: %s and %s look alike (%.1f)", d.ID, name, a, b, n)
						}
					}
				}
			}
		}
	}
}

func sq(x float64) float64 { return x * x }

// settled are the terrains of which only a symbol is drawn, and the open sea.
var settled = map[string]bool{"village": true, "minor_city": true, "major_city": true, "all_sea": true}

// featureByID finds a kind of hexside.
func (s *Scenario) featureByID(id string) (int, bool) {
	for i := range s.Features {
		if s.Features[i].ID == id {
			return i, true
		}
	}
	return 0, false
}

// A hexside that only an uploaded scenario has is drawn by what it does.
func TestHexsidesOfOtherMaps(t *testing.T) {
	t.Parallel()
	for want, f := range map[string]FeatureInfo{
		"minor_river": {Covers: true, Bridged: -1}, "escarpment": {Covers: true, Bridged: -2},
		"all_sea_side": {Sea: true, Bridged: -2}, "coast": {Sea: true, Land: true, Bridged: -2}, "lake": {Bridged: -2},
	} {
		if got := sideLook(&f); got != sideLooks[want] {
			t.Errorf("%s looks like %v", want, got)
		}
	}
}
