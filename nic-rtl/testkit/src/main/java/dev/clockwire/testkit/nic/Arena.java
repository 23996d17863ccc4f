package dev.clockwire.testkit.nic;

import dev.clockwire.nic.lab.Lab;
import dev.clockwire.nic.lab.LabHost;
import dev.clockwire.roce.transport.AccessFlag;
import dev.clockwire.roce.verbs.MemoryRegion;
import dev.clockwire.roce.verbs.ProtectionDomain;
import dev.clockwire.sim.mem.AddressSpace;
import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.sim.mem.PayloadMode;
import dev.clockwire.sim.random.RandomStream;
import java.util.EnumSet;

/**
 * Registered memory of one host beside the image of what it must hold in the end. Ranges are handed out one behind the other,
 * with gaps of odd size that nobody may touch.
 */
final class Arena {
    private static final int MAX_GAP = 70;

    final MemoryRegion mr;
    private final AddressSpace memory;
    private final Allocation allocation;
    private final byte[] expected;
    private int used;

    Arena(Lab lab, LabHost host, ProtectionDomain pd, String name, int bytes, Allocation.Kind kind, long seed) {
        RandomStream random = RandomStream.named(seed, host.host().path() + name);
        memory = host.host().memory();
        allocation = memory.allocate(name, bytes, kind, 4096);
        expected = new byte[bytes];
        if (readable()) {
            for (int i = 0; i < bytes; i++) {
                expected[i] = (byte) (random.nextLong() >>> 40);
            }
            memory.putBytes(allocation.address(), expected, 0, bytes);
        }
        mr = lab.await(pd.regMr(
                allocation.address(),
                bytes,
                EnumSet.of(
                        AccessFlag.LOCAL_WRITE,
                        AccessFlag.REMOTE_WRITE,
                        AccessFlag.REMOTE_READ,
                        AccessFlag.REMOTE_ATOMIC)));
    }

    /** Whether the bytes can be looked at: bulk memory holds none in mode sizes. */
    private boolean readable() {
        return allocation.kind() == Allocation.Kind.REAL || memory.mode() == PayloadMode.BYTES;
    }

    /** Hands out a range; returns its offset. */
    int take(int length, int align, RandomStream random) {
        int at = used + 1 + random.below(MAX_GAP) + align - 1 & -align;
        used = at + length;
        if (used > expected.length) {
            throw new IllegalStateException("arena of " + expected.length + " bytes is too small");
        }
        return at;
    }

    long address(int offset) {
        return allocation.address() + offset;
    }

    /** Says that bytes of another arena will be copied here. */
    void expectCopy(int to, Arena from, int at, int length) {
        System.arraycopy(from.expected, at, expected, to, length);
    }

    long expectedLong(int at) {
        long x = 0;
        for (int i = Long.BYTES - 1; i >= 0; i--) {
            x = (x << 8) | (expected[at + i] & 0xFF);
        }
        return x;
    }

    void expectLong(int at, long value) {
        for (int i = 0; i < Long.BYTES; i++) {
            expected[at + i] = (byte) (value >>> (8 * i));
        }
    }

    /** Throws if a byte differs from the image. */
    void check() {
        if (!readable()) {
            return;
        }
        byte[] found = new byte[expected.length];
        memory.getBytes(allocation.address(), found, 0, found.length);
        int i = java.util.Arrays.mismatch(expected, found);
        if (i >= 0) {
            int end = i;
            while (end < found.length && expected[end] != found[end]) {
                end++;
            }
            throw new AssertionError(String.format(
                    "%s: byte %d is %02x, expected %02x; %d wrong bytes in a row",
                    allocation.name(), i, found[i], expected[i], end - i));
        }
    }
}
