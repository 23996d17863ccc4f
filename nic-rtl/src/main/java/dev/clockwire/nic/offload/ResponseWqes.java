package dev.clockwire.nic.offload;

import dev.clockwire.nic.format.Wqe;
import dev.clockwire.nic.format.WqeOpcode;
import dev.clockwire.nic.format.WqeWriter;
import java.util.Arrays;

/** The WQEs of a response, a block each: the data as an RDMA WRITE, then the response capsule as a SEND that says when both have arrived. */
final class ResponseWqes {
    private final WqeWriter writer = new WqeWriter();
    private final byte[] block = new byte[Wqe.BLOCK];
    private final byte[] response = new byte[Capsule.COMPLETION];

    /** Returns a block, valid until the next call. */
    byte[] block(OffloadState.Command c, boolean isData, int number, int qpn, OffloadDisk ssd, int context) {
        int index = c.index + number & 0xFFFF;
        if (isData) {
            writer.begin(WqeOpcode.RDMA_WRITE, index, qpn, false, false, false, 0);
            writer.remoteAddress(c.address, c.key);
            writer.data(ssd.stagingOf(context), c.length, c.stagingKey);
        } else {
            int opcode = c.invalidates ? WqeOpcode.SEND_INVAL : WqeOpcode.SEND;
            writer.begin(opcode, index, qpn, true, true, false, c.invalidates ? c.key : 0);
            Arrays.fill(response, (byte) 0);
            Capsule.put64(response, 0, c.result);
            Capsule.put16(response, 8, c.sqhd);
            Capsule.put16(response, 12, c.cid);
            Capsule.put16(response, 14, c.status << 1);
            int at = writer.inline(Capsule.COMPLETION);
            System.arraycopy(response, 0, writer.bytes(), at, Capsule.COMPLETION);
        }
        return finished();
    }

    /** Returns the RDMA READ that fetches the data of a write, valid until the next call. */
    byte[] fetch(OffloadState.Command c, int qpn, OffloadDisk ssd, int context) {
        writer.begin(WqeOpcode.RDMA_READ, c.index, qpn, true, false, false, 0);
        writer.remoteAddress(c.address, c.key);
        writer.data(ssd.stagingOf(context), c.length, c.stagingKey);
        return finished();
    }

    private byte[] finished() {
        int length = writer.finish();
        System.arraycopy(writer.bytes(), 0, block, 0, length);
        Arrays.fill(block, length, Wqe.BLOCK, (byte) 0);
        return block;
    }
}
