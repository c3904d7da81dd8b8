// Package server puts a service on the network: the gRPC server with health and reflection, the port for operations,
// and a stop in good order.
//
// # Stopping
//
// [Server.Stop] first says NOT_SERVING, waits as long as a load balancer needs to notice, then ends watches with a last
// message and refuses new calls, lets running calls finish for as long as it was told, and then cuts them off. The
// store is closed by whoever opened it, after Stop.
package server
