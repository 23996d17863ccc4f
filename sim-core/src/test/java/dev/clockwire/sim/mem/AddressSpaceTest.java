package dev.clockwire.sim.mem;

import static dev.clockwire.sim.mem.Allocation.Kind.BULK;
import static dev.clockwire.sim.mem.Allocation.Kind.REAL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.state.Snapshot;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AddressSpaceTest {
    private final AddressSpace memory = new AddressSpace("host0.memory", PayloadMode.SIZES);

    @Test
    void allocationsAreAlignedApartAndFound() {
        Allocation ring = memory.allocate("ring", 100, REAL);
        Allocation buffer = memory.allocate("buffer", 65536, BULK, 4096);
        assertThat(ring.address() % 64).isZero();
        assertThat(buffer.address() % 4096).isZero();
        assertThat(buffer.address()).isGreaterThanOrEqualTo(ring.end() + 4096);
        assertThat(memory.find(buffer.end() - 1, 1)).isSameAs(buffer);
        assertThat(memory.find(ring.address(), 100)).isSameAs(ring);
        assertThat(memory.allocations()).containsExactly(ring, buffer);
        assertThat(ring.contains(ring.address() + 99, 2)).isFalse();
        assertThat(ring.contains(ring.address(), -1)).isFalse();
    }

    @Test
    void accessOutsideNamesTheAddressAndTheNearestAllocation() {
        assertThatThrownBy(() -> memory.getByte(5)).hasMessageEndingWith("host0.memory; there is none");
        memory.allocateAt("low", 0x1000, 0x100, REAL);
        memory.allocateAt("high", 0x9000, 0x100, REAL);
        assertThatThrownBy(() -> memory.getInt(0x10fe))
                .isInstanceOf(ConfigurationException.class)
                .hasMessage(
                        "[0x10fe, 0x1102) lies in no allocation of host0.memory; nearest is low [0x1000, 0x1100) REAL");
        assertThatThrownBy(() -> memory.getByte(0x800)).hasMessageContaining("nearest is low");
        assertThatThrownBy(() -> memory.getByte(0x8000)).hasMessageContaining("nearest is high");
        assertThatThrownBy(() -> memory.getByte(0x2000)).hasMessageContaining("nearest is low");
        assertThatThrownBy(() -> memory.getByte(-1)).hasMessageContaining("nearest is high");
        assertThatThrownBy(() -> memory.read(0x1000, -4, new Payload())).hasMessageContaining("length -4");
    }

    @Test
    void wrongAllocationsAreRefused() {
        memory.allocateAt("a", 0x1000, 0x100, REAL);
        assertThatThrownBy(() -> memory.allocateAt("b", 0x10ff, 1, REAL)).hasMessageContaining("overlaps a [0x1000");
        assertThatThrownBy(() -> memory.allocateAt("b", 0xfff, 2, REAL)).hasMessageContaining("overlaps a [0x1000");
        assertThatThrownBy(() -> memory.allocateAt("b", -16, 32, REAL))
                .hasMessageContaining("end of the address space");
        assertThatThrownBy(() -> memory.allocate("c", 0, REAL)).hasMessageContaining("length of 'c' is 0");
        assertThatThrownBy(() -> memory.allocate("c", 1, REAL, 48)).hasMessageContaining("power of two");
        assertThat(memory.allocateAt("b", 0x1100, 1, REAL).name()).isEqualTo("b");
    }

    @Test
    void automaticAddressesAvoidGivenOnes() {
        Allocation fixed = memory.allocateAt("fixed", 0x1_0800, 0x10, REAL);
        Allocation next = memory.allocate("next", 0x1000, REAL);
        assertThat(next.address()).isGreaterThanOrEqualTo(fixed.end());
    }

    @Test
    void highAddressesWork() {
        Allocation kernel = memory.allocateAt("kernel", 0xffff_8880_0000_0000L, 4096, REAL);
        memory.allocateAt("user", 0x7f00_0000_0000L, 4096, REAL);
        memory.putLongBe(kernel.address() + 8, 0x0102030405060708L);
        assertThat(memory.getByte(kernel.address() + 8)).isEqualTo((byte) 1);
        assertThat(memory.allocations().get(1)).isSameAs(kernel);
    }

    @Test
    void freedRangesAreGone() {
        Allocation a = memory.allocate("a", 64, REAL);
        memory.putInt(a.address(), 1);
        memory.free(a);
        assertThatThrownBy(() -> memory.getInt(a.address())).isInstanceOf(ConfigurationException.class);
        assertThatThrownBy(() -> memory.free(a)).hasMessageContaining("no longer");
        assertThat(memory.allocate("b", 64, REAL).address()).isGreaterThan(a.address());
    }

    @Test
    void aSnapshotBringsFreedAllocationsBackForAFreshDesignToo() {
        Allocation a = memory.allocate("a", 64, REAL);
        memory.putInt(a.address(), 77);
        Snapshot s = new Snapshot();
        memory.save(s);
        memory.free(a);
        memory.load(s);
        assertThat(memory.getInt(a.address())).isEqualTo(77);
        memory.free(a);

        AddressSpace fresh = new AddressSpace("fresh", PayloadMode.SIZES);
        s.rewind();
        fresh.load(s);
        assertThat(fresh.getInt(a.address())).isEqualTo(77);
    }

    @Test
    void byteOrders() {
        long va = memory.allocate("a", 70_000, REAL).address();
        memory.putIntBe(va, 0x11223344);
        assertThat(memory.getInt(va)).isEqualTo(0x44332211);
        memory.putShortBe(va + 4, (short) 0xabcd);
        assertThat(memory.getShort(va + 4)).isEqualTo((short) 0xcdab);
        memory.putLong(va + 8, 0x1122334455667788L);
        assertThat(memory.getLongBe(va + 8)).isEqualTo(0x8877665544332211L);
        memory.putShort(va + 16, (short) 0x1234);
        assertThat(memory.getShortBe(va + 16)).isEqualTo((short) 0x3412);
        memory.putByte(va + 18, (byte) 7);
        assertThat(memory.getIntBe(va + 16)).isEqualTo(0x34120700);
        memory.putLong(va + 65_533, 0x0102030405060708L); // across two pages
        assertThat(memory.getLong(va + 65_533)).isEqualTo(0x0102030405060708L);
        assertThat(memory.getInt(va + 65_534)).isEqualTo(0x04050607);
        byte[] eight = new byte[8];
        memory.getBytes(va + 65_533, eight, 0, 8);
        assertThat(eight).containsExactly(8, 7, 6, 5, 4, 3, 2, 1);
    }

    @Test
    void bulkMemoryWithoutBytesRefusesThem() {
        Allocation bulk = memory.allocate("file", 4096, BULK);
        Allocation real = memory.allocate("ring", 4096, REAL);
        assertThatThrownBy(() -> memory.getInt(bulk.address()))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("file")
                .hasMessageContaining("holds no bytes in payload mode SIZES");
        assertThatThrownBy(() -> memory.putByte(bulk.address(), (byte) 1)).isInstanceOf(ConfigurationException.class);
        Payload p = new Payload();
        memory.read(bulk.address(), 16, p);
        assertThat(p.writer(0)).isZero();
        assertThatThrownBy(() -> memory.write(real.address(), p, 0, 16)).hasMessageContaining("make both ends BULK");
    }

    @Test
    void realDataInBulkMemoryStaysBytes() {
        Allocation bulk = memory.allocate("file", 200_000, BULK);
        memory.fill(bulk.address(), 200_000, 5, 1);
        Payload real = new Payload();
        real.appendBytes(new byte[] {1, 2, 3, 4}, 0, 4);
        memory.write(bulk.address() + 65_534, real, 0, 4);

        Payload back = new Payload();
        memory.read(bulk.address() + 65_530, 12, back);
        assertThat(back).hasToString("Payload[12: 4 of write 5/1 from 65530, 4 bytes, 4 of write 5/1 from 65538]");
        assertThat(back.byteAt(6)).isEqualTo((byte) 3);
    }

    @Test
    void rewritingOneBufferStaysConstant() {
        Allocation bulk = memory.allocate("buffer", 65536, BULK);
        Payload frame = new Payload();
        for (int message = 1; message <= 100; message++) {
            for (int at = 0; at < 65536; at += 4096) {
                frame.clear();
                frame.appendExtent(1, message, at, 4096);
                memory.write(bulk.address() + at, frame, 0, 4096);
            }
        }
        Payload all = new Payload();
        memory.read(bulk.address(), 65536, all);
        assertThat(all).hasToString("Payload[65536: 65536 of write 1/100 from 0]");
        ExtentMap map = java.util.Objects.requireNonNull(
                java.util.Objects.requireNonNull(bulk.extents()).window(0));
        assertThat(map.count()).isEqualTo(1);
    }

    @Test
    void fillOfWriterZeroForgets() {
        for (PayloadMode mode : PayloadMode.values()) {
            AddressSpace m = new AddressSpace("m", mode);
            long va = m.allocate("buffer", 65536, BULK).address();
            m.fill(va, 65536, 1, 1);
            m.fill(va, 65536, 0, 9);
            Payload back = new Payload();
            m.read(va, 65536, back);
            Payload fresh = new Payload();
            if (mode == PayloadMode.BYTES) {
                fresh.appendZeros(65536);
            } else {
                fresh.appendExtent(0, 0, 0, 65536);
            }
            assertThat(back.sameContent(fresh)).isTrue();
            assertThatThrownBy(() -> m.fill(va, 1, -1, 0)).isInstanceOf(ConfigurationException.class);
        }
    }

    @Test
    void hugeSparseAllocationsCostNothing() {
        Allocation disk = memory.allocate("disk", 1L << 44, REAL, 4096);
        memory.putLong(disk.end() - 8, 42);
        assertThat(memory.getLong(disk.end() - 8)).isEqualTo(42);
        assertThat(memory.getLong(disk.address() + (1L << 40))).isZero();
        Allocation file = memory.allocate("file", 1L << 40, BULK);
        memory.fill(file.end() - 4096, 4096, 1, 2);
        Payload p = new Payload();
        memory.read(file.end() - 8192, 8192, p);
        assertThat(p.pieces()).isEqualTo(2);
    }

    @Test
    void watchersSeeOverlappingWritesOnly() {
        Allocation cq = memory.allocate("cq", 4096, REAL);
        long base = cq.address();
        List<String> seen = new ArrayList<>();
        memory.watch(base + 64, 64, (va, len) -> seen.add("second " + (va - base) + "+" + len));
        WriteWatch wide = memory.watch(base, 1024, (va, len) -> seen.add("wide " + (va - base) + "+" + len));

        memory.putLong(base + 60, 1);
        assertThat(seen).containsExactly("wide 60+8", "second 64+4");
        seen.clear();
        memory.putBytes(base + 128, new byte[4], 0, 4);
        assertThat(seen).containsExactly("wide 128+4");
        seen.clear();
        memory.putInt(base + 1024, 1);
        memory.putBytes(base + 64, new byte[0], 0, 0);
        assertThat(seen).isEmpty();
        wide.disarm();
        assertThat(wide.armed()).isFalse();
        memory.fill(base, 4096, 1, 1);
        assertThat(seen).containsExactly("second 64+64");
        wide.arm();
        Payload p = new Payload();
        p.appendZeros(8);
        memory.write(base + 1020, p, 0, 8);
        assertThat(seen).containsExactly("second 64+64", "wide 1020+4");
        wide.close();
        wide.close();
        memory.putInt(base, 1);
        assertThat(seen).hasSize(2);
        assertThatThrownBy(() -> memory.watch(base, 0, (va, len) -> {})).isInstanceOf(ConfigurationException.class);
    }

    @Test
    void aWatchMoves() {
        long va = memory.allocate("cq", 4096, REAL).address();
        List<String> seen = new ArrayList<>();
        WriteWatch[] w = new WriteWatch[4];
        for (int i = 0; i < w.length; i++) {
            String name = "w" + i;
            w[i] = memory.watch(va + 64L * i, 64, (at, len) -> seen.add(name + " " + (at - va) + "+" + len));
        }
        memory.move(w[0], va + 1024, 128);
        memory.move(w[3], va, 8);
        memory.move(w[2], va + 2048, 8);
        memory.move(w[2], va + 64, 32);
        memory.fill(va, 4096, 1, 1);
        assertThat(seen).containsExactly("w3 0+8", "w1 64+64", "w2 64+32", "w0 1024+128");
        seen.clear();
        memory.putInt(va + 192, 1);
        memory.putInt(va + 1150, 1);
        assertThat(seen).containsExactly("w0 1150+2");
        assertThatThrownBy(() -> memory.move(w[1], va + 4000, 97)).isInstanceOf(ConfigurationException.class);
        long other = memory.allocate("other", 64, REAL).address();
        memory.move(w[1], other, 8);
        seen.clear();
        memory.putInt(va + 64, 1);
        memory.putInt(other, 1);
        assertThat(seen).containsExactly("w2 64+4", "w1 " + (other - va) + "+4");
        w[1].close();
        assertThatThrownBy(() -> memory.move(w[1], va, 8)).isInstanceOf(ConfigurationException.class);
    }

    @Test
    void aWatcherMayMoveWatchesWhileTheyAreTold() {
        long va = memory.allocate("cq", 4096, REAL).address();
        int[] calls = new int[2];
        WriteWatch[] w = new WriteWatch[2];
        w[0] = memory.watch(va, 8, (at, len) -> {
            calls[0]++;
            memory.move(w[0], va + 512, 8);
        });
        w[1] = memory.watch(va + 4, 8, (at, len) -> calls[1]++);
        memory.fill(va, 1024, 1, 1);
        assertThat(calls).as("each once").containsExactly(1, 1);
        memory.putInt(va + 512, 2);
        assertThat(calls).containsExactly(2, 1);
    }

    @Test
    void aWatcherMayCloseItselfAndWatchAgain() {
        long va = memory.allocate("cq", 64, REAL).address();
        int[] calls = new int[2];
        WriteWatch[] first = new WriteWatch[1];
        first[0] = memory.watch(va, 8, (at, len) -> {
            calls[0]++;
            first[0].close();
            memory.watch(va, 8, (at2, len2) -> calls[1]++);
        });
        memory.putInt(va, 1);
        assertThat(calls).containsExactly(1, 0);
        memory.putInt(va, 2);
        assertThat(calls).containsExactly(1, 1);
    }
}
