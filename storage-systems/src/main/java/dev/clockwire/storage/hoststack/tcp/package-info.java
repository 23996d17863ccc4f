/**
 * TCP over IPv4 as a kernel has it: real frames, the state machine of RFC 9293, Reno (RFC 5681, 6582), timers (RFC 6298), delayed
 * acknowledgements, large segments on both sides (GSO, GRO). No time passes here: whoever calls pays.
 */
@NullMarked
package dev.clockwire.storage.hoststack.tcp;

import org.jspecify.annotations.NullMarked;
