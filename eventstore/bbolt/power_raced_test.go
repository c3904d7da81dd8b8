//go:build race

package boltstore

// powerShare is by how much less the tests of power failures do: under the race detector each image takes ten times as
// long.
const powerShare = 6
