/**
 * A fabric port joined to UDP datagrams, one Ethernet frame each: the simulated NIC as the peer of a real machine. {@code UdpFrames} is the socket, {@code Gateway} the
 * far end of the simulated link, {@code LiveRun} lets simulated time follow real time, and the programs are what the peer talks to.
 */
@NullMarked
package dev.clockwire.bench.live;

import org.jspecify.annotations.NullMarked;
