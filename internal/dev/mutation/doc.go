// Package mutation changes one small thing in Go source, so that one can ask whether any test notices.
//
// [Find] lists the places of a file where an operator, a constant, a condition or a call can be changed. [Sample] draws some of them
// by a seed. [Mutant.Apply] gives the changed source. Nothing here runs a test: the chore "mutate" of internal/dev does.
//
// A change that the compiler refuses is no mutant: whoever runs them leaves it out. A change that alters nothing (a capacity, a branch
// that two conditions reach) is one that no test can notice. [Explained] reads the list of those, with a reason for each.
package mutation
