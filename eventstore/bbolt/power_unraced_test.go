//go:build !race

package boltstore

// powerShare is by how much less the tests of power failures do than they could.
const powerShare = 1
