// Package kit is the furniture of rulesets: what each must bring besides its rules, made once. It knows messages by their
// descriptors and no ruleset by name.
package kit
