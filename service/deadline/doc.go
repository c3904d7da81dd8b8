// Package deadline counts the time that seats take, as docs/howto/deadlines.md says. It has no clock of its own: it is
// told when each record was made, so whoever has the log can count again and comes to the same.
package deadline
