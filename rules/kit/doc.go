// Package kit has the parts that every ruleset needs besides its rules. It knows messages by their descriptors and no
// ruleset by name.
package kit
