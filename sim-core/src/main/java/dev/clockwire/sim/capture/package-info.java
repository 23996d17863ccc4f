/**
 * Packet captures that strangers read and write: classic pcap and pcapng. Simulated picoseconds become nanoseconds; a record
 * may hold fewer bytes than the frame had. Knows no protocol.
 *
 * <p>Source of the formats: the IETF drafts draft-ietf-opsawg-pcap and draft-ietf-opsawg-pcapng.
 */
@NullMarked
package dev.clockwire.sim.capture;

import org.jspecify.annotations.NullMarked;
