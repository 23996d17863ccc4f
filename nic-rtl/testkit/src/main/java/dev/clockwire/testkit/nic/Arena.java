package dev.clockwire.testkit.nic;

import dev.clockwire.nic.lab.Lab;
import dev.clockwire.nic.lab.LabHost;
import dev.clockwire.roce.transport.AccessFlag;
import dev.clockwire.roce.verbs.DeviceMemory;
import dev.clockwire.roce.verbs.MemoryRegion;
import dev.clockwire.roce.verbs.ProtectionDomain;
import dev.clockwire.sim.mem.AddressSpace;
import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.sim.mem.PayloadMode;
import dev.clockwire.sim.random.RandomStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Registered memory of one host beside the image of what it must hold in the end. Ranges are handed out one behind the other,
 * with gaps of odd size that nobody may touch.
 */
final class Arena {
    private static final int MAX_GAP = 70;

    final MemoryRegion mr;
    private final AddressSpace memory;
    private final Allocation allocation;
    private final @Nullable DeviceMemory inDevice;
    private final byte[] expected;
    private final List<int[]> headers = new ArrayList<>();
    private int used;

    Arena(Lab lab, LabHost host, ProtectionDomain pd, String name, int bytes, Allocation.Kind kind, long seed) {
        RandomStream random = RandomStream.named(seed, host.host().path() + name);
        memory = host.host().memory();
        allocation = memory.allocate(name, bytes, kind, 4096);
        inDevice = null;
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
                        AccessFlag.REMOTE_ATOMIC,
                        AccessFlag.MW_BIND)));
    }

    /** Creates an arena in the memory of the device, which programs see through a copy only. */
    Arena(Lab lab, LabHost host, ProtectionDomain pd, String name, int bytes, long seed) {
        RandomStream random = RandomStream.named(seed, host.host().path() + name);
        memory = host.host().memory();
        allocation = memory.allocate(name, bytes, Allocation.Kind.REAL, 4096);
        expected = new byte[bytes];
        for (int i = 0; i < bytes; i++) {
            expected[i] = (byte) (random.nextLong() >>> 40);
        }
        memory.putBytes(allocation.address(), expected, 0, bytes);
        DeviceMemory device = lab.await(host.context().allocDm(bytes));
        device.copyTo(0, allocation.address(), bytes);
        inDevice = device;
        mr = lab.await(pd.regDmMr(
                device,
                0,
                bytes,
                EnumSet.of(
                        AccessFlag.LOCAL_WRITE,
                        AccessFlag.REMOTE_WRITE,
                        AccessFlag.REMOTE_READ,
                        AccessFlag.REMOTE_ATOMIC,
                        AccessFlag.ZERO_BASED)));
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

    /** Returns the address by which work requests call a place. */
    long address(int offset) {
        return mr.address() + offset;
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

    /** Says that the header of a datagram with so many bytes behind its DETH will stand in the 40 bytes here. */
    void expectHeader(int at, int bytes) {
        headers.add(new int[] {at, bytes});
    }

    /** Checks a header, and takes over what is the sender's business: identification and addresses. */
    private void checkHeader(byte[] found, int at, int bytes) {
        int length = 8 + 12 + 8 + (bytes + 3 & -4) + 4;
        int ip = at + 20;
        boolean ipv6 = found[at] != 0;
        System.arraycopy(found, at, expected, at, 40);
        if (ipv6) {
            expectHeader(at, 0x60, at + 4, length, at + 6);
        } else {
            Arrays.fill(expected, at, ip, (byte) 0);
            expectHeader(ip, 0x45, ip + 2, 20 + length, ip + 9);
        }
        int sum = 0;
        for (int i = 0; i < 20; i += 2) {
            sum += ((found[ip + i] & 0xFF) << 8) | (found[ip + i + 1] & 0xFF);
        }
        if (!ipv6 && (sum & 0xFFFF) + (sum >>> 16) != 0xFFFF) {
            throw new AssertionError(allocation.name() + ": wrong checksum of the IPv4 header at " + ip);
        }
    }

    private void expectHeader(int at, int version, int lengthAt, int length, int protocolAt) {
        expected[at] = (byte) version;
        expected[lengthAt] = (byte) (length >> 8);
        expected[lengthAt + 1] = (byte) length;
        expected[protocolAt] = 17;
    }

    /** Throws if a byte differs from the image. */
    void check() {
        if (!readable()) {
            return;
        }
        byte[] found = new byte[expected.length];
        DeviceMemory device = inDevice;
        if (device != null) {
            device.copyFrom(allocation.address(), 0, expected.length);
        }
        memory.getBytes(allocation.address(), found, 0, found.length);
        for (int[] header : headers) {
            checkHeader(found, header[0], header[1]);
        }
        int i = Arrays.mismatch(expected, found);
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
