package dev.clockwire.storage.nvmf.target;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.clockwire.nvme.fabrics.ConnectData;
import dev.clockwire.nvme.fabrics.RdmaPrivateData;
import dev.clockwire.nvme.format.CqEntry;
import dev.clockwire.nvme.format.NvmeStatus;
import dev.clockwire.nvme.format.Opcodes;
import dev.clockwire.nvme.format.SglDescriptor;
import dev.clockwire.nvme.format.SqEntry;
import dev.clockwire.roce.cm.CmEventType;
import dev.clockwire.sim.fault.FaultAction;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.sim.fault.FaultRule;
import dev.clockwire.sim.fault.FaultTrigger;
import dev.clockwire.storage.bdev.Bdev;
import dev.clockwire.storage.bdev.Bdevs;
import dev.clockwire.storage.bdev.DelayBdev;
import dev.clockwire.storage.bdev.DelaySpec;
import dev.clockwire.storage.bdev.MallocBdev;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Lost packets, lost hosts, a target that ends, and public bug reports about such. */
class TargetFaultsTest {
    private static final int BLOCKS = 64;
    private static final long US = 1_000_000;
    private static final long MINUTES = 300_000_000;

    private static Bdev slow(Bdevs bdevs, long us) {
        return new DelayBdev(
                bdevs,
                "slow",
                new MallocBdev(bdevs, "m", 512, 4096),
                new DelaySpec(us * US, us * US, us * US, us * US));
    }

    private static TargetRig rig(FaultPlan faults, long delayUs) {
        return rig(true, faults, delayUs);
    }

    private static TargetRig rig(boolean soft, FaultPlan faults, long delayUs) {
        return new TargetRig(
                soft,
                TargetSpec.spdk(),
                TargetRig.SMALL.withAcceptor(10_000_000_000L, 100),
                1,
                faults,
                bdevs -> slow(bdevs, delayUs));
    }

    /** Every write that was acknowledged is there when it is read, whatever packets were lost, doubled or damaged on the way. */
    @ParameterizedTest
    @CsvSource({
        "corrupt, true",
        "duplicate, true",
        "reorder, true",
        "delay, true",
        "drop, false",
        "corrupt, false",
        "duplicate, false",
        "reorder, false",
        "delay, false"
    })
    void nothingAcknowledgedIsLostWithPackets(String what, boolean soft) {
        FaultAction action = switch (what) {
            case "drop" -> new FaultAction.Drop();
            case "corrupt" -> new FaultAction.Corrupt(700);
            case "duplicate" -> new FaultAction.Duplicate();
            case "reorder" -> new FaultAction.Reorder();
            default -> new FaultAction.Delay();
        };
        TargetRig rig = rig(soft, FaultPlan.of(FaultRule.of(action, new FaultTrigger.Probability(0.06))), 5);
        HostQueue admin = new HostQueue(rig, 0);
        admin.patience = MINUTES;
        int cntlid = admin.enable(0);
        HostQueue q = new HostQueue(rig, 1);
        q.patience = MINUTES;
        q.open(16);
        assertEquals(0, q.connect(16, cntlid, 0).status());
        byte[][] stored = new byte[BLOCKS][];
        for (int i = 0; i < 90; i++) {
            int at = i * 7 % (BLOCKS - 16);
            int count = 1 + i % 16;
            byte[] data = new byte[count * 512];
            for (int k = 0; k < data.length; k++) {
                data[k] = (byte) (i * 31 + k * 7 + (k >> 8));
            }
            rig.lab.a().host().memory().putBytes(rig.memory.address(), data, 0, data.length);
            SqEntry write = q.entry(Opcodes.WRITE, 1).blocks(at, count);
            CqEntry done = count <= 8 && i % 2 == 0
                    ? q.inCapsule(write, data, data.length)
                    : q.command(q.keyed(write, 0, data.length));
            assertEquals(0, done.status());
            for (int k = 0; k < count; k++) {
                stored[at + k] = Arrays.copyOfRange(data, 512 * k, 512 * k + 512);
            }
        }
        for (int lba = 0; lba < BLOCKS; lba++) {
            if (stored[lba] != null) {
                assertEquals(
                        0,
                        q.command(q.keyed(q.entry(Opcodes.READ, 1).blocks(lba, 1), 0, 512))
                                .status());
                byte[] b = new byte[512];
                rig.lab.a().host().memory().getBytes(rig.memory.address(), b, 0, 512);
                assertArrayEquals(stored[lba], b, "block " + lba);
            }
        }
        assertTrue(rig.lab.faults().get(0).hits() >= 20, () -> rig.lab.faults().toString());
        assertTrue(rig.notes.isEmpty(), rig.notes::toString);
    }

    /** SPDK issue 3463: writes wait for the one READ that may be under way when the network goes. Each ends once. */
    @Test
    void aHostThatIsCutOffLosesItsQueues() {
        TargetRig rig = rig(
                FaultPlan.of(FaultRule.of(new FaultAction.LinkDown("link"), new FaultTrigger.At(100_000_000_000L))), 5);
        HostQueue admin = new HostQueue(rig, 0);
        int cntlid = admin.enable(10_000);
        HostQueue q = new HostQueue(rig, 1).open(new RdmaPrivateData.Request(1, 16, 16, 0).bytes(), 1);
        assertEquals(0, q.connect(16, cntlid, 0).status());
        rig.lab.sim().run(99_994_000_000L);
        for (int i = 0; i < 4; i++) {
            q.send(q.keyed(q.entry(Opcodes.WRITE, 1).blocks(64L * i, 64), 0, 32_768));
        }
        assertTrue(
                rig.until(() -> rig.target.controllers(rig.subsystem).isEmpty(), MINUTES),
                () -> rig.target.controllers(rig.subsystem) + " " + rig.states + rig.notes);
        rig.run(100);
        assertEquals(0, rig.target.buffersUsed());
        int ended = 0;
        for (String s : rig.states) {
            assertTrue(s.endsWith(" COMPLETED FREE"), s);
            assertEquals(s.indexOf(" COMPLETED"), s.lastIndexOf(" COMPLETED"), s);
            ended += s.contains("DATA_TRANSFER_TO_CONTROLLER_PENDING") && !s.contains("EXECUTING") ? 1 : 0;
        }
        assertTrue(ended >= 1, rig.states::toString);
    }

    /** SPDK issue 2180: receives come back with responses only, so a slow disk starves even the Connect of another host. */
    @Test
    void slowCommandsUseSharedReceivesUp() {
        TargetRig rig = new TargetRig(
                true,
                TargetSpec.spdk(),
                TargetRig.SMALL.withSrq(true, 16),
                1,
                FaultPlan.NONE,
                bdevs -> slow(bdevs, 20_000));
        HostQueue admin = new HostQueue(rig, 0);
        int cntlid = admin.enable(0);
        HostQueue q = new HostQueue(rig, 1).open(32);
        q.connect(32, cntlid, 0);
        for (int i = 0; i < 16; i++) {
            q.send(q.keyed(q.entry(Opcodes.READ, 1).blocks(0, 1), 0, 512));
        }
        rig.run(200);
        HostQueue other = new HostQueue(rig, 0).open(32);
        assertTrue(other.has(CmEventType.ESTABLISHED), "connections need no receive");
        byte[] data = HostQueue.connectData(ConnectData.ANY, TargetRig.NQN, TargetRig.HOST);
        SqEntry e = other.connectEntry(32, 0);
        byte[] capsule = new byte[64 + 1024];
        SglDescriptor.put(e.bytes(), SqEntry.DATA, 0, 1, 0, 1024);
        e.store(capsule, 0);
        System.arraycopy(data, 0, capsule, 64, 1024);
        other.send(capsule, capsule.length);
        rig.run(2_000);
        other.poll();
        assertEquals(0, other.responses.size(), "receiver not ready");
        assertEquals(0, other.response(60_000).status(), "as soon as the disk has answered");
    }

    /** SPDK issue 2765: many queues with a command each; the subsystem goes and with it all of them. */
    @Test
    void manyQueuesGoAtOnce() {
        TargetRig rig = rig(FaultPlan.NONE, 300);
        HostQueue admin = new HostQueue(rig, 0);
        int cntlid = admin.enable(0);
        List<HostQueue> all = new ArrayList<>();
        for (int i = 1; i <= 60; i++) {
            HostQueue q = new HostQueue(rig, i).open(2);
            assertEquals(0, q.connect(2, cntlid, 0).status());
            all.add(q);
        }
        for (HostQueue q : all) {
            q.send(q.keyed(q.entry(Opcodes.READ, 1).blocks(0, 1), 0, 512));
        }
        rig.run(20);
        assertEquals(60, rig.target.stats().get(0).currentIoQpairs());
        rig.target.deleteSubsystem(TargetRig.NQN);
        assertTrue(rig.until(() -> rig.target.stats().get(0).currentIoQpairs() == 0, 100_000), rig.notes::toString);
        assertTrue(rig.until(() -> all.stream().allMatch(q -> q.has(CmEventType.DISCONNECTED)), 100_000));
        assertEquals(0, rig.target.stats().get(0).currentAdminQpairs());
        assertEquals(0, rig.target.buffersUsed());
        assertEquals(60, rig.target.stats().get(0).ioQpairs());
    }

    /** Commands that wait for a buffer are served in order when one is free again. */
    @Test
    void commandsWaitForBuffers() {
        TargetRig rig = new TargetRig(
                true,
                TargetSpec.spdk(),
                TargetRig.SMALL.withBuffers(8192, 1, 135_168, 1),
                1,
                FaultPlan.NONE,
                bdevs -> slow(bdevs, 20));
        HostQueue admin = new HostQueue(rig, 0);
        int cntlid = admin.enable(0);
        HostQueue q = new HostQueue(rig, 1).open(16);
        q.connect(16, cntlid, 0);
        int first = q.cid;
        for (int i = 0; i < 8; i++) {
            q.send(q.keyed(q.entry(Opcodes.READ, 1).blocks(0, 1), 0, 512));
        }
        rig.until(
                () -> {
                    q.poll();
                    return q.responses.size() == 9;
                },
                2_000);
        for (int i = 0; i < 8; i++) {
            assertEquals(first + i, q.responses.get(1 + i).cid());
        }
        assertTrue(rig.target.stats().get(0).pendingDataBuffer() >= 7);
    }

    /** The last command of all is answered though the host's abort came in between: SPDK retries while data move. */
    @Test
    void abortsWhatWaitsForABuffer() {
        TargetRig rig = new TargetRig(
                true,
                TargetSpec.spdk(),
                TargetRig.SMALL.withBuffers(8192, 1, 135_168, 1),
                1,
                FaultPlan.NONE,
                bdevs -> slow(bdevs, 200));
        HostQueue admin = new HostQueue(rig, 0);
        int cntlid = admin.enable(0);
        HostQueue q = new HostQueue(rig, 1).open(16);
        q.connect(16, cntlid, 0);
        SqEntry running = q.keyed(q.entry(Opcodes.READ, 1).blocks(0, 1), 0, 512);
        q.send(running);
        SqEntry waits = q.keyed(q.entry(Opcodes.READ, 1).blocks(0, 1), 0, 512);
        q.send(waits);
        rig.run(20);
        assertEquals(
                0,
                admin.command(admin.entry(Opcodes.ABORT, 0).dword(10, 1 | waits.cid() << 16))
                        .result());
        assertEquals(
                1,
                admin.command(admin.entry(Opcodes.ABORT, 0).dword(10, 1 | running.cid() << 16))
                        .result());
        CqEntry aborted = q.response();
        assertEquals(waits.cid(), aborted.cid());
        assertEquals(NvmeStatus.ABORTED.code(), aborted.status());
        assertEquals(0, q.response().status());
    }
}
