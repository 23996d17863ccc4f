package dev.clockwire.nic.complete;

import dev.clockwire.nic.context.DeviceParts;
import dev.clockwire.nic.context.EqContext;
import dev.clockwire.nic.context.Interrupts;
import dev.clockwire.nic.format.Eqe;
import dev.clockwire.pcie.endpoint.DmaWrite;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.Inlet;

/** Writes event queue entries, each with its interrupt behind it; part of the completion unit. */
final class EventWriter {
    private static final int MESSAGE_BYTES = 4;

    private final EventPort writes;
    private final Inlet<DmaWrite> written;
    private final DeviceParts parts;
    private final CqState state;
    private final byte[] bytes = new byte[Eqe.BYTES];

    EventWriter(EventPort writes, Inlet<DmaWrite> written, DeviceParts parts, CqState state) {
        this.writes = writes;
        this.written = written;
        this.parts = parts;
        this.state = state;
    }

    /** Writes an entry and the message that interrupts the host; nobody hears of it before the driver has made the queue. */
    void write(int type, int number, long at) {
        EqContext eq = parts.table().events();
        if (eq == null) {
            return;
        }
        long index = state.events++;
        Eqe.write(bytes, type, number, (index >>> eq.logEntries() & 1) != 0);
        send(eq.base() + (index & (1L << eq.logEntries()) - 1) * Eqe.BYTES, Eqe.BYTES, at);
        Interrupts interrupts = parts.interrupts();
        if (interrupts.request(eq.vector())) {
            int message = interrupts.data(eq.vector());
            for (int i = 0; i < MESSAGE_BYTES; i++) {
                bytes[i] = (byte) (message >>> (8 * i));
            }
            send(interrupts.address(eq.vector()), MESSAGE_BYTES, at + 1);
        }
    }

    private void send(long address, int length, long at) {
        DmaWrite w = parts.writes().take();
        w.address = address;
        w.length = length;
        w.data.clear();
        w.data.appendBytes(bytes, 0, length);
        w.journey = 0;
        w.stage = 0;
        w.done = written;
        writes.send(at, 0, 0, 0, w);
    }
}
