package dev.clockwire.nvme.ctrl;

import static dev.clockwire.nvme.ctrl.RawRig.US;
import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nvme.format.NvmeStatus;
import dev.clockwire.nvme.format.Opcodes;
import dev.clockwire.nvme.format.SglDescriptor;
import dev.clockwire.nvme.format.SqEntry;
import dev.clockwire.sim.SimSpec;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Statuses that no driver provokes which does everything right. */
class StatusCodesTest {
    private static final int DNR = NvmeStatus.DO_NOT_RETRY;

    private final RawRig rig = new RawRig("p4800x").enable(false).queues(1, 0, 0, false);
    private final long data = rig.buffer("data", 8192);

    private static String text(int status) {
        return NvmeStatus.describe(status) + ((status & DNR) != 0 ? ", for good" : "");
    }

    private List<String> ends(RawRig on, int queue) {
        return on.completions(queue).stream()
                .map(c -> c.cid() + " " + text(c.status()))
                .toList();
    }

    private static String end(int cid, NvmeStatus status, boolean forGood) {
        return cid + " " + text(status.code() | (forGood ? DNR : 0));
    }

    /** The command that was first ends as it should, the one with its identifier at once; behind them the identifier is free. */
    @Test
    void anIdentifierInUseIsAConflict() {
        rig.put(1, RawRig.transfer(Opcodes.READ, 7, 0, 8, data));
        rig.put(1, RawRig.transfer(Opcodes.READ, 8, 0, 8, data));
        rig.put(1, RawRig.transfer(Opcodes.READ, 7, 0, 8, data));
        rig.put(1, RawRig.transfer(Opcodes.READ, 7, 0, 8, data));
        rig.ring(1);
        rig.run(100 * US);
        assertThat(ends(rig, 1))
                .containsExactly(
                        end(7, NvmeStatus.ID_CONFLICT, false),
                        end(7, NvmeStatus.ID_CONFLICT, false),
                        end(7, NvmeStatus.SUCCESS, false),
                        end(8, NvmeStatus.SUCCESS, false));
        rig.put(1, RawRig.transfer(Opcodes.READ, 7, 0, 8, data));
        rig.ring(1);
        rig.run(100 * US);
        assertThat(ends(rig, 1)).containsExactly(end(7, NvmeStatus.SUCCESS, false));
        assertThat(rig.ssd.active()).isZero();
    }

    /** Identifiers are those of a queue: another one may use the same, and the admin queue checks its own. */
    @Test
    void identifiersBelongToTheirQueue() {
        rig.queues(2, 0, 0, false);
        rig.put(1, RawRig.transfer(Opcodes.READ, 7, 0, 8, data));
        rig.put(2, RawRig.transfer(Opcodes.READ, 7, 0, 8, data));
        rig.put(0, new SqEntry().command(Opcodes.ASYNC_EVENT, 7, 0));
        rig.put(0, new SqEntry().command(Opcodes.KEEP_ALIVE, 7, 0));
        rig.ring(1);
        rig.ring(2);
        rig.ring(0);
        rig.run(100 * US);
        assertThat(ends(rig, 1)).containsExactly(end(7, NvmeStatus.SUCCESS, false));
        assertThat(ends(rig, 2)).containsExactly(end(7, NvmeStatus.SUCCESS, false));
        assertThat(ends(rig, 0)).containsExactly(end(7, NvmeStatus.ID_CONFLICT, false));
    }

    /** The second of a pair that has the identifier of the first: nobody is the first's partner then. */
    @Test
    void aConflictParts() {
        rig.put(1, RawRig.transfer(Opcodes.COMPARE, 4, 0, 8, data).flags(0, 1));
        rig.put(1, RawRig.transfer(Opcodes.WRITE, 4, 0, 8, data).flags(0, 2));
        rig.ring(1);
        rig.run(100 * US);
        assertThat(ends(rig, 1))
                .containsExactly(
                        end(4, NvmeStatus.ABORTED_FUSED_MISSING, false), end(4, NvmeStatus.ID_CONFLICT, false));
        assertThat(rig.ssd.active()).isZero();
    }

    /** A reset forgets identifiers, as it does commands. */
    @Test
    void aResetFreesIdentifiers() {
        rig.put(1, RawRig.transfer(Opcodes.READ, 7, 0, 8, data));
        rig.ring(1);
        rig.run(3 * US);
        assertThat(rig.ssd.active()).isEqualTo(1);
        rig.put(0, new SqEntry().command(Opcodes.DELETE_SQ, 20, 0).dword(10, 1));
        rig.ring(0);
        rig.run(100 * US);
        assertThat(ends(rig, 1)).containsExactly(end(7, NvmeStatus.ABORTED_SQ_DELETED, false));
        rig.put(0, new SqEntry().command(Opcodes.ASYNC_EVENT, 9, 0));
        rig.ring(0);
        rig.run(100 * US);
        assertThat(ends(rig, 0)).containsExactly(end(20, NvmeStatus.SUCCESS, false));
        rig.write(0x14, 0x0046_0000, 4);
        rig.run(1000 * US);
        RawRig fresh = rig.reopen();
        fresh.put(0, new SqEntry().command(Opcodes.KEEP_ALIVE, 9, 0));
        fresh.ring(0);
        fresh.run(100 * US);
        assertThat(ends(fresh, 0)).containsExactly(end(9, NvmeStatus.SUCCESS, false));
    }

    /** Reads and writes alike, as often as said, and only where said. */
    @Test
    void aControllerThatFailsSaysSo() {
        rig.ssd.malfunction(1, 100, 8, 2);
        rig.memory.putByte(data, (byte) 0x77);
        rig.put(1, RawRig.transfer(Opcodes.WRITE, 1, 96, 8, data));
        rig.put(1, RawRig.transfer(Opcodes.READ, 2, 107, 8, data));
        rig.put(1, RawRig.transfer(Opcodes.READ, 3, 108, 8, data));
        rig.ring(1);
        rig.run(200 * US);
        assertThat(ends(rig, 1))
                .containsExactlyInAnyOrder(
                        end(1, NvmeStatus.INTERNAL_ERROR, false),
                        end(2, NvmeStatus.INTERNAL_ERROR, false),
                        end(3, NvmeStatus.SUCCESS, false));
        rig.put(1, RawRig.transfer(Opcodes.READ, 4, 96, 8, data));
        rig.ring(1);
        rig.run(200 * US);
        assertThat(ends(rig, 1)).containsExactly(end(4, NvmeStatus.SUCCESS, false));
        assertThat(rig.memory.getByte(data)).as("nothing was written").isZero();
    }

    /** CC.CRIME: ready in 1 ms, the medium 5 ms later; without it ready when both are. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aMediumThatIsNotReady(boolean independent) {
        RawRig slow = new RawRig(
                NvmeSpec.of("p4800x")
                        .withNamespaces(List.of(new NamespaceSpec(512, 1 << 20)))
                        .withMediaReady(5000 * US),
                SimSpec.of(1));
        assertThat(slow.ssd.registers().read(0, 8) >>> 59 & 3).as("CAP.CRMS").isEqualTo(3);
        assertThat(slow.ssd.registers().read(8, 4)).as("VS").isEqualTo(0x2_0000);
        assertThat(slow.ssd.registers().read(0x68, 4)).as("CRTO").isEqualTo(15 << 16 | 15);
        slow.enable(false, independent ? 1 << 24 : 0);
        assertThat(slow.ssd.registers().isReady()).isEqualTo(independent);
        if (!independent) {
            slow.run(5000 * US);
            assertThat(slow.ssd.registers().isReady()).isTrue();
        }
        slow.queues(1, 0, 0, false);
        long at = slow.buffer("data", 4096);
        slow.put(1, RawRig.transfer(Opcodes.READ, 1, 0, 8, at));
        slow.put(1, new SqEntry().command(Opcodes.FLUSH, 2, SqEntry.ALL_NAMESPACES));
        slow.put(1, new SqEntry().command(0x7E, 3, 1));
        slow.ring(1);
        slow.run(100 * US);
        NvmeStatus early = independent ? NvmeStatus.NAMESPACE_NOT_READY : NvmeStatus.SUCCESS;
        assertThat(ends(slow, 1))
                .containsExactlyInAnyOrder(
                        end(1, early, false), end(2, early, false), end(3, NvmeStatus.INVALID_OPCODE, true));
        slow.run(5000 * US);
        slow.put(1, RawRig.transfer(Opcodes.READ, 4, 0, 8, at));
        slow.ring(1);
        slow.run(100 * US);
        assertThat(ends(slow, 1)).containsExactly(end(4, NvmeStatus.SUCCESS, false));
    }

    /** Identify: no metadata, no protection. */
    @Test
    void protectionIsRefused() {
        rig.admin(new SqEntry().command(Opcodes.IDENTIFY, 9, 1).prp(data, 0));
        assertThat(rig.bytes(data + 27, 3)).as("MC, DPC, DPS").containsOnly(0);
        int[] opcodes = {Opcodes.READ, Opcodes.WRITE, Opcodes.COMPARE, Opcodes.WRITE_ZEROES, Opcodes.VERIFY};
        for (int i = 0; i < opcodes.length; i++) {
            for (int bit = 26; bit < 30; bit++) {
                rig.put(1, RawRig.transfer(opcodes[i], 4 * i + bit, 0, 8, data).dword(12, 7 | 1 << bit));
            }
        }
        rig.ring(1);
        rig.run(200 * US);
        assertThat(rig.completions(1))
                .hasSize(20)
                .allMatch(c -> c.status() == (NvmeStatus.INVALID_PROTECTION.code() | DNR));
    }

    /** A descriptor of a segment that is not the last one. */
    @Test
    void aSegmentInTheMiddleOfOne() {
        long list = rig.buffer("list", 4096);
        byte[] d = new byte[48];
        SglDescriptor.put(d, 0, SglDescriptor.DATA_BLOCK, 0, data, 2048);
        SglDescriptor.put(d, 16, SglDescriptor.SEGMENT, 0, list, 16);
        SglDescriptor.put(d, 32, SglDescriptor.DATA_BLOCK, 0, data, 2048);
        rig.memory.putBytes(list, d, 0, d.length);
        SqEntry e =
                new SqEntry().command(Opcodes.WRITE, 1, 1).flags(SqEntry.SGL, 0).blocks(0, 8);
        SglDescriptor.put(e.bytes(), SqEntry.DATA, SglDescriptor.SEGMENT, 0, list, 48);
        rig.put(1, e);
        rig.ring(1);
        rig.run(100 * US);
        assertThat(ends(rig, 1)).containsExactly(end(1, NvmeStatus.SGL_BAD_COUNT, false));
    }

    /** Four Aborts may be under way, as Identify says; those that wait for room in the completion queue are. */
    @Test
    void theFifthAbortIsOneTooMany() {
        for (int i = 0; i < RawRig.ENTRIES - 1 + 5; i++) {
            int opcode = i < RawRig.ENTRIES - 1 ? Opcodes.KEEP_ALIVE : Opcodes.ABORT;
            rig.put(0, new SqEntry().command(opcode, i, 0).dword(10, 99 << 16 | 1));
            if (i % 16 == 15) {
                rig.ring(0);
                rig.run(10 * US);
            }
        }
        rig.ring(0);
        rig.run(100 * US);
        List<RawRig.Completion> first = rig.completions(0);
        assertThat(first).hasSize(RawRig.ENTRIES - 1).allMatch(c -> c.status() == 0);
        rig.run(100 * US);
        assertThat(rig.completions(0))
                .extracting(c -> text(c.status()))
                .containsExactly(text(0), text(0), text(0), text(0), text(NvmeStatus.ABORT_LIMIT.code()));
    }

    /** All features are the controller's; no namespace can tell blocks that were never written. */
    @Test
    void featuresBelongToTheController() {
        record Try(int nsid, int feature, int value, int expected) {}
        int noSuch = NvmeStatus.INVALID_NAMESPACE.code() | DNR;
        for (Try t : List.of(
                new Try(1, 4, 300, NvmeStatus.FEATURE_NOT_OF_NAMESPACE.code() | DNR),
                new Try(2, 4, 300, noSuch),
                new Try(-2, 4, 300, noSuch),
                new Try(SqEntry.ALL_NAMESPACES, 4, 300, 0),
                new Try(0, 5, 100, 0),
                new Try(0, 5, 1 << 16, NvmeStatus.INVALID_FIELD.code() | DNR))) {
            SqEntry e = new SqEntry()
                    .command(Opcodes.SET_FEATURES, 3, t.nsid)
                    .dword(10, t.feature)
                    .dword(11, t.value);
            assertThat(rig.admin(e).status()).as("%s", t).isEqualTo(t.expected);
        }
    }

    /** CMBSZ.CQS is 0: there are no completion queues in controller memory. */
    @Test
    void aCompletionQueueInControllerMemory() {
        RawRig own = new RawRig(
                NvmeSpec.of("ram")
                        .withNamespaces(List.of(new NamespaceSpec(512, 1 << 16)))
                        .withControllerMemory(1 << 17),
                SimSpec.of(1));
        long window = own.ssd.endpoint().barAddress(2);
        own.write(0x50, window | 3, 8);
        own.enable(false);
        SqEntry cq = new SqEntry()
                .command(Opcodes.CREATE_CQ, 1, 0)
                .dword(10, 15 << 16 | 1)
                .dword(11, 1);
        assertThat(own.admin(cq.prp(window + 4096, 0)).status())
                .isEqualTo(NvmeStatus.MEMORY_BUFFER_INVALID.code() | DNR);
        assertThat(own.admin(cq.prp(own.buffer("cq", 4096), 0)).status()).isZero();
    }
}
