// Package powerfail asks what is left of files when the power goes. It is for tests.
//
// # How it works
//
// A [Recorder] runs a real writer: the test's own program again, with the engine and the library as they are. A seccomp
// filter hands each of its calls that changes a file or makes one durable to the test, which carries it out, notes it,
// and answers. So calls are noted one after another in the order in which they happened, whoever made them, and a call
// that the recorder does not know is an error, not a gap. The writer says in between what it was told, such as that an
// append is acknowledged ([Mark]). A call can be refused with an error instead, and the writer can be killed before
// one.
//
// What was noted is a [Trace]. [Trace.Replay] goes through it and keeps what a disk must hold by then, and what it may
// hold: for each sector of 512 bytes the durable bytes and all that was written there since, each length that the file
// had since, each change of names since the folder was synced. Of these it makes images, some by rule (all, nothing,
// the last write alone, the first two pages alone, ...), the others at random, and has each examined.
//
// # What a disk may do
//
// Sectors are whole. Everything else that was not synced may be there or not, in any combination: later writes without
// earlier ones, a length without its bytes, a name without the contents, and names in part. A sync covers one file, or
// the names in one folder. After a sync that failed the system forgets what it had to write and still shows it to
// readers: what was not written by then may be lost until somebody writes it again, whatever is synced later.
//
// A disk that says that it has stored what it has not is beyond this.
package powerfail
