package dev.clockwire.nic.send;

import dev.clockwire.nic.context.DeviceParts;
import dev.clockwire.nic.context.QpContext;
import dev.clockwire.nic.dma.PayloadEngine;
import dev.clockwire.nic.dma.TxSlot;
import dev.clockwire.nic.format.Wqe;

/** Collects a packet's payload out of the WQE's scatter/gather list, or out of the WQE itself if it is inline. */
final class Gather {
    private final PayloadEngine payload;
    private final DeviceParts parts;

    Gather(PayloadEngine payload, DeviceParts parts) {
        this.payload = payload;
        this.parts = parts;
    }

    /** Asks for the payload of a packet that starts at an offset of the message. */
    void ask(TxSlot slot, QpContext qp, Wqe wqe, long offset, long now) {
        int rest = slot.packet.payloadLength;
        if (rest == 0) {
            return;
        }
        if (wqe.inlineAt > 0) {
            slot.packet.payload.appendBytes(wqe.raw, wqe.inlineAt + (int) offset, rest);
            return;
        }
        long skip = offset;
        for (int i = 0; i < wqe.sgeCount && rest > 0; i++) {
            long length = Wqe.bytes(wqe.sgeLength[i]);
            if (skip >= length) {
                skip -= length;
                continue;
            }
            int n = (int) Math.min(rest, length - skip);
            int key = wqe.sgeLkey[i];
            payload.read(slot, now, key, parts.worker(qp, key), wqe.sgeVa[i] + skip, n);
            skip = 0;
            rest -= n;
        }
    }
}
