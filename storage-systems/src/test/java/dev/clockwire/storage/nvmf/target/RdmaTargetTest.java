package dev.clockwire.storage.nvmf.target;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.clockwire.nvme.format.CqEntry;
import dev.clockwire.nvme.format.Opcodes;
import dev.clockwire.nvme.format.SqEntry;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RdmaTargetTest {
    private static final String READ =
            " NEW NEED_BUFFER HAVE_BUFFER READY_TO_EXECUTE EXECUTING EXECUTED DATA_TRANSFER_TO_HOST_PENDING READY_TO_COMPLETE"
                    + " TRANSFERRING_CONTROLLER_TO_HOST COMPLETED FREE";
    private static final String IN_CAPSULE =
            " NEW READY_TO_EXECUTE EXECUTING EXECUTED READY_TO_COMPLETE_PENDING READY_TO_COMPLETE COMPLETING COMPLETED FREE";
    private static final String WRITE =
            " NEW NEED_BUFFER HAVE_BUFFER DATA_TRANSFER_TO_CONTROLLER_PENDING TRANSFERRING_HOST_TO_CONTROLLER READY_TO_EXECUTE"
                    + " EXECUTING EXECUTED READY_TO_COMPLETE_PENDING READY_TO_COMPLETE COMPLETING COMPLETED FREE";

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void writesAndReadsBack(boolean soft) {
        TargetRig rig = new TargetRig(soft, TargetSpec.spdk(), TargetRig.SMALL);
        HostQueue admin = new HostQueue(rig, 0);
        int cntlid = admin.enable(0);
        assertEquals(1, admin.get(Properties.CSTS, 4).result());
        HostQueue io = new HostQueue(rig, 1).open(16);
        assertEquals(16, io.reply()[2]);
        CqEntry joined = io.connect(16, cntlid, 0);
        assertEquals(0, joined.status(), rig.notes::toString);
        assertEquals(cntlid, joined.result());
        byte[] data = new byte[128 << 10];
        for (int i = 0; i < data.length; i++) {
            data[i] = (byte) (i * 7 + (i >> 8));
        }
        rig.lab.a().host().memory().putBytes(rig.memory.address(), data, 0, data.length);
        int before = rig.states.size();
        SqEntry write = io.keyed(io.entry(Opcodes.WRITE, 1).blocks(8, 256), 0, data.length);
        assertEquals(0, io.command(write).status());
        SqEntry read = io.keyed(io.entry(Opcodes.READ, 1).blocks(8, 256), 512 << 10, data.length);
        CqEntry answer = io.command(read);
        assertEquals(0, answer.status());
        assertEquals(1, answer.sqId());
        assertEquals(3, answer.sqHead());
        byte[] back = new byte[data.length];
        rig.lab.a().host().memory().getBytes(rig.memory.address() + (512 << 10), back, 0, back.length);
        assertArrayEquals(data, back);
        byte[] some = new byte[4096];
        System.arraycopy(data, 100, some, 0, some.length);
        assertEquals(
                0,
                io.inCapsule(io.entry(Opcodes.WRITE, 1).blocks(100, 8), some, 4096)
                        .status());
        io.command(io.keyed(io.entry(Opcodes.READ, 1).blocks(100, 8), 0, 4096));
        byte[] again = new byte[4096];
        rig.lab.a().host().memory().getBytes(rig.memory.address(), again, 0, again.length);
        assertArrayEquals(some, again);
        rig.run(20);
        assertEquals(List.of(WRITE, READ, IN_CAPSULE, READ), rig.states.subList(before, rig.states.size()));
        assertEquals(0, rig.target.buffersUsed());
        assertTrue(rig.notes.isEmpty(), rig.notes::toString);
    }
}
