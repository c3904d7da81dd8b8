package dice

import "cmp"
import "slices"

// Share is one result of a procedure and its exact chance.
type Share[K cmp.Ordered] struct {
	Result K
	Chance Chance
}

// Distribution is the chance of each result that a procedure can have, in ascending order of the results. The
// chances sum to 1. Cost and errors are those of [Enumerate].
func Distribution[K cmp.Ordered](maxLeaves int, procedure func(Source) (K, error)) ([]Share[K], error) {
	var result K
	var shares []Share[K]
	err := Enumerate(maxLeaves, func(src Source) (err error) {
		result, err = procedure(src)
		return err
	}, func(chance Chance, _ []Roll) error {
		at, found := slices.BinarySearchFunc(shares, result,
			func(s Share[K], k K) int { return cmp.Compare(s.Result, k) })
		if !found {
			shares = slices.Insert(shares, at, Share[K]{result, chance})
			return nil
		}
		sum, err := shares[at].Chance.Add(chance)
		shares[at].Chance = sum
		return err
	})
	if err != nil {
		return nil, err
	}
	return shares, nil
}
