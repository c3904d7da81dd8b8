// Package raster draws boards as pictures: the map with its terrain, roads, names and marks, the pieces as counters,
// what lies beside the map, when it is and what is asked. It knows the contract of boards and no ruleset, and looks
// like the web board on purpose.
//
//	img, err := raster.Draw(board, board.Map, raster.Options{})
//	...
//	err = raster.EncodePNG(w, img)
//
// What a board says is in the language that it was asked for in. Latin letters are drawn in the Go fonts, Japanese and
// everything else in M+, which are parts of the program. Equal boards and options give equal bytes.
package raster
