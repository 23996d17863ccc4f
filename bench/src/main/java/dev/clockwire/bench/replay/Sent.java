package dev.clockwire.bench.replay;

import dev.clockwire.roce.wire.RocePacket;

/**
 * A packet that the simulated side sent.
 *
 * @param cause frame of the capture after which it was sent
 * @param from the queue pair that sent it
 * @param packet the packet
 */
record Sent(long cause, Endpoint from, RocePacket packet) {}
