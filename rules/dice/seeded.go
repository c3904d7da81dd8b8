package dice

// Seeded are fast dice that repeat for the same seed, for simulations and tests. Anyone who has seen some can tell the
// rest, so they are not for games between people.
type Seeded struct{ state uint64 }

// NewSeeded starts a sequence. Any seed will do, and seeds next to each other give unrelated dice.
func NewSeeded(seed uint64) *Seeded { return &Seeded{seed} }

// Roll returns the next die. The only error is a [*SidesError].
func (s *Seeded) Roll(sides uint8, reason string) (uint8, error) {
	if err := checkSides(sides, reason); err != nil {
		return 0, err
	}
	return uint8(s.Below(uint32(sides))) + 1, nil
}

// Below is a number from 0 to n-1, all alike likely, for choices that bots and tests make; 0 when n is 0.
func (s *Seeded) Below(n uint32) uint32 {
	if n == 0 {
		return 0
	}
	// The high half of x·n is below n. Of the 2^32 values of x some are too many to share out evenly: those whose
	// low half is below 2^32 mod n.
	product := uint64(uint32(s.Next()>>32)) * uint64(n)
	if uint32(product) < n {
		for spare := -n % n; uint32(product) < spare; {
			product = uint64(uint32(s.Next()>>32)) * uint64(n)
		}
	}
	return uint32(product >> 32)
}

// Next is the next 64 bits of the sequence (SplitMix64).
func (s *Seeded) Next() uint64 {
	s.state += 0x9E3779B97F4A7C15
	z := s.state
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}
