// Package pages holds the commands and outputs of README and the tutorials to the truth. Its test reads the fenced
// blocks of each page in order, runs what a reader would run, and compares what is printed with what the page shows.
//
// The first word after the fence is the language. What may follow it:
//
//	console           lines after "$ " are run, the lines below each are its output; "^C" stops the server
//	sh                every line is run and must succeed; the page shows no output
//	LANGUAGE FILE     the block is saved as that file, in folders that are made where there are none
//	LANGUAGE not run: REASON
//
// A page that adds to the checkout is followed in a copy of it.
//
// An output may show "…" for what differs each time, and a line "..." for lines that are left out. Ids and hashes of
// games need no such mark. Servers get free ports; a page names the usual ones. With -rewrite
// the test writes what is printed into the pages.
package pages
