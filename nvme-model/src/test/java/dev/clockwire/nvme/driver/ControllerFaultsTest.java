package dev.clockwire.nvme.driver;

import static dev.clockwire.nvme.driver.DriverRig.MS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nvme.ctrl.NamespaceSpec;
import dev.clockwire.nvme.ctrl.NvmeSpec;
import dev.clockwire.nvme.format.LittleEndian;
import dev.clockwire.nvme.format.NvmeStatus;
import dev.clockwire.nvme.format.Opcodes;
import dev.clockwire.nvme.format.SglDescriptor;
import dev.clockwire.nvme.format.SqEntry;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.sim.mem.PayloadMode;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a host does wrong, and the status, event or state that answers it. */
class ControllerFaultsTest {
    private final DriverRig rig = new DriverRig(
                    NvmeSpec.of("ram").withNamespaces(List.of(new NamespaceSpec(512, 1 << 20))),
                    SimSpec.of(1),
                    PayloadMode.BYTES)
            .ready(16, false);
    private final long buffer = rig.memory("buffer", 1 << 20);

    /** Sends a command to the I/O queue and returns its status. */
    private int io(Consumer<SqEntry> set) {
        int[] status = {-1};
        rig.done = (tag, s, result) -> status[0] = s;
        SqEntry e = new SqEntry();
        set.accept(e);
        assertThat(rig.queue().submit(e, 3)).isTrue();
        rig.sim.runUntil(() -> status[0] >= 0, rig.sim.now() + 100 * MS);
        return status[0];
    }

    private int admin(Consumer<SqEntry> set) {
        return admin(set, new long[1]);
    }

    private int admin(Consumer<SqEntry> set, long[] result) {
        int[] status = {-1};
        SqEntry e = new SqEntry();
        set.accept(e);
        assertThat(rig.driver.command(e, (tag, s, r) -> {
                    status[0] = s;
                    result[0] = r;
                }))
                .isTrue();
        rig.sim.runUntil(() -> status[0] >= 0, rig.sim.now() + 100 * MS);
        return status[0];
    }

    private static int code(NvmeStatus s) {
        return s.code();
    }

    private void read(SqEntry e, long slba, int blocks, long prp1, long prp2) {
        e.command(Opcodes.READ, 0, 1).blocks(slba, blocks).prp(prp1, prp2);
    }

    @Test
    void everyMistakeOfATransferHasItsStatus() {
        assertThat(io(e -> read(e, 0, 8, buffer, 0))).isZero();
        assertThat(io(e -> read(e, (1 << 20) - 7, 8, buffer, 0))).isEqualTo(code(NvmeStatus.LBA_OUT_OF_RANGE));
        assertThat(io(e -> read(e, -1, 1, buffer, 0))).isEqualTo(code(NvmeStatus.LBA_OUT_OF_RANGE));
        assertThat(io(e -> read(e, Long.MAX_VALUE, 2, buffer, 0))).isEqualTo(code(NvmeStatus.LBA_OUT_OF_RANGE));
        assertThat(io(e -> read(e, 0, 8, buffer + 2, 0))).isEqualTo(code(NvmeStatus.PRP_BAD_OFFSET));
        assertThat(io(e -> read(e, 0, 16, buffer, buffer + 4100))).isEqualTo(code(NvmeStatus.PRP_BAD_OFFSET));
        assertThat(io(e -> read(e, 0, 24, buffer, buffer + 4))).isEqualTo(code(NvmeStatus.PRP_BAD_OFFSET));
        assertThat(io(e -> read(e, 0, 512, buffer, buffer))).isEqualTo(code(NvmeStatus.INVALID_FIELD));
        assertThat(io(e -> {
                    read(e, 0, 8, buffer, 0);
                    e.command(Opcodes.READ, 0, 2);
                }))
                .isEqualTo(code(NvmeStatus.INVALID_NAMESPACE));
        assertThat(io(e -> {
                    read(e, 0, 8, buffer, 0);
                    e.flags(3, 0);
                }))
                .isEqualTo(code(NvmeStatus.INVALID_FIELD));
        assertThat(io(e -> {
                    read(e, 0, 8, buffer, 0);
                    e.flags(0, 2);
                }))
                .isEqualTo(code(NvmeStatus.ABORTED_FUSED_MISSING));
        assertThat(io(e -> e.command(0x7E, 0, 1))).isEqualTo(code(NvmeStatus.INVALID_OPCODE));
        assertThat(io(e -> read(e, 0, 8, 0x8000_0000_0000L, 0)))
                .as("a write to nowhere is posted: the controller does not learn of it")
                .isZero();
        assertThat(io(e -> {
                    read(e, 0, 8, 0x8000_0000_0000L, 0);
                    e.command(Opcodes.WRITE, 0, 1);
                }))
                .isEqualTo(code(NvmeStatus.DATA_TRANSFER_ERROR));
        assertThat(rig.ssd.active()).isZero();
        assertThat(io(e -> read(e, 0, 8, buffer, 0))).as("it still works").isZero();
    }

    /** A list with an entry inside a page; a list that goes on in a second page. */
    @Test
    void listsAreWalked() {
        long lists = rig.host
                .memory()
                .allocate("lists", 3 * 4096, Allocation.Kind.REAL, 4096)
                .address();
        byte[] blocks = new byte[4096 * 6];
        for (int i = 0; i < blocks.length; i++) {
            blocks[i] = (byte) ((i * 31) >> 3);
        }
        rig.host.memory().putBytes(buffer, blocks, 0, blocks.length);
        long at = lists + 4096 - 16; // two slots in the first page: one entry, then where it goes on
        rig.host.memory().putLong(at, buffer + 4096);
        rig.host.memory().putLong(at + 8, lists + 8192);
        for (int i = 0; i < 4; i++) {
            rig.host.memory().putLong(lists + 8192 + 8L * i, buffer + 4096L * (2 + i));
        }
        assertThat(io(e -> e.command(Opcodes.WRITE, 0, 1).blocks(64, 48).prp(buffer, at)))
                .isZero();
        long back = rig.memory("back", 4096 * 6);
        assertThat(io(e -> e.command(Opcodes.READ, 0, 1).blocks(64, 8).prp(back, 0)))
                .isZero();
        assertThat(io(e -> e.command(Opcodes.READ, 0, 1).blocks(64 + 40, 8).prp(back + 4096, 0)))
                .isZero();
        byte[] got = new byte[8192];
        rig.host.memory().getBytes(back, got, 0, got.length);
        assertThat(Arrays.copyOf(got, 4096)).isEqualTo(Arrays.copyOf(blocks, 4096));
        assertThat(Arrays.copyOfRange(got, 4096, 8192)).isEqualTo(Arrays.copyOfRange(blocks, 5 * 4096, 6 * 4096));
        rig.host.memory().putLong(lists + 8192 + 8, buffer + 4);
        assertThat(io(e -> e.command(Opcodes.WRITE, 0, 1).blocks(64, 48).prp(buffer, at)))
                .isEqualTo(code(NvmeStatus.PRP_BAD_OFFSET));
        rig.host.memory().putLong(at + 8, lists + 8193);
        assertThat(io(e -> e.command(Opcodes.WRITE, 0, 1).blocks(64, 48).prp(buffer, at)))
                .isEqualTo(code(NvmeStatus.PRP_BAD_OFFSET));
    }

    /** Segments of descriptors, as rules and mistakes have them. */
    @ParameterizedTest
    @CsvSource({
        "0, 4096, 0, SUCCESS",
        "0, 4095, 0, SGL_BAD_LENGTH",
        "0, 4097, 0, SGL_BAD_LENGTH",
        "0, 4096, 1, SGL_BAD_TYPE",
        "4, 4096, 0, SGL_BAD_TYPE",
        "2, 32, 0, SUCCESS",
        "3, 32, 0, SUCCESS",
        "3, 24, 0, SGL_BAD_SEGMENT",
        "3, 0, 0, SGL_BAD_SEGMENT",
        "3, 16, 0, SGL_BAD_LENGTH",
        "3, 48, 0, SGL_BAD_LENGTH"
    })
    void scatterListsAreTaken(int type, int length, int subtype, NvmeStatus expected) {
        byte[] list = new byte[48];
        SglDescriptor.put(list, 0, SglDescriptor.DATA_BLOCK, 0, buffer, 1000);
        SglDescriptor.put(list, 16, SglDescriptor.DATA_BLOCK, 0, buffer + 5000, 3096);
        SglDescriptor.put(list, 32, SglDescriptor.DATA_BLOCK, 0, buffer + 9000, 100);
        long at = rig.host
                .memory()
                .allocate("sgl", 4096, Allocation.Kind.REAL, 4096)
                .address();
        rig.host.memory().putBytes(at, list, 0, list.length);
        boolean segment = type == 2 || type == 3;
        assertThat(io(e -> {
                    e.command(Opcodes.WRITE, 0, 1).flags(SqEntry.SGL, 0).blocks(0, 8);
                    SglDescriptor.put(e.bytes(), SqEntry.DATA, type, subtype, segment ? at : buffer, length);
                }))
                .isEqualTo(expected.code());
    }

    @Test
    void queuesThatCannotBeAreRefused() {
        long at = rig.host
                .memory()
                .allocate("ring", 8192, Allocation.Kind.REAL, 4096)
                .address();
        record Try(int opcode, int cdw10, int cdw11, long prp, NvmeStatus expected) {}
        List<Try> tries = List.of(
                new Try(Opcodes.CREATE_CQ, 15 << 16, 1, at, NvmeStatus.QUEUE_ID_INVALID),
                new Try(Opcodes.CREATE_CQ, 15 << 16 | 1, 1, at, NvmeStatus.QUEUE_ID_INVALID),
                new Try(Opcodes.CREATE_CQ, 15 << 16 | 500, 1, at, NvmeStatus.QUEUE_ID_INVALID),
                new Try(Opcodes.CREATE_CQ, 2, 1, at, NvmeStatus.QUEUE_SIZE_INVALID),
                new Try(Opcodes.CREATE_CQ, 5000 << 16 | 2, 1, at, NvmeStatus.QUEUE_SIZE_INVALID),
                new Try(Opcodes.CREATE_CQ, 15 << 16 | 2, 1, at + 64, NvmeStatus.PRP_BAD_OFFSET),
                new Try(Opcodes.CREATE_CQ, 15 << 16 | 2, 999 << 16 | 3, at, NvmeStatus.VECTOR_INVALID),
                new Try(Opcodes.CREATE_CQ, 15 << 16 | 2, 0, at, NvmeStatus.INVALID_FIELD),
                new Try(Opcodes.CREATE_SQ, 15 << 16 | 2, 7 << 16 | 1, at, NvmeStatus.CQ_INVALID),
                new Try(Opcodes.CREATE_SQ, 15 << 16 | 1, 1 << 16 | 1, at, NvmeStatus.QUEUE_ID_INVALID),
                new Try(Opcodes.CREATE_SQ, 2, 1 << 16 | 1, at, NvmeStatus.QUEUE_SIZE_INVALID),
                new Try(Opcodes.DELETE_CQ, 1, 0, 0, NvmeStatus.QUEUE_DELETION_INVALID),
                new Try(Opcodes.DELETE_CQ, 9, 0, 0, NvmeStatus.QUEUE_ID_INVALID),
                new Try(Opcodes.DELETE_SQ, 0, 0, 0, NvmeStatus.QUEUE_ID_INVALID),
                new Try(Opcodes.SET_FEATURES, 7, 0xFFFF, 0, NvmeStatus.INVALID_FIELD),
                new Try(Opcodes.SET_FEATURES, 7, 3, 0, NvmeStatus.SEQUENCE_ERROR),
                new Try(Opcodes.SET_FEATURES, 0xC0, 3, 0, NvmeStatus.INVALID_FIELD),
                new Try(Opcodes.SET_FEATURES, 1 << 31 | 1, 3, 0, NvmeStatus.FEATURE_NOT_SAVEABLE),
                new Try(Opcodes.GET_LOG_PAGE, 0x55, 0, at, NvmeStatus.LOG_PAGE_INVALID),
                new Try(Opcodes.IDENTIFY, 0x44, 0, at, NvmeStatus.INVALID_FIELD),
                new Try(Opcodes.IDENTIFY, 0, 0, at, NvmeStatus.INVALID_NAMESPACE),
                new Try(0x55, 0, 0, 0, NvmeStatus.INVALID_OPCODE));
        for (Try t : tries) {
            assertThat(admin(e -> e.command(t.opcode, 0, 0)
                            .dword(10, t.cdw10)
                            .dword(11, t.cdw11)
                            .prp(t.prp, 0)))
                    .as("%s", t)
                    .isEqualTo(t.expected.code());
        }
        assertThat(admin(e -> e.command(Opcodes.CREATE_CQ, 0, 0)
                        .dword(10, 15 << 16 | 2)
                        .dword(11, 1)
                        .prp(at, 0)))
                .isZero();
        assertThat(admin(e -> e.command(Opcodes.CREATE_SQ, 0, 0)
                        .dword(10, 15 << 16 | 2)
                        .dword(11, 2 << 16 | 1)
                        .prp(at + 4096, 0)))
                .isZero();
        assertThat(admin(e -> e.command(Opcodes.DELETE_SQ, 0, 0).dword(10, 2))).isZero();
        assertThat(admin(e -> e.command(Opcodes.DELETE_CQ, 0, 0).dword(10, 2)))
                .as("its number is free again")
                .isZero();
    }

    /** Doorbells to no queue and beyond a ring are ignored, counted, and told to whoever waits for events; once until the log is read. */
    @Test
    void falseDoorbellsAreToldOnce() {
        long[] event = {-1};
        int[] events = {0};
        for (int i = 0; i < 2; i++) {
            rig.driver.command(new SqEntry().command(Opcodes.ASYNC_EVENT, 0, 0), (tag, status, result) -> {
                event[0] = result;
                events[0]++;
            });
        }
        long bar = rig.ssd.endpoint().barAddress(0);
        rig.core.mmioWrite(bar + 0x1000 + 8 * 1, 16, 4); // the ring has 16
        rig.sim.run(rig.sim.now() + MS);
        assertThat(event[0]).isEqualTo(0x01_0100);
        rig.core.mmioWrite(bar + 0x1000 + 8 * 77, 1, 4);
        rig.core.mmioWrite(bar + 0x1000 + 2, 1, 4);
        rig.core.mmioWrite(bar + 0x1000 + 8 + 4, 5, 4); // head past what was put
        rig.sim.run(rig.sim.now() + MS);
        assertThat(events[0]).as("masked until the log is read").isEqualTo(1);
        assertThat(rig.ssd.registers().doorbellErrors()).isEqualTo(4);
        assertThat(admin(e -> e.command(Opcodes.GET_LOG_PAGE, 0, 0)
                        .dword(10, 15 << 16 | 1)
                        .prp(buffer, 0)))
                .isZero();
        rig.core.mmioWrite(bar + 0x1000 + 8 * 77, 1, 4);
        rig.sim.run(rig.sim.now() + MS);
        assertThat(event[0]).isEqualTo(0x01_0000);
        assertThat(io(e -> read(e, 0, 8, buffer, 0))).isZero();
    }

    /** Without a head doorbell a ring of 16 takes 15 completions; the rest waits and comes later. */
    @Test
    void aFullCompletionQueueHoldsTheRestBack() {
        long ring = rig.host
                .memory()
                .allocate("rings", 8192, Allocation.Kind.REAL, 4096)
                .address();
        admin(e -> e.command(Opcodes.CREATE_CQ, 0, 0)
                .dword(10, 15 << 16 | 2)
                .dword(11, 1)
                .prp(ring, 0));
        admin(e -> e.command(Opcodes.CREATE_SQ, 0, 0)
                .dword(10, 31 << 16 | 2)
                .dword(11, 2 << 16 | 1)
                .prp(ring + 4096, 0));
        SqEntry e = new SqEntry();
        byte[] b = new byte[64];
        for (int i = 0; i < 20; i++) {
            e.clear().command(Opcodes.FLUSH, 100 + i, 1).store(b, 0);
            rig.host.memory().putBytes(ring + 4096 + 64L * i, b, 0, 64);
        }
        long bar = rig.ssd.endpoint().barAddress(0);
        long before = rig.sim.stats().value("ssd.completions");
        rig.core.mmioWrite(bar + 0x1000 + 16, 20, 4);
        rig.sim.run(rig.sim.now() + MS);
        assertThat(rig.sim.stats().value("ssd.completions") - before).isEqualTo(15);
        rig.core.mmioWrite(bar + 0x1000 + 20, 3, 4);
        rig.sim.run(rig.sim.now() + MS);
        assertThat(rig.sim.stats().value("ssd.completions") - before).isEqualTo(18);
        rig.core.mmioWrite(bar + 0x1000 + 20, 2, 4); // 18 were put: 2 is the one after the wrap
        rig.sim.run(rig.sim.now() + MS);
        assertThat(rig.sim.stats().value("ssd.completions") - before).isEqualTo(20);
        byte[] cqe = new byte[16];
        rig.host.memory().getBytes(ring, cqe, 0, 16);
        assertThat(LittleEndian.get16(cqe, 14) & 1)
                .as("phase of the second lap")
                .isZero();
        assertThat(LittleEndian.get16(cqe, 12)).isEqualTo(116);
    }

    @Test
    void compareZeroesAndDeallocation() {
        byte[] x = new byte[4096];
        Arrays.fill(x, (byte) 0x5A);
        rig.host.memory().putBytes(buffer, x, 0, 4096);
        assertThat(io(e -> e.command(Opcodes.WRITE, 0, 1).blocks(100, 8).prp(buffer, 0)))
                .isZero();
        assertThat(io(e -> e.command(Opcodes.COMPARE, 0, 1).blocks(100, 8).prp(buffer, 0)))
                .isZero();
        rig.host.memory().putByte(buffer + 4095, (byte) 0);
        assertThat(io(e -> e.command(Opcodes.COMPARE, 0, 1).blocks(100, 8).prp(buffer, 0)))
                .isEqualTo(code(NvmeStatus.COMPARE_FAILURE));
        assertThat(io(e -> e.command(Opcodes.WRITE_ZEROES, 0, 1).blocks(100, 4)))
                .isZero();
        long ranges = rig.host
                .memory()
                .allocate("ranges", 4096, Allocation.Kind.REAL, 4096)
                .address();
        rig.host.memory().putInt(ranges + 4, 2);
        rig.host.memory().putLong(ranges + 8, 104);
        assertThat(io(e -> e.command(Opcodes.DSM, 0, 1).dword(11, 4).prp(ranges, 0)))
                .isZero();
        assertThat(io(e -> read(e, 100, 8, buffer, 0))).isZero();
        byte[] got = new byte[4096];
        rig.host.memory().getBytes(buffer, got, 0, 4096);
        for (int i = 0; i < 4096; i++) {
            assertThat(got[i]).isEqualTo((byte) (i < 6 * 512 ? 0 : 0x5A));
        }
        rig.host.memory().putLong(ranges + 8, (1 << 20) - 1);
        assertThat(io(e -> e.command(Opcodes.DSM, 0, 1).dword(11, 4).prp(ranges, 0)))
                .isEqualTo(code(NvmeStatus.LBA_OUT_OF_RANGE));
        assertThat(io(e -> e.command(Opcodes.FLUSH, 0, SqEntry.ALL_NAMESPACES))).isZero();
    }

    /** A controller that is disabled in the middle forgets its queues, and works again. */
    @Test
    void aResetInTheMiddleLeavesNothingBehind() {
        DriverRig slow = new DriverRig("pm9a3").ready(16, false);
        long at = slow.memory("b", 1 << 16);
        for (int i = 0; i < 10; i++) {
            slow.queue().transfer(Opcodes.READ, 1, 8L * i, 8, at, 4096, i);
        }
        slow.sim.run(slow.sim.now() + 30_000_000);
        assertThat(slow.ssd.active()).isEqualTo(10);
        long bar = slow.ssd.endpoint().barAddress(0);
        slow.core.mmioWrite(bar + 0x14, 0, 4);
        slow.sim.run(slow.sim.now() + 10_000_000);
        assertThat(slow.ssd.registers().isReady())
                .as("reads of the medium are under way")
                .isTrue();
        slow.sim.run(slow.sim.now() + MS);
        assertThat(slow.ssd.registers().isReady()).isFalse();
        assertThat(slow.ssd.active()).isZero();
        assertThat(slow.queue().completed()).isZero();
        slow.made = -1;
        slow.queue = null;
        slow.driver = new NvmeDriver(slow.core, bar, 8);
        slow.ready(16, false);
        int[] good = {0};
        slow.done = (tag, status, result) -> good[0] += status == 0 ? 1 : 0;
        Objects.requireNonNull(slow.queue).transfer(Opcodes.READ, 1, 0, 8, at, 4096, 0);
        slow.sim.run(slow.sim.now() + MS);
        assertThat(good[0]).isEqualTo(1);
    }

    @Test
    void abortEndsWhatWaits() {
        long[] result = {-1};
        int[] status = {-1};
        rig.driver.command(new SqEntry().command(Opcodes.ASYNC_EVENT, 0, 0), (tag, s, r) -> status[0] = s);
        rig.sim.run(rig.sim.now() + MS);
        // the event request has the first free tag: 0
        int event = Objects.requireNonNull(rig.driver.admin()).cid(0);
        assertThat(admin(e -> e.command(Opcodes.ABORT, 0, 0).dword(10, event << 16), result))
                .isZero();
        assertThat(result[0]).isZero();
        rig.sim.run(rig.sim.now() + MS);
        assertThat(status[0]).isEqualTo(NvmeStatus.ABORTED.code());
        assertThat(admin(e -> e.command(Opcodes.ABORT, 0, 0).dword(10, 77 << 16 | 1), result))
                .isZero();
        assertThat(result[0]).as("not aborted").isEqualTo(1);
        for (int i = 0; i < 4; i++) {
            rig.driver.command(new SqEntry().command(Opcodes.ASYNC_EVENT, 0, 0), (tag, s, r) -> {});
        }
        assertThat(admin(e -> e.command(Opcodes.ASYNC_EVENT, 0, 0))).isEqualTo(NvmeStatus.EVENT_LIMIT.code());
    }

    @ParameterizedTest
    @CsvSource({
        "0x00460001, true",
        "0x00460061, true",
        "0x00460031, false",
        "0x00460201, true",
        "0x00460281, false",
        "0x00460801, true",
        "0x00463801, false",
        "0x00462B81, false"
    })
    void configurationsThatCannotWorkAreFatal(String cc, boolean works) {
        DriverRig fresh = new DriverRig("ram");
        long bar = fresh.ssd.endpoint().barAddress(0);
        long at = fresh.host
                .memory()
                .allocate("rings", 1 << 17, Allocation.Kind.REAL, 1 << 16)
                .address();
        fresh.core.mmioWrite(bar + 0x24, 15L << 16 | 15, 4);
        fresh.core.mmioWrite(bar + 0x28, at, 8);
        fresh.core.mmioWrite(bar + 0x30, at + (1 << 16), 8);
        fresh.core.mmioWrite(bar + 0x14, Long.decode(cc), 4);
        fresh.sim.run(fresh.sim.now() + 10 * MS);
        assertThat(fresh.ssd.registers().isReady()).isEqualTo(works);
        assertThat(fresh.ssd.registers().isFatal()).isEqualTo(!works);
    }
}
