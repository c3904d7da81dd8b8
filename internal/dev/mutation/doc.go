// Package mutation makes small changes in Go source, one at a time, so that one can ask whether any test notices.
//
// [Find] lists the places of a file where an operator, a constant, a condition or a call can be changed. [Sample]
// draws some of them by a seed. [Mutant.Apply] gives the changed source.
//
// To build and link a program for each change takes most of the time. [Source.Choose] therefore builds them into one:
// each place becomes a choice between the original and the change, and a variable of the environment says which change
// is meant. The same program tells which changes it reaches. What no choice can express, such as another constant of a
// type, needs a build of its own. Nothing here runs a test: the chore "mutate" of internal/dev does.
//
// A change that does not compile is not a mutant. A change without effect (a capacity, a branch that two conditions
// reach) cannot be noticed by any test. [Explained] reads the list of those, with a reason for each.
package mutation
