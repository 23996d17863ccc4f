package dev.clockwire.storage.offload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.offload.NvmeOffload;
import dev.clockwire.nvme.format.LittleEndian;
import dev.clockwire.nvme.format.Opcodes;
import dev.clockwire.sim.KernelMode;
import dev.clockwire.sim.mem.Payload;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class OffloadTest {
    /** Fills in a read of some blocks with the host's key. */
    static void read(byte[] capsule, long lba, int blocks, long va, int rkey) {
        capsule[0] = (byte) Opcodes.READ;
        capsule[1] = 0x40; // an SGL
        LittleEndian.put32(capsule, 4, 1);
        LittleEndian.put64(capsule, 24, va);
        LittleEndian.put32(capsule, 32, blocks * OffloadRig.BLOCK); // 24 bits: the key follows
        LittleEndian.put32(capsule, 35, rkey);
        capsule[39] = 0x40; // keyed
        LittleEndian.put64(capsule, 40, lba);
        LittleEndian.put16(capsule, 48, blocks - 1);
    }

    static void check(OffloadRig r, Initiator i, int slot, long lba, int blocks) {
        byte[] got = r.bytes(i.data(slot), blocks * OffloadRig.BLOCK);
        for (int at = 0; at < got.length; at++) {
            byte expected = OffloadRig.content(lba + at / OffloadRig.BLOCK, at % OffloadRig.BLOCK);
            assertThat(got[at]).as("byte " + at).isEqualTo(expected);
        }
    }

    static NvmeOffload block(OffloadRig r) {
        return Objects.requireNonNull(r.offload).block();
    }

    @Test
    void theNicServesReadsWithoutTheCore() {
        OffloadRig r = new OffloadRig(true).byNic();
        long busy = r.lab.b().core().busyPs();
        long peer = Objects.requireNonNull(r.lab.b().pcieSwitch()).peerToPeer();
        Initiator i = r.run(1, 1, (c, n, va, key) -> read(c, 17, 8, va, key));
        assertThat(i.failures).isEmpty();
        assertThat(i.responses.get(0).status()).isZero();
        check(r, i, 0, 17, 8);
        assertThat(r.lab.b().core().busyPs()).isEqualTo(busy);
        assertThat(List.of(block(r).taken(), block(r).refused(), block(r).failures()))
                .containsExactly(1L, 0L, 0L);
        // both doorbells of the SSD and its completion pass from device to device
        assertThat(r.lab.b().pcieSwitch().peerToPeer() - peer).isEqualTo(3);
    }

    /** All rings go round several times, with transfers of one to sixteen pages. */
    @Test
    void manyReadsOfAllSizesBringTheRightBytes() {
        OffloadRig r = new OffloadRig(true).byNic();
        long[] lba = new long[OffloadRig.DEPTH];
        int[] blocks = new int[OffloadRig.DEPTH];
        int[] checked = new int[1];
        Initiator[] self = new Initiator[1];
        Initiator i =
                new Initiator(r.lab.a(), r.near, r.nearCq, r.nearMemory, OffloadRig.DEPTH - 1, 150, (c, n, va, key) -> {
                    int slot = (int) ((va - r.nearMemory.address()) / Initiator.DATA);
                    if (blocks[slot] > 0) {
                        check(r, Objects.requireNonNull(self[0]), slot, lba[slot], blocks[slot]);
                        checked[0]++;
                    }
                    lba[slot] = n * 37L % 3900;
                    blocks[slot] = 1 + n * 29 % 128;
                    read(c, lba[slot], blocks[slot], va, key);
                });
        self[0] = i;
        r.lab.a().core().run(i);
        assertThat(r.lab.sim().runUntil(i::isDone, r.lab.sim().now() + 1000 * OffloadRig.MS))
                .isTrue();
        assertThat(i.failures).isEmpty();
        assertThat(i.responses).hasSize(150).allMatch(a -> a.status() == 0);
        assertThat(checked[0]).isEqualTo(150 - OffloadRig.DEPTH + 1);
        assertThat(i.responses).allMatch(a -> a.sqhd() < OffloadRig.DEPTH);
        assertThat(block(r).taken()).isEqualTo(150);
        assertThat(block(r).failures()).isZero();
    }

    /** Writes of one to sixteen pages, each read back into memory that held something else. */
    @Test
    void whatIsWrittenIsReadBack() {
        OffloadRig r = new OffloadRig(true).byNic();
        int[] right = new int[1];
        Initiator i = r.run(1, 41, (c, n, va, key) -> {
            int blocks = 1 + n / 2 * 31 % 128;
            byte[] data = new byte[blocks * OffloadRig.BLOCK];
            if (n % 2 == 0) {
                Arrays.fill(data, (byte) (n + 1));
            } else {
                right[0] += r.bytes(va, 1)[0] == n ? 1 : 0; // still what was written
            }
            r.lab.a().host().memory().putBytes(va, data, 0, data.length);
            read(c, n / 2 * 100L, blocks, va, key);
            c[0] = (byte) (n % 2 == 0 ? Opcodes.WRITE : Opcodes.READ);
            if (n % 2 == 0 && n > 0) {
                Payload p = new Payload();
                int before = 1 + (n / 2 - 1) * 31 % 128;
                r.stores.get(0).read((n / 2 - 1) * 100L, before, p);
                byte[] stored = new byte[before * OffloadRig.BLOCK];
                p.copyTo(0, stored, 0, stored.length);
                assertThat(stored).containsOnly(n - 1);
            }
        });
        assertThat(i.failures).isEmpty();
        assertThat(i.responses).hasSize(41).allMatch(a -> a.status() == 0);
        assertThat(right[0]).isEqualTo(20);
        assertThat(block(r).failures()).isZero();
    }

    /** 30 commands at a time, of all kinds, each write to a place of its own: nothing is mixed up. */
    @Test
    void readsWritesAndFlushesMix() {
        OffloadRig r = new OffloadRig(true).byNic();
        Initiator i = r.run(30, 150, (c, n, va, key) -> {
            byte[] data = new byte[8 * OffloadRig.BLOCK];
            Arrays.fill(data, (byte) n);
            boolean writes = n % 3 == 0;
            if (writes) {
                r.lab.a().host().memory().putBytes(va, data, 0, data.length);
            }
            read(c, 8L * n, 8, va, key);
            c[0] = (byte) (writes ? Opcodes.WRITE : n % 3 == 1 ? Opcodes.READ : Opcodes.FLUSH);
        });
        assertThat(i.failures).isEmpty();
        assertThat(i.responses).hasSize(150).allMatch(a -> a.status() == 0);
        for (int n = 0; n < 150; n++) {
            Payload p = new Payload();
            r.stores.get(0).read(8L * n, 8, p);
            byte expected = n % 3 == 0 ? (byte) n : OffloadRig.content(8L * n, 5);
            assertThat(p.byteAt(5)).as("command " + n).isEqualTo(expected);
        }
    }

    @Test
    void bothKernelModesTakeTheSameTime() {
        List<List<Initiator.Response>> all = new ArrayList<>();
        for (KernelMode mode : List.of(KernelMode.ACTIVITY, KernelMode.EXHAUSTIVE)) {
            OffloadRig r = new OffloadRig(true, mode).byNic();
            all.add(r.run(4, 12, (c, n, va, key) -> read(c, 16 + n, 8, va, key)).responses);
        }
        assertThat(all.get(0)).hasSize(12).isEqualTo(all.get(1));
    }

    /** Without the block, and with one that no queue pair is marked for, a core serves: the bytes are the same. */
    @Test
    void theCoreServesTheSame() {
        for (boolean offloads : List.of(false, true)) {
            OffloadRig r = new OffloadRig(offloads).byCore();
            Initiator i = r.run(4, 60, (c, n, va, key) -> read(c, 16 + n, 8, va, key));
            assertThat(i.failures).isEmpty();
            assertThat(i.responses).allMatch(a -> a.status() == 0);
        }
    }

    /** One read of 4 KiB at a time: what the way through the NIC saves, and what it leaves to the core. */
    @Test
    void theNicIsFasterAndLeavesTheCoreAlone() {
        OffloadRig nic = new OffloadRig(true).byNic();
        OffloadRig core = new OffloadRig(false).byCore();
        long nicBusy = nic.lab.b().core().busyPs();
        long coreBusy = core.lab.b().core().busyPs();
        Initiator byNic = nic.run(1, 50, (c, n, va, key) -> read(c, 8L * n, 8, va, key));
        Initiator byCore = core.run(1, 50, (c, n, va, key) -> read(c, 8L * n, 8, va, key));
        double a = mean(byNic);
        double b = mean(byCore);
        assertThat(a).isLessThan(0.8 * b);
        assertThat(nic.lab.b().core().busyPs()).isEqualTo(nicBusy);
        assertThat(core.lab.b().core().busyPs() - coreBusy).isGreaterThan(50 * 200_000L);
    }

    private static double mean(Initiator i) {
        assertThat(i.failures).isEmpty();
        return i.responses.stream()
                .mapToLong(Initiator.Response::latencyPs)
                .average()
                .orElseThrow();
    }
}
