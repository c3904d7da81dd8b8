package house

var linkSamples = []sample{
	{
		name: "links within the checkout",
		tree: "-- README.md --\n# A title\n[a](docs/a.md) [b](docs/a.md#two-words) [c](#a-title) [d](docs) " +
			"[e](https://example.org/x)\n[f](docs/none.md)\n" +
			"[g](docs/a.md#three) ![h](docs/h.png \"words\")\n```\n[i](none.md)\n```\n`[j](none.md)`\n" +
			"-- docs/a.md --\n## Two words!\n[up](../README.md) [itself](#two-words-1)\n## " +
			"Two words\n[no](#two-words-2)\n" +
			"-- .github/x.md --\n[elsewhere](none)\n",
		want: []string{"README.md:3", "README.md:4", "README.md:4", "docs/a.md:4"},
	},
	{
		name: "references and HTML",
		tree: "-- README.md --\n[a][one], [Two][], [b][three] and `[c][four]`, list[0][1]\n\n[one]: docs/a.md\n" +
			"[two]: docs/none.md \"words\"\n<a href=\"docs/no.md\">x</a> <img src='docs/a.md'>\n" +
			"<!-- [d](docs/lost.md)\n[e](lost.md) --> [f](docs/gone.md)\n[g](<docs/h.md>)\n-- docs/a.md --\n",
		want: []string{"README.md:1", "README.md:1", "README.md:4", "README.md:5", "README.md:7", "README.md:8"},
	},
}

var reachableSamples = []sample{
	{
		name: "a document that only a lost one links to",
		tree: "-- README.md --\n[a](docs/a.md)\n-- docs/a.md --\n[b](b.md)\n-- docs/b.md --\n-- docs/lost.md " +
			"--\n[d](d.md)\n-- docs/d.md --\n",
		want: []string{"docs/d.md:1", "docs/lost.md:1"},
	},
	{
		name: "a document that only comments and code link to",
		tree: "-- README.md --\n<!-- [a](docs/a.md)\n[b](docs/b.md) -->\n[c][c] <a href=\"docs/d.md\">d</a>\n\n" +
			"[c]: docs/c.md\n```\n<!--\n```\n[e](docs/e.md)\n-- docs/a.md --\n-- docs/b.md --\n-- docs/c.md --\n" +
			"-- docs/d.md --\n-- docs/e.md --\n",
		want: []string{"docs/a.md:1", "docs/b.md:1"},
	},
	{name: "a tree without an entrance", tree: "-- docs/a.md --\n"},
}
