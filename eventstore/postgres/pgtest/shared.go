package pgtest

import (
	"sync"
	"testing"
)

// Shared is a cluster that all tests of a package use. It is made for the first of them that needs it.
type Shared struct {
	once    sync.Once
	cluster *Cluster
	err     error
}

// Cluster returns the cluster. Tests that ask for it are skipped where no server is wanted.
func (s *Shared) Cluster(t testing.TB) *Cluster {
	t.Helper()
	Wanted(t)
	s.once.Do(func() { s.cluster, s.err = Make() })
	if s.err != nil {
		t.Fatalf("a PostgreSQL server for the tests: %v", s.err)
	}
	return s.cluster
}

// Removing returns a main of tests that removes the cluster when all of them have run.
func (s *Shared) Removing(m *testing.M) Main { return Main{m, s} }

// Main runs tests.
type Main struct {
	m *testing.M
	s *Shared
}

// Run runs the tests and returns the exit code.
func (m Main) Run() int {
	code := m.m.Run()
	if m.s.cluster != nil {
		m.s.cluster.Remove()
	}
	return code
}
