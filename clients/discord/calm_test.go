//go:build !race

package discord

// raced says that the race detector looks on.
const raced = false
