package house

import (
	"fmt"
	"strings"
)

var mapSamples = []sample{
	{"a file too few and one too many", `
-- service/doc.go --
// Package service has a map.
//
//	b.go    says b
//	c_*.go  says c
//	d.go    is gone
package service
-- service/b.go --
package service
-- service/c_x.go --
package service
-- service/c_test.go --
package service
-- service/e.go --
package service
`, []string{"service/doc.go:1", "service/doc.go:1"}},
	{"whole", "-- service/doc.go --\n// Package service has a map.\n//\n//\tb.go, c_*.go  both\npackage service\n-- " +
		"service/b.go --\npackage service\n" +
		"-- service/c_x.go --\npackage service\n", nil},
	{"none, and none needed",
		"-- a/doc.go --\n// Package service has b.go.\npackage a\n-- a/b.go --\npackage a\n", nil},
	{"none where one is needed", "-- service/doc.go --\npackage service\n", []string{"service/doc.go:1"}},
}

// storeys is a package with floors whose lowest files, so many, use the highest.
func storeys(up int) (tree string, found []string) {
	var doc, files strings.Builder
	for i := range up {
		fmt.Fprintf(&doc, "//\tf%02d.go\n", i)
		fmt.Fprintf(&files, "-- service/f%02d.go --\npackage service\n\nvar v%02d = top\n", i, i)
		found = append(found, fmt.Sprintf("service/f%02d.go:3", i))
	}
	return "-- service/doc.go --\n// Package service has floors.\n//\n//\ttop.go\n" + doc.String() +
		"//\tlow.go\npackage service\n-- service/top.go --\npackage service\n\nvar top, down = 1, low\n" +
		"-- service/low.go --\npackage service\n\nvar low = 2\n" + files.String(), found
}

var floorSamples = func() []sample {
	enough, _ := storeys(floors["service"])
	tooMany, found := storeys(floors["service"] + 1)
	return []sample{{"as many as may", enough, nil}, {"one too many", tooMany, found}}
}()
