package dev.clockwire.storage.nvmf.target;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.clockwire.nvme.fabrics.RdmaPrivateData;
import dev.clockwire.nvme.format.CqEntry;
import dev.clockwire.nvme.format.LittleEndian;
import dev.clockwire.nvme.format.NvmeStatus;
import dev.clockwire.nvme.format.Opcodes;
import dev.clockwire.nvme.format.SglDescriptor;
import dev.clockwire.nvme.format.SqEntry;
import dev.clockwire.roce.cm.CmEventType;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.storage.bdev.DelayBdev;
import dev.clockwire.storage.bdev.DelaySpec;
import dev.clockwire.storage.bdev.ErrorBdev;
import dev.clockwire.storage.bdev.IoType;
import dev.clockwire.storage.bdev.MallocBdev;
import dev.clockwire.storage.nvmf.subsystem.NamespaceSpec;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Hosts that do wrong, devices that fail: the status of the reference, buffers and requests that come back, and a target that lives on. */
class ErrorPathsTest {
    private static final TargetSpec SPDK = TargetSpec.spdk();

    private static void has(NvmeStatus wanted, CqEntry got) {
        assertEquals(NvmeStatus.describe(wanted.code()), NvmeStatus.describe(got.status()));
    }

    private static HostQueue io(TargetRig rig, int depth) {
        int cntlid = new HostQueue(rig, 0).enable(0);
        HostQueue q = new HostQueue(rig, 1).open(depth);
        has(NvmeStatus.SUCCESS, q.connect(depth, cntlid, 0));
        return q;
    }

    private static TargetRig rig() {
        return new TargetRig(true, SPDK, TargetRig.SMALL);
    }

    /** All that the target had for hosts is free again. */
    private static void nothingIsLeft(TargetRig rig) {
        assertTrue(
                rig.until(
                        () -> rig.target.stats().stream()
                                .allMatch(g -> g.currentIoQpairs() + g.currentAdminQpairs() == 0),
                        2_000_000),
                () -> rig.target.stats() + " " + rig.notes);
        rig.run(10);
        assertEquals(0, rig.target.buffersUsed());
        assertTrue(rig.target.controllers(rig.subsystem).isEmpty());
        for (String s : rig.states) {
            assertTrue(s.endsWith(" COMPLETED FREE"), s);
            assertEquals(s.indexOf("COMPLETED"), s.lastIndexOf(" COMPLETED") + 1, s);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "1, 0, 32, 32, 16, 2", // another format of the private data
        "0, 0, 0, 32, 16, 5", // no receives
        "0, 0, 32, 32, 0, 7" // answers no READs
    })
    void refusesConnectionsAsSpdkDoes(int format, int qid, int receives, int sends, int reads, int reason) {
        TargetRig rig = rig();
        byte[] told = new RdmaPrivateData.Request(qid, receives, sends, 0).bytes();
        told[0] = (byte) format;
        HostQueue q = new HostQueue(rig, qid).open(told, reads);
        assertTrue(q.has(CmEventType.REJECTED));
        assertEquals(reason, LittleEndian.get16(q.reply(), 2));
    }

    @Test
    void aLinuxTargetRefusesALargeAdminQueue() {
        TargetRig rig = new TargetRig(true, TargetSpec.linux(), TargetRig.SMALL);
        HostQueue q = new HostQueue(rig, 0).open(33);
        assertEquals(RdmaPrivateData.BAD_SEND_SIZE, LittleEndian.get16(q.reply(), 2));
        assertTrue(new HostQueue(rig, 0).open(32).has(CmEventType.ESTABLISHED));
    }

    /** Depths are told 1's based for receives and 0's based for sends; the reply counts commands. */
    @ParameterizedTest
    @CsvSource({"32, 32, 32", "33, 32, 32", "16, 32, 16", "1000, 1000, 128"})
    void agreesOnADepth(int receives, int sends, int depth) {
        TargetRig rig = rig();
        HostQueue q = new HostQueue(rig, 0).open(new RdmaPrivateData.Request(0, receives, sends, 0).bytes(), 16);
        assertEquals(depth, RdmaPrivateData.replied(q.reply(), 0, 32).orElseThrow());
    }

    @Test
    void aCapsuleTooShortCostsTheConnection() {
        TargetRig rig = rig();
        HostQueue admin = new HostQueue(rig, 0);
        admin.enable(0);
        admin.send(new byte[63], 63);
        assertTrue(rig.until(() -> admin.has(CmEventType.DISCONNECTED), 20_000), rig.notes::toString);
        nothingIsLeft(rig);
        assertEquals(1, new HostQueue(rig, 0).enable(0) - 1, "the next host gets another number");
    }

    @Test
    void moreCommandsThanAgreedCostTheConnection() {
        TargetRig rig = new TargetRig(
                true,
                SPDK,
                TargetRig.SMALL,
                1,
                FaultPlan.NONE,
                bdevs -> slow(new MallocBdev(bdevs, "m", 512, 4096), 100));
        HostQueue q = io(rig, 4);
        for (int i = 0; i < 5; i++) {
            q.send(q.keyed(q.entry(Opcodes.READ, 1).blocks(0, 1), 0, 512));
        }
        assertTrue(rig.until(() -> q.has(CmEventType.DISCONNECTED), 20_000), rig.notes::toString);
        assertEquals(1, q.responses.size(), "Connect only");
    }

    private static DelayBdev slow(MallocBdev below, long us) {
        long ps = us * 1_000_000;
        return new DelayBdev(below.bdevs(), "slow", below, new DelaySpec(ps, ps, ps, ps));
    }

    @Test
    void descriptorsThatAreWrong() {
        TargetRig rig = rig();
        HostQueue q = io(rig, 16);
        byte[] data = new byte[4096];
        SqEntry e = q.keyed(q.entry(Opcodes.READ, 1).blocks(0, 8), 0, 4096);
        e.bytes()[39] = 0x50; // transport data block
        has(NvmeStatus.SGL_BAD_TYPE, q.command(e));
        e.bytes()[39] = 0x41;
        has(NvmeStatus.SGL_BAD_TYPE, q.command(e));
        has(
                NvmeStatus.SGL_BAD_LENGTH,
                q.command(q.keyed(q.entry(Opcodes.READ, 1).blocks(0, 8), 0, 131_073)));
        has(
                NvmeStatus.SGL_BAD_LENGTH,
                q.command(q.keyed(q.entry(Opcodes.READ, 1).blocks(0, 8), 0, 4095)));
        e = q.entry(Opcodes.WRITE, 1).blocks(0, 8);
        SglDescriptor.put(e.bytes(), SqEntry.DATA, SglDescriptor.DATA_BLOCK, SglDescriptor.OFFSET, 4097, 1);
        has(NvmeStatus.SGL_BAD_OFFSET, q.command(e));
        has(NvmeStatus.SGL_BAD_LENGTH, q.inCapsule(q.entry(Opcodes.WRITE, 1).blocks(0, 8), data, 4097));
        // the capsule brings less than it tells
        has(NvmeStatus.SGL_BAD_LENGTH, q.inCapsule(q.entry(Opcodes.WRITE, 1).blocks(0, 8), new byte[512], 4096));
        e = q.entry(Opcodes.WRITE, 1).blocks(0, 8).flags(SqEntry.PRP, 0);
        has(NvmeStatus.INVALID_FIELD, q.command(e));
        has(NvmeStatus.INVALID_OPCODE, q.command(q.keyed(q.entry(0x83, 1), 0, 512)));
        has(
                NvmeStatus.INVALID_NAMESPACE,
                q.command(q.keyed(q.entry(Opcodes.READ, 2).blocks(0, 8), 0, 4096)));
        has(
                NvmeStatus.LBA_OUT_OF_RANGE,
                q.command(q.keyed(q.entry(Opcodes.READ, 1).blocks(16_380, 8), 0, 4096)));
        has(
                NvmeStatus.LBA_OUT_OF_RANGE,
                q.command(q.keyed(q.entry(Opcodes.READ, 1).blocks(-4, 8), 0, 4096)));
        // SPDK issue 1823: ten blocks of which eight came
        has(NvmeStatus.SGL_BAD_LENGTH, q.inCapsule(q.entry(Opcodes.WRITE, 1).blocks(0, 10), data, 4096));
        has(NvmeStatus.SUCCESS, q.inCapsule(q.entry(Opcodes.WRITE, 1).blocks(0, 8), data, 4096));
        assertTrue(rig.notes.isEmpty(), rig.notes::toString);
    }

    /** Two pieces of the host's memory, neither of whole blocks (SPDK issue 1853): what is read back is what was written. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void movesDataInPieces(boolean soft) {
        TargetRig rig = new TargetRig(soft, SPDK, TargetRig.SMALL);
        HostQueue q = io(rig, 16);
        byte[] data = new byte[4096];
        for (int i = 0; i < data.length; i++) {
            data[i] = (byte) (i * 11 + (i >> 8));
        }
        rig.lab.a().host().memory().putBytes(rig.memory.address() + 100, data, 0, 2000);
        rig.lab.a().host().memory().putBytes(rig.memory.address() + 9000, data, 2000, 2096);
        has(NvmeStatus.SUCCESS, pieces(rig, q, Opcodes.WRITE));
        assertTrue(rig.states.get(rig.states.size() - 1).startsWith(" NEW NEED_DATA_WR NEED_BUFFER"));
        rig.lab.a().host().memory().putBytes(rig.memory.address(), new byte[16_384], 0, 16_384);
        has(NvmeStatus.SUCCESS, pieces(rig, q, Opcodes.READ));
        byte[] back = new byte[4096];
        rig.lab.a().host().memory().getBytes(rig.memory.address() + 100, back, 0, 2000);
        rig.lab.a().host().memory().getBytes(rig.memory.address() + 9000, back, 2000, 2096);
        assertArrayEquals(data, back);
        has(NvmeStatus.SUCCESS, q.command(q.keyed(q.entry(Opcodes.READ, 1).blocks(0, 8), 0, 4096)));
        rig.lab.a().host().memory().getBytes(rig.memory.address(), back, 0, 4096);
        assertArrayEquals(data, back);
    }

    private static CqEntry pieces(TargetRig rig, HostQueue q, int opcode) {
        byte[] capsule = new byte[SqEntry.BYTES + 32];
        SqEntry e = q.entry(opcode, 1).blocks(0, 8);
        SglDescriptor.put(e.bytes(), SqEntry.DATA, SglDescriptor.LAST_SEGMENT, SglDescriptor.OFFSET, 0, 32);
        e.store(capsule, 0);
        int key = rig.region.rkey();
        SglDescriptor.putKeyed(capsule, 64, SglDescriptor.ADDRESS, rig.memory.address() + 100, 2000, key);
        SglDescriptor.putKeyed(capsule, 80, SglDescriptor.ADDRESS, rig.memory.address() + 9000, 2096, key);
        q.send(capsule, capsule.length);
        return q.response();
    }

    /** The key is the host's: its own device refuses, and both sides lose the connection. No response was sent for data that never came. */
    @ParameterizedTest
    @CsvSource({"READ, true", "READ, false", "WRITE, true", "WRITE, false"})
    void memoryThatTheHostDoesNotHaveCostsTheConnection(IoType type, boolean soft) {
        TargetRig rig = new TargetRig(soft, SPDK, TargetRig.SMALL);
        HostQueue q = io(rig, 16);
        int opcode = type == IoType.READ ? Opcodes.READ : Opcodes.WRITE;
        q.send(q.keyed(q.entry(opcode, 1).blocks(0, 8), (1 << 20) - 2048, 4096));
        assertTrue(rig.until(() -> q.has(CmEventType.DISCONNECTED), 50_000), rig.notes::toString);
        q.poll();
        assertEquals(1, q.responses.size(), "Connect only");
        assertEquals(1, rig.target.controllers(rig.subsystem).size(), "the admin queue lives");
        assertTrue(rig.until(() -> rig.target.buffersUsed() == 0, 100));
        HostQueue again = new HostQueue(rig, 1).open(16);
        has(NvmeStatus.SUCCESS, again.connect(16, 1, 0));
        has(
                NvmeStatus.SUCCESS,
                again.command(again.keyed(again.entry(Opcodes.READ, 1).blocks(0, 8), 0, 4096)));
    }

    @Test
    void errorsOfTheDiskReachTheHostAndNoDataDo() {
        ErrorBdev[] bad = new ErrorBdev[1];
        TargetRig rig = new TargetRig(true, SPDK, TargetRig.SMALL, 1, FaultPlan.NONE, bdevs -> {
            bad[0] = new ErrorBdev(bdevs, "bad", new MallocBdev(bdevs, "m", 512, 4096));
            return bad[0];
        });
        HostQueue q = io(rig, 16);
        byte[] mark = new byte[4096];
        Arrays.fill(mark, (byte) 0x5A);
        rig.lab.a().host().memory().putBytes(rig.memory.address(), mark, 0, 4096);
        bad[0].inject(IoType.READ, ErrorBdev.Fault.FAILURE, 1, 1);
        has(
                NvmeStatus.INTERNAL_ERROR,
                q.command(q.keyed(q.entry(Opcodes.READ, 1).blocks(0, 8), 0, 4096)));
        byte[] after = new byte[4096];
        rig.lab.a().host().memory().getBytes(rig.memory.address(), after, 0, 4096);
        assertArrayEquals(mark, after);
        assertFalse(rig.states.get(rig.states.size() - 1).contains("TRANSFERRING"));
        bad[0].inject(IoType.WRITE, ErrorBdev.Fault.FAILURE, 1, 1);
        has(NvmeStatus.INTERNAL_ERROR, q.inCapsule(q.entry(Opcodes.WRITE, 1).blocks(0, 8), mark, 4096));
        bad[0].inject(IoType.WRITE, ErrorBdev.Fault.NOMEM, 1, 2);
        has(NvmeStatus.SUCCESS, q.inCapsule(q.entry(Opcodes.WRITE, 1).blocks(0, 8), mark, 4096));
        has(NvmeStatus.SUCCESS, q.command(q.keyed(q.entry(Opcodes.COMPARE, 1).blocks(0, 8), 0, 4096)));
        rig.lab.a().host().memory().putByte(rig.memory.address() + 5, (byte) 1);
        has(
                NvmeStatus.COMPARE_FAILURE,
                q.command(q.keyed(q.entry(Opcodes.COMPARE, 1).blocks(0, 8), 0, 4096)));
        has(NvmeStatus.SUCCESS, q.command(q.entry(Opcodes.WRITE_ZEROES, 1).blocks(0, 8)));
        has(
                NvmeStatus.COMPARE_FAILURE,
                q.command(q.keyed(q.entry(Opcodes.COMPARE, 1).blocks(0, 8), 0, 4096)));
        has(NvmeStatus.SUCCESS, q.command(q.entry(Opcodes.FLUSH, -1)));
    }

    /** The host goes in every state that a command can be in: nothing answers twice, everything comes back. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 4, 8, 12, 20, 40, 80, 150})
    void theHostGoesInTheMiddleOfAll(int us) {
        TargetRig rig = new TargetRig(
                false,
                SPDK,
                TargetRig.SMALL.withBuffers(8192, 2, 135_168, 2),
                1,
                FaultPlan.NONE,
                bdevs -> slow(new MallocBdev(bdevs, "m", 512, 4096), 30));
        HostQueue q = io(rig, 32);
        for (int i = 0; i < 24; i++) {
            int opcode = i % 2 == 0 ? Opcodes.READ : Opcodes.WRITE;
            q.send(q.keyed(q.entry(opcode, 1).blocks(0, 1 << i % 8), 0, 512 << i % 8));
        }
        rig.run(us);
        q.disconnect();
        q.rig.run(200);
        assertEquals(0, rig.target.stats().get(0).currentIoQpairs(), rig.notes::toString);
        assertEquals(0, rig.target.buffersUsed());
        HostQueue again = new HostQueue(rig, 1).open(16);
        has(NvmeStatus.SUCCESS, again.connect(16, 1, 0));
        has(
                NvmeStatus.SUCCESS,
                again.command(again.keyed(again.entry(Opcodes.READ, 1).blocks(0, 8), 0, 4096)));
    }

    /** Compare and write as one: the pair waits for each other, and the write is done only if nothing differed. */
    @Test
    void fusesCompareAndWrite() {
        TargetRig rig = rig();
        HostQueue q = io(rig, 16);
        byte[] old = new byte[512];
        byte[] next = new byte[512];
        Arrays.fill(next, (byte) 7);
        assertArrayEquals(new String[] {"0/00", "0/00"}, pair(rig, q, old, next));
        assertArrayEquals(next, block(rig, q));
        assertArrayEquals(new String[] {"2/85", "0/09"}, pair(rig, q, old, new byte[512]));
        assertArrayEquals(next, block(rig, q));
        SqEntry alone = q.keyed(q.entry(Opcodes.COMPARE, 1).blocks(0, 1).flags(SqEntry.SGL, 1), 0, 512);
        q.send(alone);
        SqEntry read = q.keyed(q.entry(Opcodes.READ, 1).blocks(0, 1), 0, 512);
        q.send(read);
        has(NvmeStatus.ABORTED_FUSED_MISSING, q.responseTo(alone));
        has(NvmeStatus.SUCCESS, q.responseTo(read));
        SqEntry second = q.keyed(q.entry(Opcodes.WRITE, 1).blocks(0, 1).flags(SqEntry.SGL, 2), 0, 512);
        q.send(second);
        has(NvmeStatus.ABORTED_FUSED_MISSING, q.responseTo(second));
        SqEntry wrong = q.keyed(q.entry(Opcodes.COMPARE, 1).blocks(0, 1).flags(SqEntry.SGL, 1), 0, 1 << 20);
        q.send(wrong);
        SqEntry follows = q.keyed(q.entry(Opcodes.WRITE, 1).blocks(0, 1).flags(SqEntry.SGL, 2), 0, 512);
        q.send(follows);
        has(NvmeStatus.SGL_BAD_LENGTH, q.responseTo(wrong));
        int status = q.responseTo(follows).status();
        assertTrue(
                status == NvmeStatus.ABORTED_FUSED_FAILED.code() || status == NvmeStatus.ABORTED_FUSED_MISSING.code());
        assertArrayEquals(next, block(rig, q));
    }

    private static String[] pair(TargetRig rig, HostQueue q, byte[] old, byte[] next) {
        rig.lab.a().host().memory().putBytes(rig.memory.address(), old, 0, 512);
        rig.lab.a().host().memory().putBytes(rig.memory.address() + 512, next, 0, 512);
        SqEntry first = q.keyed(q.entry(Opcodes.COMPARE, 1).blocks(0, 1).flags(SqEntry.SGL, 1), 0, 512);
        SqEntry second = q.keyed(q.entry(Opcodes.WRITE, 1).blocks(0, 1).flags(SqEntry.SGL, 2), 512, 512);
        q.send(first);
        q.send(second);
        return new String[] {text(q.responseTo(first)), text(q.responseTo(second))};
    }

    private static String text(CqEntry e) {
        return NvmeStatus.describe(e.status()).substring(0, 4);
    }

    private static byte[] block(TargetRig rig, HostQueue q) {
        has(NvmeStatus.SUCCESS, q.command(q.keyed(q.entry(Opcodes.READ, 1).blocks(0, 1), 0, 512)));
        byte[] b = new byte[512];
        rig.lab.a().host().memory().getBytes(rig.memory.address(), b, 0, 512);
        return b;
    }

    /** A Linux target's answers where they are others than SPDK's. */
    @Test
    void aLinuxTargetRefusesInItsOwnWords() {
        TargetRig rig = new TargetRig(
                false, TargetSpec.linux(), TargetRig.SMALL.withSrq(false, 256).withWrBatching(false));
        HostQueue admin = new HostQueue(rig, 0);
        int cntlid = admin.enable(0);
        has(NvmeStatus.KEEP_ALIVE_INVALID, admin.command(admin.entry(Opcodes.KEEP_ALIVE, 0)));
        has(NvmeStatus.INVALID_FIELD, admin.get(0x40, 4));
        has(NvmeStatus.INVALID_FIELD, admin.get(Properties.CAP, 4));
        has(NvmeStatus.INVALID_FIELD, admin.set(Properties.AQA, 4, 1));
        has(
                NvmeStatus.INVALID_FIELD,
                admin.command(admin.keyed(admin.entry(Opcodes.GET_LOG_PAGE, 0).dword(10, 127 << 16 | 0xC0), 0, 512)));
        HostQueue q = new HostQueue(rig, 1).open(16);
        has(NvmeStatus.SUCCESS, q.connect(16, cntlid, 0));
        has(NvmeStatus.INVALID_FIELD, q.inCapsule(q.entry(Opcodes.READ, 1).blocks(0, 1), new byte[512], 512));
        SqEntry e = q.keyed(q.entry(Opcodes.READ, 1).blocks(0, 1), 0, 512);
        e.bytes()[39] = 0x41;
        has(NvmeStatus.INVALID_FIELD, q.command(e));
        e.bytes()[39] = 0x31;
        has(NvmeStatus.SGL_BAD_TYPE, q.command(e));
        has(NvmeStatus.SGL_BAD_OFFSET, q.inCapsule(q.entry(Opcodes.WRITE, 1).blocks(0, 8), new byte[512], 4096));
        has(
                NvmeStatus.INVALID_OPCODE,
                q.command(q.keyed(q.entry(Opcodes.COMPARE, 1).blocks(0, 1), 0, 512)));
        has(
                NvmeStatus.INVALID_FIELD,
                q.command(q.keyed(q.entry(Opcodes.WRITE, 1).blocks(0, 1).flags(SqEntry.SGL, 1), 0, 512)));
        has(NvmeStatus.SUCCESS, q.command(q.keyed(q.entry(Opcodes.WRITE, 1).blocks(0, 8), 0, 4096)));
        has(NvmeStatus.SUCCESS, q.command(q.keyed(q.entry(Opcodes.READ, 1).blocks(0, 8), 0, 4096)));
        PollGroupStats.DeviceStats s = rig.target.stats().get(0).devices().get(0);
        assertEquals(s.recvDoorbellUpdates(), s.totalRecvWrs(), "receives of queues are posted one by one");
        assertTrue(s.sendDoorbellUpdates() < s.totalSendWrs(), "data and response share a doorbell");
    }

    /** What is under way when a namespace goes ends well; what comes later is refused. */
    @Test
    void aNamespaceGoesBehindItsLastCommand() {
        TargetRig rig = new TargetRig(
                true,
                SPDK,
                TargetRig.SMALL,
                1,
                FaultPlan.NONE,
                bdevs -> slow(new MallocBdev(bdevs, "m", 512, 4096), 3000));
        HostQueue q = io(rig, 16);
        SqEntry e = q.keyed(q.entry(Opcodes.READ, 1).blocks(0, 8), 0, 4096);
        q.send(e);
        rig.run(100);
        rig.subsystem.removeNamespace(1);
        has(
                NvmeStatus.INVALID_NAMESPACE,
                q.command(q.keyed(q.entry(Opcodes.READ, 1).blocks(0, 8), 0, 4096)));
        has(NvmeStatus.SUCCESS, q.responseTo(e));
        rig.subsystem.addNamespace(new MallocBdev(rig.bdevs, "other", 512, 64), NamespaceSpec.of(1));
        has(
                NvmeStatus.LBA_OUT_OF_RANGE,
                q.command(q.keyed(q.entry(Opcodes.READ, 1).blocks(64, 1), 0, 512)));
        has(NvmeStatus.SUCCESS, q.command(q.keyed(q.entry(Opcodes.READ, 1).blocks(63, 1), 0, 512)));
    }

    @Test
    void deallocatesRanges() {
        TargetRig rig = rig();
        HostQueue q = io(rig, 16);
        byte[] data = new byte[4096];
        Arrays.fill(data, (byte) 9);
        has(NvmeStatus.SUCCESS, q.inCapsule(q.entry(Opcodes.WRITE, 1).blocks(0, 8), data, 4096));
        byte[] ranges = new byte[32];
        LittleEndian.put32(ranges, 4, 2);
        LittleEndian.put64(ranges, 8, 1);
        LittleEndian.put32(ranges, 20, 1);
        LittleEndian.put64(ranges, 24, 5);
        has(NvmeStatus.SUCCESS, q.inCapsule(q.entry(Opcodes.DSM, 1).dword(10, 1).dword(11, 4), ranges, 32));
        has(NvmeStatus.SUCCESS, q.command(q.keyed(q.entry(Opcodes.READ, 1).blocks(0, 8), 0, 4096)));
        rig.lab.a().host().memory().getBytes(rig.memory.address(), data, 0, 4096);
        for (int block = 0; block < 8; block++) {
            boolean gone = block == 1 || block == 2 || block == 5;
            assertEquals(gone ? 0 : 9, data[block * 512 + 7], "block " + block);
        }
        LittleEndian.put64(ranges, 24, 16_384);
        has(
                NvmeStatus.LBA_OUT_OF_RANGE,
                q.inCapsule(q.entry(Opcodes.DSM, 1).dword(10, 1).dword(11, 4), ranges, 32));
        has(
                NvmeStatus.SGL_BAD_LENGTH,
                q.inCapsule(q.entry(Opcodes.DSM, 1).dword(10, 2).dword(11, 4), ranges, 32));
        has(NvmeStatus.SUCCESS, q.inCapsule(q.entry(Opcodes.DSM, 1).dword(10, 1).dword(11, 1), ranges, 32));
    }

    /** A range is up to 2^32 - 1 blocks, which is more bytes than an int holds. */
    @ParameterizedTest
    @ValueSource(ints = {1 << 22, 1 << 23, 3 << 22})
    void deallocatesLargeRanges(int blocks) {
        TargetRig rig = new TargetRig(
                true, SPDK, TargetRig.SMALL, 1, FaultPlan.NONE, b -> new MallocBdev(b, "large", 512, 1 << 24));
        HostQueue q = io(rig, 16);
        byte[] range = new byte[16];
        LittleEndian.put32(range, 4, blocks);
        q.send(capsule(q.entry(Opcodes.DSM, 1).dword(11, 4), range), 80);
        has(NvmeStatus.SUCCESS, q.response(2_000_000));
    }

    private static byte[] capsule(SqEntry e, byte[] data) {
        SglDescriptor.put(e.bytes(), SqEntry.DATA, SglDescriptor.DATA_BLOCK, SglDescriptor.OFFSET, 0, data.length);
        byte[] all = Arrays.copyOf(e.bytes(), SqEntry.BYTES + data.length);
        System.arraycopy(data, 0, all, SqEntry.BYTES, data.length);
        return all;
    }

    /** Without flow control of the submission queue no head is told. */
    @Test
    void tellsNoHeadWithoutFlowControl() {
        TargetRig rig = rig();
        HostQueue admin = new HostQueue(rig, 0).open(32);
        SqEntry e = admin.connectEntry(32, 0);
        e.bytes()[46] = 4;
        CqEntry c = admin.inCapsule(e, HostQueue.connectData(0xFFFF, TargetRig.NQN, TargetRig.HOST), 1024);
        has(NvmeStatus.SUCCESS, c);
        assertEquals(0xFFFF, c.sqHead());
        HostQueue other = new HostQueue(rig, 1).open(16);
        admin.set(Properties.CC, 4, 0x0046_0001);
        byte[] data = HostQueue.connectData((int) c.result(), TargetRig.NQN, TargetRig.HOST + "x");
        has(NvmeStatus.CONNECT_INVALID, other.inCapsule(other.connectEntry(16, 0), data, 1024));
    }
}
