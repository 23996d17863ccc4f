package dev.clockwire.bench.replay;

import dev.clockwire.roce.transport.SendWork;

/**
 * A send work request that a capture shows.
 *
 * @param firstPsn PSN of its first packet
 * @param packets PSNs that it takes
 * @param work what is to be done
 * @param payload its bytes; zeros where no packet of the capture has them
 * @param whole whether the capture has its end
 */
@SuppressWarnings("ArrayRecordComponent") // handed on once, never compared
record Work(int firstPsn, int packets, SendWork work, byte[] payload, boolean whole) {}
