// Package powerfail finds out what is left of files after a power failure. It is for tests.
//
// # How it works
//
// A [Recorder] runs a real writer: the test's own program again, with the real engine and library. A seccomp filter
// sends each call of the writer that changes a file, or makes one durable, to the test. The test carries the call out,
// notes it, and answers. So calls are noted one by one in the order in which they happened, whichever thread made them.
// A call that the recorder does not know is an error, not a gap. In between, the writer says what it was told, such as
// that an append is acknowledged ([Mark]). The test can also refuse a call with an error, or kill the writer before
// one.
//
// The notes are a [Trace]. [Trace.Replay] goes through it and tracks what a disk must hold and what it may hold. It may
// hold, for each sector of 512 bytes, the durable bytes or any bytes written since; each length that the file had
// since; and each change of names since the folder was synced. From these it makes images, some by rule (all, nothing,
// only the last write, only the first two pages, ...), the others at random, and has each examined.
//
// # What a disk may do
//
// Sectors are never torn. Everything else that was not synced may be there or not, in any combination: later writes
// without earlier ones, a length without its bytes, a name without the contents, and only some names. A sync covers one
// file, or the names in one folder. After a failed sync the system forgets what it had to write and still shows it to
// readers. What was not written by then may be lost until somebody writes it again, whatever is synced later.
//
// A disk that claims to have stored what it has not is out of scope.
package powerfail
