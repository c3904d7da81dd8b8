package dice_test

import (
	"fmt"

	"github.com/warledger/warledger/rules/dice"
)

// Two dice are thrown and the higher one counts: the exact chances, from the procedure itself.
func ExampleDistribution() {
	shares, err := dice.Distribution(36, func(src dice.Source) (uint8, error) {
		first, err := src.Roll(6, "attack")
		if err != nil {
			return 0, err
		}
		second, err := src.Roll(6, "attack")
		return max(first, second), err
	})
	for _, s := range shares {
		fmt.Print(s.Result, ": ", s.Chance, "  ")
	}
	fmt.Println(err)
	// Output: 1: 1/36  2: 1/12  3: 5/36  4: 7/36  5: 1/4  6: 11/36  <nil>
}
