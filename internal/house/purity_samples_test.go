package house

var sequentialSamples = []sample{
	{"every kind", `
-- rules/a/a.go --
package a

type inbox chan int

func f(in <-chan int) {
	go f(in)
	select {}
	<-in
	var out chan<- int
	out <- 1
}
`, []string{"rules/a/a.go:3", "rules/a/a.go:5", "rules/a/a.go:6", "rules/a/a.go:7", "rules/a/a.go:8", "rules/a/a.go:9",
		"rules/a/a.go:10"}},
	{"elsewhere", `
-- rules/a/a_test.go --
package a

func f() { go f() }
-- rules/rulestest/a.go --
package rulestest

func f() { go f() }
-- service/a.go --
package service

func f() { go f() }
`, nil},
}

var mapOrderSamples = []sample{
	{"every kind", `
-- rules/a/a.go --
package a

import "maps"

type set map[int]bool

type generic interface{ ~map[string]int }

func f[M generic, N ~map[int]int](m map[string]int, s set, g M, n N) (sum int) {
	for range m {
	}
	for k := range s {
		sum += k
	}
	for range g {
	}
	for range n {
	}
	for k := range maps.Keys(s) {
		sum += k
	}
	walk := maps.All[set]
	_ = walk
	return sum
}
`, []string{"rules/a/a.go:10", "rules/a/a.go:12", "rules/a/a.go:15", "rules/a/a.go:17", "rules/a/a.go:19",
		"rules/a/a.go:22"}},
	{"excused, sorted, or no map", `
-- rules/a/a.go --
package a

import (
	"maps"
	"slices"
)

func f(m map[int]int, list []int) (sum int) {
	for k := range m { // order-free: a sum
		sum += k
	}
	// order-free: a sum, whose terms
	// may come in any order.
	for k := range m {
		sum += k
	}
	for range slices.Sorted(maps.Keys(m)) {
	}
	for range slices.SortedFunc(maps.Values(m), nil) {
	}
	for range list {
	}
	return sum
}
`, nil},
	{"invalid excuses", `
-- rules/a/a.go --
package a

func f(m map[int]int) {
	// order-free:
	for range m {
	}
	// order-free: too far away

	for range m {
	}
	// Not order-free: the comment must begin with the word.
	for range m {
	}
}
`, []string{"rules/a/a.go:5", "rules/a/a.go:9", "rules/a/a.go:12"}},
}

var globalSamples = []sample{
	{"every kind", `
-- rules/a/a.go --
package a

import "github.com/warledger/warledger/rules/other"

var (
	count int
	table = map[string]int{"a": 1}
	rows  [][]int
	deep  struct{ list []*struct{ n int } }
	ptr   *int
)

func init() {}

func f() {
	count = 1
	count++
	table["b"] = 2
	rows[0][1] += 2
	deep.list[3].n = 4
	*ptr = 5
	delete(table, "a")
	clear(rows[0])
	copy(rows[0][1:], rows[1])
	for count = range 3 {
	}
	other.Table["a"] = 1
	other.Table = nil
	_, (count) = 1, 2
}
`, []string{
		"rules/a/a.go:13", "rules/a/a.go:16", "rules/a/a.go:17", "rules/a/a.go:18", "rules/a/a.go:19",
		"rules/a/a.go:20",
		"rules/a/a.go:21", "rules/a/a.go:22", "rules/a/a.go:23", "rules/a/a.go:24", "rules/a/a.go:25",
		"rules/a/a.go:27",
		"rules/a/a.go:28", "rules/a/a.go:29",
	}},
	{"locals, reads and methods named init", `
-- rules/a/a.go --
package a

var table = map[string]int{"a": 1}

type position struct{ table map[string]int }

func (p *position) init() { p.table["a"] = table["a"] }

func f(count int) map[string]int {
	count++
	table := map[string]int{}
	table["b"] = count
	return table
}
-- service/a.go --
package service

var count int

func f() { count++ }
`, nil},
}
