package warledger_test

import (
	"slices"

	"github.com/google/go-cmp/cmp"
)

// sorted compares lists of strings in any order.
func sorted(less func(a, b string) bool) cmp.Option {
	return cmp.Transformer("sorted", func(in []string) []string {
		out := slices.Clone(in)
		slices.SortFunc(out, func(a, b string) int {
			switch {
			case less(a, b):
				return -1
			case less(b, a):
				return 1
			}
			return 0
		})
		return out
	})
}
