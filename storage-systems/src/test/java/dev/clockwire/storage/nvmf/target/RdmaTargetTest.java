package dev.clockwire.storage.nvmf.target;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nvme.format.CqEntry;
import dev.clockwire.nvme.format.NvmeStatus;
import dev.clockwire.nvme.format.Opcodes;
import dev.clockwire.nvme.format.SqEntry;
import dev.clockwire.sim.KernelMode;
import dev.clockwire.sim.mem.PayloadMode;
import dev.clockwire.storage.bdev.MallocBdev;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
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

    private static TargetRig rig(boolean soft, int cores, LabSpec lab) {
        return new TargetRig(
                soft, TargetSpec.spdk(), TargetRig.SMALL, cores, lab, bdevs -> new MallocBdev(bdevs, "m", 512, 4096));
    }

    /** Admin queues take turns, I/O queues go where there are fewest; a Connect asks on three threads. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void spreadsQueuesOverCores(boolean soft) {
        TargetRig rig = rig(soft, 3, LabSpec.of(1));
        HostQueue admin = new HostQueue(rig, 0);
        int cntlid = admin.enable(0);
        for (int i = 1; i <= 6; i++) {
            HostQueue q = new HostQueue(rig, i).open(16);
            assertEquals(0, q.connect(16, cntlid, 0).status());
            assertEquals(
                    0,
                    q.command(q.keyed(q.entry(Opcodes.READ, 1).blocks(0, 8), 0, 4096))
                            .status());
        }
        assertEquals(
                List.of(2, 2, 2),
                rig.target.stats().stream().map(PollGroupStats::currentIoQpairs).toList());
        CqEntry missed = admin.command(admin.entry(Opcodes.ABORT, 0).dword(10, 5 | 0x7777 << 16));
        assertEquals(1, missed.result(), "asked on the other queue's core");
        HostQueue second = new HostQueue(rig, 0);
        second.enable(0);
        assertEquals(
                List.of(1, 1, 0),
                rig.target.stats().stream()
                        .map(PollGroupStats::currentAdminQpairs)
                        .toList());
        HostQueue twin = new HostQueue(rig, 3).open(16);
        assertEquals(
                NvmeStatus.QUEUE_ID_INVALID.code(), twin.connect(16, cntlid, 0).status());
        twin.disconnect(); // a refused queue is the host's to close
        admin.disconnect();
        assertTrue(rig.until(() -> rig.target.stats().stream().allMatch(g -> g.currentIoQpairs() == 0), 50_000));
        assertEquals(1, rig.target.controllers(rig.subsystem).size(), "the other host's");
    }

    /** Polls that find nothing are skipped: the same happens at the same times as if each were simulated. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void skippedPollsChangeNothing(boolean soft) {
        List<List<String>> seen = new ArrayList<>();
        for (KernelMode mode : KernelMode.values()) {
            TargetRig rig = rig(soft, 1, LabSpec.of(1).withMode(mode));
            List<String> all = new ArrayList<>();
            rig.target.watchStates((qid, slot, cid, from, to, ps) -> all.add(qid + " " + slot + " " + to + " " + ps));
            HostQueue admin = new HostQueue(rig, 0);
            int cntlid = admin.enable(0);
            HostQueue q = new HostQueue(rig, 1).open(16);
            q.connect(16, cntlid, 0);
            for (int i = 0; i < 4; i++) {
                q.command(q.keyed(
                        q.entry(i % 2 == 0 ? Opcodes.WRITE : Opcodes.READ, 1).blocks(i, 8), 0, 4096));
            }
            PollGroupStats s = rig.target.stats().get(0);
            all.add(s.toString());
            seen.add(all);
        }
        assertEquals(seen.get(0), seen.get(1));
    }

    /** In mode sizes the same messages take the same time. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void extentsAreAsFastAsBytes(boolean soft) {
        List<List<String>> seen = new ArrayList<>();
        for (PayloadMode mode : PayloadMode.values()) {
            TargetRig rig = rig(soft, 1, LabSpec.of(1).withPayload(mode));
            List<String> all = new ArrayList<>();
            rig.target.watchStates((qid, slot, cid, from, to, ps) -> all.add(qid + " " + slot + " " + to + " " + ps));
            HostQueue admin = new HostQueue(rig, 0);
            int cntlid = admin.enable(0);
            HostQueue q = new HostQueue(rig, 1).open(16);
            assertEquals(0, q.connect(16, cntlid, 0).status());
            q.inCapsule(q.entry(Opcodes.WRITE, 1).blocks(0, 8), new byte[4096], 4096);
            for (int i = 0; i < 4; i++) {
                q.command(q.keyed(
                        q.entry(i % 2 == 0 ? Opcodes.WRITE : Opcodes.READ, 1).blocks(i, 8), 0, 4096));
            }
            seen.add(all);
        }
        assertEquals(seen.get(0), seen.get(1));
    }

    /** Several commands that come in one poll leave with one doorbell, and a poll of commands only counts as idle. */
    @Test
    void batchesWhatAPollPosts() {
        TargetRig rig = rig(false, 1, LabSpec.of(1));
        HostQueue admin = new HostQueue(rig, 0);
        int cntlid = admin.enable(0);
        HostQueue q = new HostQueue(rig, 1).open(32);
        q.connect(32, cntlid, 0);
        rig.run(10);
        PollGroupStats.DeviceStats before = rig.target.stats().get(0).devices().get(0);
        for (int i = 0; i < 30; i++) {
            q.send(q.keyed(q.entry(Opcodes.READ, 1).blocks(0, 8), 0, 4096));
        }
        rig.until(
                () -> {
                    q.poll();
                    return q.responses.size() == 31;
                },
                1_000);
        rig.run(10);
        PollGroupStats.DeviceStats after = rig.target.stats().get(0).devices().get(0);
        assertEquals(30, after.requests() - before.requests());
        assertEquals(60, after.totalSendWrs() - before.totalSendWrs(), "a WRITE and a SEND each");
        assertEquals(60, after.completions() - before.completions(), "a receive and a SEND each");
        assertEquals(30, after.totalRecvWrs() - before.totalRecvWrs());
        long doorbells = after.sendDoorbellUpdates() - before.sendDoorbellUpdates();
        assertTrue(doorbells < 25, doorbells + " doorbells");
        assertTrue(after.polls() > 10 * (after.polls() - after.idlePolls()), after::toString);
    }
}
