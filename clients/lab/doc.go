// Package lab plays many games at once for a program that learns, in process and without a server.
//
// A [Table] holds the games: it begins them, makes a decision in each, and says in numbers what every seat that decides
// sees, what it may do and how it was rewarded. [Serve] lets a program in another language drive one over a pipe;
// docs/reference/lab.md tells how.
package lab
