package mutation

import "math/rand/v2"

// Sample returns all mutants in an order drawn by the seed; the first n of it are a fair sample. It does not change
// its argument.
func Sample(all []Mutant, seed uint64) []Mutant {
	drawn := append([]Mutant(nil), all...)
	random := rand.New(rand.NewPCG(seed, 0))
	random.Shuffle(len(drawn), func(i, j int) { drawn[i], drawn[j] = drawn[j], drawn[i] })
	return drawn
}
