package dev.clockwire.sim.mem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.error.ProtocolViolation;
import dev.clockwire.sim.mem.MemoryFinding.Access;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MemorySanitizerTest {
    private static final int NIC = 0;

    private final AddressSpace memory = new AddressSpace("host0.memory", PayloadMode.BYTES);
    private long now = 1_000;
    private int settled;
    private final MemorySanitizer sanitizer =
            new MemorySanitizer("host0.memory", () -> now, () -> settled++, () -> "host0.cpu0");
    private long va;

    @BeforeEach
    void watch() {
        memory.sanitize(sanitizer);
        assertThat(memory.sanitizer()).isSameAs(sanitizer);
        va = memory.allocate("buffer", 4096, Allocation.Kind.REAL).address();
        assertThat(sanitizer.device("mlx5_0", "host0.nic")).isEqualTo(NIC);
        assertThat(sanitizer.device("mlx5_1", "")).isEqualTo(1);
        assertThat(sanitizer.device("mlx5_0", "")).isEqualTo(NIC);
    }

    private Ownership post(Hold hold, int qpn, long at, long len) {
        Ownership o = sanitizer.post(hold, NIC, qpn, false, "SEND", 7);
        sanitizer.cover(o, at, len);
        return o;
    }

    private long found() {
        long n = sanitizer.count();
        sanitizer.clear();
        return n;
    }

    private void write(long user, long at, int len) {
        Payload p = new Payload();
        p.appendZeros(len);
        memory.write(user, now, at, p, 0, len);
    }

    private void read(long user, long at, int len) {
        memory.read(user, now, at, len, new Payload());
    }

    @Test
    void everyWayOfAccessIsSeen() {
        post(Hold.DEVICE_WRITES, 5, va + 64, 64);
        byte[] eight = new byte[8];
        memory.getByte(va + 64);
        memory.getShort(va + 63);
        memory.getInt(va + 124);
        memory.getLong(va + 57);
        memory.getBytes(va + 120, eight, 0, 8);
        memory.read(va, 65, new Payload());
        assertThat(found()).isEqualTo(6);
        memory.putByte(va + 127, (byte) 1);
        memory.putShortBe(va + 126, (short) 1);
        memory.putInt(va + 64, 1);
        memory.putLong(va + 60, 1);
        memory.putBytes(va + 57, eight, 0, 8);
        memory.fill(va, 4096, 0, 0);
        Payload p = new Payload();
        p.appendZeros(8);
        memory.write(va + 100, p, 0, 8);
        sanitizer.reads(va + 64, 1);
        sanitizer.writes(va + 64, 1);
        assertThat(found()).isEqualTo(9);
        memory.getLong(va + 56);
        memory.getLong(va + 128);
        memory.putLong(va + 128, 1);
        memory.getBytes(va + 100, eight, 0, 0);
        memory.look(va, 4096, new Payload());
        assertThat(found()).isZero();
    }

    @Test
    void aFindingSaysEverything() {
        Ownership first = post(Hold.DEVICE_READS, 5, va, 100);
        now = 2_500;
        sanitizer.release(first, Release.COMPLETED);
        now = 3_000;
        Ownership second = sanitizer.post(Hold.DEVICE_WRITES, NIC, 9, true, "RECV", -1);
        sanitizer.cover(second, va + 10, 20);
        now = 4_321;
        memory.getLong(va + 8);
        assertThat(sanitizer.findings())
                .containsExactly(new MemoryFinding(
                        4_321,
                        "host0.cpu0",
                        Access.READ,
                        "the program",
                        va + 10,
                        6,
                        "buffer+10 of host0.memory",
                        "RECV wr_id=18446744073709551615 of SRQ 0x9 of mlx5_0",
                        3_000,
                        java.util.List.of(
                                "SEND wr_id=7 of QP 0x5 of mlx5_0 since 1.000 ns until 2.500 ns: completed",
                                "RECV wr_id=18446744073709551615 of SRQ 0x9 of mlx5_0 since 3.000 ns: the"
                                        + " device writes it")));
        assertThat(sanitizer.findings().get(0).toString())
                .startsWith("[4.321 ns] host0.cpu0: the program reads 6 bytes at 0x");
    }

    @Test
    void anAccessIsOneFindingAndRepeatedOnesAreKeptOnce() {
        post(Hold.DEVICE_WRITES, 5, va, 64);
        for (int i = 0; i < 8; i++) {
            memory.getLong(va + 8L * i);
        }
        assertThat(sanitizer.count()).isEqualTo(1);
        assertThat(sanitizer.findings().get(0).length()).isEqualTo(64);
        sanitizer.clear();
        for (int i = 0; i < 5; i++) {
            memory.getLong(va);
        }
        assertThat(sanitizer.count()).isEqualTo(5);
        assertThat(sanitizer.findings()).hasSize(1);
        for (int i = 0; i < 2 * MemorySanitizer.KEPT; i++) {
            memory.getByte(va + 2L * (i % 32));
        }
        assertThat(sanitizer.findings()).hasSize(MemorySanitizer.KEPT);
        assertThat(sanitizer.count()).isEqualTo(5 + 2 * MemorySanitizer.KEPT);
    }

    @Test
    void aDeviceKeepsToWhatItsOwnWorkRequestsOwn() {
        Ownership send = post(Hold.DEVICE_READS, 5, va, 64);
        Ownership receive = post(Hold.DEVICE_WRITES, 5, va + 64, 64);
        read(MemoryUser.work(NIC, 5, 1), va, 64);
        write(MemoryUser.work(NIC, 5, 1), va + 64, 64);
        assertThat(found()).isZero();
        write(MemoryUser.work(NIC, 6, 1), va + 64, 64);
        write(MemoryUser.work(1, 5, 1), va + 64, 64);
        write(MemoryUser.work(NIC, 5, 1), va, 1);
        assertThat(found()).isEqualTo(3);
        write(MemoryUser.work(NIC, 5, 1), va + 120, 16);
        assertThat(sanitizer.findings().get(0).address()).isEqualTo(va + 128);
        assertThat(sanitizer.findings().get(0).module()).isEqualTo("host0.nic");
        found();
        sanitizer.release(receive, Release.FAILED);
        write(MemoryUser.work(NIC, 5, 0x22), va + 64, 64);
        assertThat(sanitizer.findings().get(0).toucher())
                .isEqualTo("a work request of QP 0x5 of mlx5_0 with lkey 0x22");
        assertThat(sanitizer.findings().get(0).history().get(0)).endsWith("completed in error");
        found();
        sanitizer.release(send, Release.RESET);
        read(MemoryUser.work(NIC, 5, 1), va, 64);
        assertThat(found()).as("a repeated packet, which the peer drops").isZero();
        read(MemoryUser.work(NIC, 5, 1), va, 64);
        assertThat(sanitizer.lateReads()).isEqualTo(1);
    }

    @Test
    void oneOwnerIsExpectedOnRequest() {
        post(Hold.DEVICE_WRITES, 5, va, 64);
        post(Hold.DEVICE_WRITES, 5, va, 64);
        assertThat(found()).as("benchmarks do that").isZero();
        sanitizer.expectOneOwner();
        post(Hold.DEVICE_WRITES, 5, va + 63, 64);
        assertThat(sanitizer.findings().get(0).access()).isEqualTo(Access.POST);
        assertThat(sanitizer.findings().get(0).address()).isEqualTo(va + 63);
        assertThat(sanitizer.findings().get(0).length()).isEqualTo(1);
        assertThat(found()).isEqualTo(1);
        post(Hold.DEVICE_READS, 5, va + 126, 64);
        assertThat(found()).isEqualTo(1);
        post(Hold.DEVICE_READS, 5, va + 127, 64);
        sanitizer.grant(va + 127, 64, Hold.PEER_READS, Grantee.of("client"));
        assertThat(found()).as("nobody writes").isZero();
        sanitizer.grant(va + 127, 1, Hold.PEER_WRITES, Grantee.of("client"));
        assertThat(found()).isEqualTo(1);
        sanitizer.grant(va + 1000, 64, Hold.PEER_WRITES, Grantee.of("first").withAttempt(1));
        assertThat(found()).isZero();
        sanitizer.grant(va + 1000, 64, Hold.PEER_WRITES, Grantee.of("first").withAttempt(2));
        assertThat(sanitizer.findings().get(0).owner()).contains("attempt 1");
        found();
        Ownership list = sanitizer.post(Hold.DEVICE_WRITES, NIC, 5, false, "RECV", 1);
        sanitizer.cover(list, va + 2000, 64);
        sanitizer.cover(list, va + 2032, 64);
        assertThat(found()).as("one work request").isZero();
    }

    @Test
    void anOffloadHasWorkOfItsOwn() {
        post(Hold.DEVICE_WRITES, 5, va, 64);
        post(Hold.DEVICE_READS, 6, va + 64, 64);
        long offload = MemoryUser.offload(NIC, 5, 1);
        write(offload, va, 64);
        write(offload, va + 128, 64);
        read(offload, va + 64, 128);
        assertThat(found()).isZero();
        write(offload, va + 64, 64);
        read(MemoryUser.offload(NIC, 6, 1), va, 64);
        assertThat(found()).isEqualTo(2);
        assertThat(sanitizer.lateReads()).isZero();
    }

    @Test
    void otherFunctionsActForTheProgram() {
        post(Hold.DEVICE_READS, 5, va, 64);
        long ssd = MemoryUser.function(0x3b08);
        read(ssd, va, 64);
        assertThat(found()).isZero();
        write(ssd, va, 64);
        assertThat(sanitizer.findings().get(0).toucher()).isEqualTo("PCIe function 3b:01.0");
        assertThat(sanitizer.findings().get(0).module()).isEqualTo("host0.memory");
    }

    @Test
    void severalMayOwnTheSame() {
        Ownership one = post(Hold.DEVICE_READS, 5, va, 100);
        Ownership two = post(Hold.DEVICE_READS, 6, va + 50, 100);
        sanitizer.release(one, Release.COMPLETED);
        memory.putByte(va + 49, (byte) 0);
        memory.putByte(va + 150, (byte) 0);
        assertThat(found()).isZero();
        memory.fill(va, 4096, 0, 0);
        assertThat(sanitizer.findings().get(0).address()).isEqualTo(va + 50);
        assertThat(sanitizer.findings().get(0).length()).isEqualTo(100);
        found();
        sanitizer.release(two, Release.COMPLETED);
        sanitizer.release(two, Release.FAILED);
        assertThat(two.end()).isEqualTo(Release.COMPLETED);
        memory.fill(va, 4096, 0, 0);
        assertThat(found()).isZero();
    }

    @Test
    void peersKeepToTheirGrants() {
        long peer = MemoryUser.peer(NIC, 5, 0x100);
        long other = MemoryUser.peer(NIC, 6, 0x100);
        write(peer, va, 64);
        assertThat(found()).as("nobody said anything").isZero();
        Ownership grant =
                sanitizer.grant(va, 64, Hold.PEER_WRITES, Grantee.of("client").withQp(5));
        Ownership shown =
                sanitizer.grant(va + 64, 64, Hold.PEER_READS, Grantee.of("all").withKey(0x100));
        write(peer, va, 64);
        read(peer, va, 128);
        read(other, va + 64, 64);
        assertThat(found()).isZero();
        write(other, va, 64);
        read(other, va, 64);
        write(other, va + 64, 64);
        read(MemoryUser.peer(NIC, 5, 0x101), va + 64, 64);
        assertThat(found()).isEqualTo(4);
        sanitizer.returned(grant);
        sanitizer.keyRemoved(0x100);
        assertThat(shown.end()).isEqualTo(Release.KEY_REMOVED);
        write(peer, va, 64);
        assertThat(sanitizer.findings().get(0).owner()).isEqualTo("the program");
        read(other, va + 64, 64);
        assertThat(found()).as("both by ways that ended").isEqualTo(2);
        read(MemoryUser.peer(NIC, 6, 0x101), va + 64, 64);
        assertThat(found()).as("a way that nobody spoke of").isZero();
    }

    @Test
    void aPostedBufferIsNoPeers() {
        long peer = MemoryUser.peer(NIC, 5, 0x100);
        post(Hold.DEVICE_READS, 5, va, 64);
        post(Hold.DEVICE_WRITES, 5, va + 64, 64);
        read(peer, va, 64);
        assertThat(found()).isZero();
        write(peer, va, 64);
        read(peer, va + 64, 64);
        write(peer, va + 64, 64);
        assertThat(found()).isEqualTo(3);
    }

    @Test
    void drainedConnectionsEndGrants() {
        Ownership a = sanitizer.grant(va, 64, Hold.PEER_WRITES, Grantee.of("a").withQp(5));
        Ownership b = sanitizer.grant(va, 64, Hold.PEER_READS, Grantee.of("b").withQp(6));
        Ownership any = sanitizer.grant(va, 64, Hold.PEER_READS, Grantee.of("any"));
        sanitizer.drained(5);
        sanitizer.keyRemoved(0);
        assertThat(a.end()).isEqualTo(Release.DRAINED);
        assertThat(b.isOpen() && any.isOpen()).isTrue();
        assertThat(a.number()).isLessThan(b.number());
        assertThat(settled).as("memory is brought up to date first").isEqualTo(4);
        sanitizer.revoke(any);
        sanitizer.revoke(b);
        assertThatThrownBy(() -> sanitizer.grant(va, 0, Hold.PEER_READS, Grantee.of("x")))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("1 byte or more");
        assertThatThrownBy(() -> sanitizer.grant(va, 64, Hold.DEVICE_READS, Grantee.of("x")))
                .hasMessageContaining("PEER_WRITES_POLLED");
        assertThatThrownBy(() -> sanitizer.grant(7, 64, Hold.PEER_READS, Grantee.of("x")))
                .hasMessageContaining("no allocation");
    }

    @Test
    void findingsMayStopTheSimulation() {
        post(Hold.DEVICE_WRITES, 5, va, 64);
        sanitizer.throwFindings();
        assertThatThrownBy(() -> memory.getLong(va))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("[1.000 ns] host0.cpu0: the program reads 8 bytes");
        assertThatThrownBy(() -> write(MemoryUser.peer(NIC, 5, 1), va, 8))
                .isInstanceOf(ProtocolViolation.class)
                .hasMessageContaining("host0.nic: the peer of QP 0x5 of mlx5_0 with rkey 0x1 writes 8 bytes");
    }

    @Test
    void freeingWhatIsOwnedIsFound() {
        Allocation a = memory.allocate("other", 64, Allocation.Kind.REAL);
        Ownership o = post(Hold.DEVICE_READS, 5, a.address(), 64);
        memory.free(a);
        assertThat(sanitizer.findings().get(0).access()).isEqualTo(Access.FREE);
        assertThat(sanitizer.findings().get(0).place()).isEqualTo("no allocation of host0.memory");
        sanitizer.release(o, Release.COMPLETED);
    }

    /** In a pool: the program, a device and a peer that each have kept the address are found, and nobody is once it is taken out. */
    @Test
    void nobodyMayTouchWhatLiesInAPool() {
        Ownership free = sanitizer.free(va, 64, "of slots");
        memory.getLong(va);
        write(MemoryUser.work(NIC, 5, 1), va, 8);
        write(MemoryUser.peer(NIC, 5, 1), va, 8);
        assertThat(sanitizer.findings()).hasSize(3).allMatch(f -> f.owner().equals("pool of slots"));
        sanitizer.clear();
        sanitizer.taken(free);
        sanitizer.taken(free);
        memory.getLong(va);
        assertThat(found()).isZero();
    }

    @Test
    void whatADeviceStillUsesIsNotFree() {
        Ownership read = post(Hold.DEVICE_WRITES, 5, va, 64);
        sanitizer.free(va, 64, "of slots");
        assertThat(sanitizer.findings())
                .singleElement()
                .satisfies(f -> assertThat(f.access()).isEqualTo(Access.FREE));
        sanitizer.release(read, Release.COMPLETED);
    }
}
