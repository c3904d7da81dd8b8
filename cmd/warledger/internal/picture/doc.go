// Package picture draws boards in a terminal: hexes with stacks, prompts, tracks. It knows the contract of
// boards and no ruleset.
//
// A map whose spaces are hexes is drawn as hexes, where their centre points put them, in the largest size that fits the
// width. Any other map falls back to a list by space. Without colours everything can still be told apart: terrain by
// its glyph, owners by a letter.
package picture
