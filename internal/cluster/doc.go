// Package cluster plays games on several servers and databases while these fail. It is a test: it has no other code.
//
// Three servers (the program itself), a primary and a synchronous standby of PostgreSQL, and the players run in network
// namespaces of their own. The test is the network between them: it passes on every packet, later or not at all. So a
// link is cut as a broken switch cuts it, in silence, and no connection is reset.
//
// A seed decides what fails when. Players of the Go SDK go on meanwhile at whatever server answers. In the end
// everything that was answered is held against the log.
//
// The tests need Linux, root, /dev/net/tun and PostgreSQL. They run where WARLEDGER_POSTGRES is set, and fail with
// words there if namespaces cannot be made. WARLEDGER_CLUSTER_SEEDS sets how many seeds are played.
//
// # Map
//
//	network_test.go   namespaces and what is between them
//	machine_test.go   processes in a namespace
//	database_test.go  primary, standby, failover
//	program_test.go   the server as it is, and with faults planted
//	players_test.go   who calls the servers
//	games_test.go     games that are played one after another
//	receiver_test.go  who gets the notices
//	faults_test.go    what fails
//	check_test.go     what must hold in the end
//	seeds_test.go     the tests
//	patroni_test.go   the same under Patroni, as docs/howto/cluster.md has it
//	load_test.go      what many games cost, measured
package cluster
