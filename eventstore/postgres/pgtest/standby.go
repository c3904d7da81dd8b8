package pgtest

import "testing"

// Standby makes a standby that follows the cluster, and starts it. It ends with the test.
func (c *Cluster) Standby(t testing.TB) *Cluster {
	t.Helper()
	s, err := folder(c.settings)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Remove)
	err = s.run("pg_basebackup", "-D", s.data(), "-d", "host="+c.folder+" user="+account,
		"--no-sync", "--checkpoint=fast", "-R")
	if err == nil {
		err = s.Start()
	}
	if err != nil {
		t.Fatalf("a standby for the test: %v", err)
	}
	return s
}

// Promote makes a standby a primary.
func (c *Cluster) Promote(t testing.TB) {
	t.Helper()
	if err := c.run("pg_ctl", "promote", "-w", "-D", c.data()); err != nil {
		t.Fatal(err)
	}
}
