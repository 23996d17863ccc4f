package dev.clockwire.storage.nvmf.target;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.clockwire.nvme.fabrics.ConnectData;
import dev.clockwire.nvme.fabrics.DiscoveryLog;
import dev.clockwire.nvme.format.CqEntry;
import dev.clockwire.nvme.format.Identify;
import dev.clockwire.nvme.format.LittleEndian;
import dev.clockwire.nvme.format.NvmeStatus;
import dev.clockwire.nvme.format.Opcodes;
import dev.clockwire.nvme.format.SglDescriptor;
import dev.clockwire.nvme.format.SqEntry;
import dev.clockwire.storage.bdev.MallocBdev;
import dev.clockwire.storage.nvmf.subsystem.NamespaceSpec;
import dev.clockwire.storage.nvmf.subsystem.Subsystem;
import dev.clockwire.storage.nvmf.subsystem.TransportId;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a host hears of a session: statuses in the order of the reference, handshakes, features, events, keep-alive. */
class SessionTest {
    private static final int IN_DATA = 1 << 16;

    private TargetRig rig;
    private HostQueue admin;

    @BeforeEach
    void build() {
        rig = new TargetRig(true, TargetSpec.spdk(), TargetRig.SMALL);
        admin = new HostQueue(rig, 0);
    }

    private static void has(NvmeStatus wanted, CqEntry got) {
        assertEquals(NvmeStatus.describe(wanted.code()), NvmeStatus.describe(got.status()));
    }

    private byte[] data(int bytes) {
        byte[] b = new byte[bytes];
        rig.lab.a().host().memory().getBytes(rig.memory.address(), b, 0, bytes);
        return b;
    }

    @Test
    void refusesAConnectInTheOrderOfItsChecks() {
        admin.open(32);
        SqEntry e = admin.connectEntry(1, 0);
        e.bytes()[40] = 1; // format
        byte[] data = HostQueue.connectData(7, "nqn.2024-01.example:other", TargetRig.HOST);
        has(NvmeStatus.INVALID_FIELD, admin.inCapsule(e, java.util.Arrays.copyOf(data, 1023), 1023));
        CqEntry c = admin.inCapsule(e, data, 1024);
        has(NvmeStatus.CONNECT_INVALID, c);
        assertEquals(IN_DATA | 256, c.result());
        data = HostQueue.connectData(7, TargetRig.NQN, TargetRig.HOST);
        java.util.Arrays.fill(data, 512, 768, (byte) 'x');
        c = admin.inCapsule(e, data, 1024);
        has(NvmeStatus.CONNECT_INVALID, c);
        assertEquals(IN_DATA | 512, c.result());
        data = HostQueue.connectData(7, TargetRig.NQN, TargetRig.HOST);
        rig.subsystem.allowAnyHost(false);
        has(NvmeStatus.CONNECT_INVALID_HOST, admin.inCapsule(e, data, 1024));
        rig.subsystem.addHost(TargetRig.HOST);
        has(NvmeStatus.CONNECT_BAD_FORMAT, admin.inCapsule(e, data, 1024));
        e.bytes()[40] = 0;
        c = admin.inCapsule(e, data, 1024);
        has(NvmeStatus.CONNECT_INVALID, c);
        assertEquals(44, c.result());
        c = admin.inCapsule(admin.connectEntry(129, 0), data, 1024);
        assertEquals(44, c.result());
        c = admin.inCapsule(admin.connectEntry(32, 0), data, 1024);
        has(NvmeStatus.CONNECT_INVALID, c);
        assertEquals(IN_DATA | 16, c.result());
        c = admin.connect(32, ConnectData.ANY, 0);
        has(NvmeStatus.SUCCESS, c);
        assertTrue(c.result() >= 1 && c.result() <= 0xFFEF);
        has(NvmeStatus.SEQUENCE_ERROR, admin.connect(32, ConnectData.ANY, 0));
    }

    /** A queue has one Connect under way: the second one behind it makes no controller, and the queue can go. */
    @Test
    void twoConnectsAtOnceAreOne() {
        admin.open(32);
        byte[] data = HostQueue.connectData(ConnectData.ANY, TargetRig.NQN, TargetRig.HOST);
        SqEntry[] connects = {admin.connectEntry(32, 0), admin.connectEntry(32, 0)};
        for (SqEntry e : connects) {
            byte[] all = java.util.Arrays.copyOf(e.bytes(), SqEntry.BYTES + data.length);
            SglDescriptor.put(all, SqEntry.DATA, SglDescriptor.DATA_BLOCK, SglDescriptor.OFFSET, 0, data.length);
            System.arraycopy(data, 0, all, SqEntry.BYTES, data.length);
            admin.send(all, all.length);
        }
        has(NvmeStatus.SEQUENCE_ERROR, admin.responseTo(connects[1]));
        has(NvmeStatus.SUCCESS, admin.responseTo(connects[0]));
        assertEquals(1, rig.target.controllers(rig.subsystem).size());
        admin.disconnect();
        assertTrue(rig.until(() -> rig.target.controllers(rig.subsystem).isEmpty(), 100_000), "gone");
    }

    /** A host that is not allowed any more loses its controller, others keep theirs. */
    @Test
    void aHostThatIsRemovedIsDisconnected() {
        rig.subsystem.allowAnyHost(false);
        rig.subsystem.addHost(TargetRig.HOST);
        rig.subsystem.addHost("nqn.2016-06.io.spdk:other");
        admin.enable(0);
        rig.subsystem.removeHost("nqn.2016-06.io.spdk:other");
        rig.run(2_000);
        assertEquals(1, rig.target.controllers(rig.subsystem).size());
        rig.subsystem.removeHost(TargetRig.HOST);
        assertTrue(rig.until(() -> rig.target.controllers(rig.subsystem).isEmpty(), 100_000), "gone");
        assertTrue(rig.until(() -> admin.has(dev.clockwire.roce.cm.CmEventType.DISCONNECTED), 100_000), "told");
    }

    /** SPDK stops to listen and disconnects who has come that way. */
    @Test
    void aListenerThatIsRemovedTakesItsControllersAlong() {
        admin.enable(0);
        rig.target.addListener(rig.subsystem, TransportId.rdma("10.0.0.2", TargetRig.PORT + 1));
        rig.target.removeListener(rig.subsystem, TransportId.rdma("10.0.0.2", TargetRig.PORT + 1));
        rig.run(2_000);
        assertEquals(1, rig.target.controllers(rig.subsystem).size());
        rig.target.removeListener(rig.subsystem, TransportId.rdma("10.0.0.2", TargetRig.PORT));
        assertTrue(rig.until(() -> rig.target.controllers(rig.subsystem).isEmpty(), 100_000), "gone");
    }

    @Test
    void nothingButConnectWorksBeforeIt() {
        admin.open(32);
        has(NvmeStatus.SEQUENCE_ERROR, admin.get(Properties.CAP, 8));
        has(
                NvmeStatus.SEQUENCE_ERROR,
                admin.command(admin.keyed(admin.entry(Opcodes.IDENTIFY, 0).dword(10, 1), 0, 4096)));
        admin.connect(32, ConnectData.ANY, 0);
        has(
                NvmeStatus.SEQUENCE_ERROR,
                admin.command(admin.keyed(admin.entry(Opcodes.IDENTIFY, 0).dword(10, 1), 0, 4096)));
        has(NvmeStatus.SUCCESS, admin.get(Properties.CAP, 8));
    }

    @Test
    void refusesIoQueuesThatCannotBe() {
        int cntlid = admin.enable(0);
        HostQueue first = new HostQueue(rig, 1).open(16);
        CqEntry c = first.connect(16, cntlid + 1, 0);
        has(NvmeStatus.CONNECT_INVALID, c);
        assertEquals(IN_DATA | 16, c.result());
        has(NvmeStatus.SUCCESS, first.connect(16, cntlid, 0));
        HostQueue twin = new HostQueue(rig, 1).open(16);
        long before = rig.lab.sim().now();
        has(NvmeStatus.QUEUE_ID_INVALID, twin.connect(16, cntlid, 0));
        assertTrue(rig.lab.sim().now() - before >= Fabrics.DUPLICATE_PS, "asked once more after a millisecond");
        HostQueue high = new HostQueue(rig, 128).open(16);
        has(NvmeStatus.QUEUE_ID_INVALID, high.connect(16, cntlid, 0));
        admin.set(Properties.CC, 4, 0x0045_0001); // wrong sizes of entries
        HostQueue other = new HostQueue(rig, 2).open(16);
        c = other.connect(16, cntlid, 0);
        has(NvmeStatus.CONNECT_INVALID, c);
        assertEquals(42, c.result());
    }

    @Test
    void aQueueIdCanBeUsedAgainWhileTheOldQueueIsGoing() {
        int cntlid = admin.enable(0);
        HostQueue first = new HostQueue(rig, 1).open(16);
        first.connect(16, cntlid, 0);
        HostQueue second = new HostQueue(rig, 1).open(16);
        first.disconnect();
        has(NvmeStatus.SUCCESS, second.connect(16, cntlid, 0));
        assertEquals(1, second.responses.get(0).sqHead(), "its head begins anew");
    }

    @ParameterizedTest
    @CsvSource({
        "0x00, 8, 0x080000201E01007F",
        "0x00, 4, 0x1E01007F",
        "0x04, 4, 0x08000020",
        "0x08, 4, 0x20000",
        "0x14, 4, 0x460001",
        "0x1C, 4, 1",
        "0x68, 4, 30",
        "0x28, 8, 0"
    })
    void tellsProperties(String offset, int bytes, String value) {
        admin.enable(0);
        CqEntry c = admin.get(Integer.decode(offset), bytes);
        has(NvmeStatus.SUCCESS, c);
        assertEquals(Long.decode(value), c.result());
    }

    @Test
    void refusesPropertiesThatAreNone() {
        admin.enable(0);
        has(NvmeStatus.CONNECT_INVALID, admin.get(0x40, 4));
        has(NvmeStatus.CONNECT_INVALID, admin.get(Properties.CSTS, 8));
        has(NvmeStatus.CONNECT_INVALID, admin.set(Properties.CSTS, 4, 0));
        has(NvmeStatus.CONNECT_INVALID, admin.set(Properties.CC, 4, 0x0046_0001 | 1 << 11));
        has(NvmeStatus.CONNECT_INVALID, admin.set(Properties.CC, 4, 0x0046_0001 | 1 << 7));
        has(NvmeStatus.SUCCESS, admin.set(Properties.AQA, 4, 0x1F001F));
        assertEquals(0x1F001F, admin.get(Properties.AQA, 4).result());
        has(NvmeStatus.SUCCESS, admin.set(Properties.ASQ + 4, 4, 0x1234));
        assertEquals(0x1234L << 32, admin.get(Properties.ASQ, 8).result());
    }

    /** FEMU PR 96: settings first, the enable bit in a second write. */
    @Test
    void takesCcInTwoStepsAndShutsDown() {
        admin.open(32);
        int cntlid = (int) admin.connect(32, ConnectData.ANY, 0).result();
        admin.set(Properties.CC, 4, 0x0046_0060);
        assertEquals(0, admin.get(Properties.CSTS, 4).result());
        admin.set(Properties.CC, 4, 0x0046_0061);
        assertEquals(1, admin.get(Properties.CSTS, 4).result());
        HostQueue io = new HostQueue(rig, 1).open(16);
        io.connect(16, cntlid, 0);
        admin.set(Properties.CC, 4, 0x0046_4061);
        assertTrue(rig.until(() -> admin.get(Properties.CSTS, 4).result() >> 2 == 2, 200));
        assertEquals(1, rig.target.controllers(rig.subsystem).get(0).qpairs().size(), "I/O queues are gone");
        admin.set(Properties.CC, 4, 0x0046_0060);
        assertTrue(rig.until(() -> (admin.get(Properties.CSTS, 4).result() & 1) == 0, 200));
    }

    @Test
    void identifies() {
        admin.enable(0);
        has(
                NvmeStatus.SUCCESS,
                admin.command(admin.keyed(admin.entry(Opcodes.IDENTIFY, 0).dword(10, 1), 0, 4096)));
        byte[] b = data(4096);
        assertEquals("RXE test target", new String(b, 24, 40, java.nio.charset.StandardCharsets.US_ASCII).trim());
        assertEquals(5, b[77], "128 KiB");
        assertEquals(260, LittleEndian.get32(b, 1792));
        assertEquals(1, LittleEndian.get32(b, 1796));
        assertEquals(16, b[1803]);
        assertEquals(100, LittleEndian.get16(b, 320));
        has(
                NvmeStatus.SUCCESS,
                admin.command(admin.keyed(admin.entry(Opcodes.IDENTIFY, 1).dword(10, 0), 0, 4096)));
        assertEquals(16_384, LittleEndian.get64(data(8), 0));
        has(
                NvmeStatus.SUCCESS,
                admin.command(admin.keyed(admin.entry(Opcodes.IDENTIFY, 0).dword(10, 2), 0, 4096)));
        assertEquals(1, LittleEndian.get64(data(8), 0), "one namespace, then zeros");
        has(
                NvmeStatus.INVALID_NAMESPACE,
                admin.command(admin.keyed(admin.entry(Opcodes.IDENTIFY, 99).dword(10, 0), 0, 4096)));
        has(
                NvmeStatus.INVALID_FIELD,
                admin.command(admin.keyed(admin.entry(Opcodes.IDENTIFY, 0).dword(10, 0x55), 0, 4096)));
    }

    @Test
    void givesAsManyQueuesAsThereAre() {
        int cntlid = admin.enable(0);
        CqEntry c =
                admin.command(admin.entry(Opcodes.SET_FEATURES, 0).dword(10, 7).dword(11, 0x0003_0003));
        assertEquals(0x007E_007E, c.result());
        has(
                NvmeStatus.INVALID_FIELD,
                admin.command(admin.entry(Opcodes.SET_FEATURES, 0).dword(10, 7).dword(11, -1)));
        new HostQueue(rig, 1).open(16).connect(16, cntlid, 0);
        has(
                NvmeStatus.SEQUENCE_ERROR,
                admin.command(admin.entry(Opcodes.SET_FEATURES, 0).dword(10, 7).dword(11, 0x0003_0003)));
        has(
                NvmeStatus.INVALID_FIELD,
                admin.command(admin.entry(Opcodes.SET_FEATURES, 0).dword(10, 0x7E)));
        has(
                NvmeStatus.FEATURE_NOT_SAVEABLE,
                admin.command(admin.entry(Opcodes.SET_FEATURES, 0).dword(10, 6 | 1 << 31)));
        has(NvmeStatus.INVALID_OPCODE, admin.command(admin.entry(Opcodes.CREATE_SQ, 0)));
        has(
                NvmeStatus.LOG_PAGE_INVALID,
                admin.command(admin.keyed(admin.entry(Opcodes.GET_LOG_PAGE, 0).dword(10, 0x7F << 16 | 0xC0), 0, 512)));
    }

    @Test
    void tellsOfNamespacesOnceUntilTheLogIsRead() {
        admin.enable(0);
        admin.command(admin.entry(Opcodes.SET_FEATURES, 0).dword(10, 0x0B).dword(11, 1 << 8));
        for (int i = 0; i < 4; i++) {
            admin.send(admin.entry(Opcodes.ASYNC_EVENT, 0));
        }
        has(NvmeStatus.EVENT_LIMIT, admin.command(admin.entry(Opcodes.ASYNC_EVENT, 0)));
        rig.subsystem.addNamespace(new MallocBdev(rig.bdevs, "malloc1", 512, 64), NamespaceSpec.any());
        assertEquals(0x0004_0002, admin.response().result());
        rig.subsystem.removeNamespace(2);
        rig.run(50);
        admin.poll();
        int had = admin.responses.size();
        assertEquals(had, admin.responses.size(), "masked");
        has(
                NvmeStatus.SUCCESS,
                admin.command(admin.keyed(admin.entry(Opcodes.GET_LOG_PAGE, 0).dword(10, 1023 << 16 | 4), 0, 4096)));
        rig.run(50);
        admin.poll();
        assertEquals(had + 2, admin.responses.size(), "the log, and the event that waited");
    }

    /** SPDK issue 2194: an abort that did not find its command says so. */
    @Test
    void abortsWhatWaitsAndSaysSo() {
        admin.enable(0);
        SqEntry event = admin.entry(Opcodes.ASYNC_EVENT, 0);
        admin.send(event);
        CqEntry c = admin.command(admin.entry(Opcodes.ABORT, 0).dword(10, event.cid() << 16));
        assertEquals(
                2,
                admin.responses.stream()
                                .filter(x -> x.cid() == event.cid() || x.cid() == c.cid())
                                .count()
                        + (c.cid() == event.cid() ? 1 : 0),
                "both end");
        rig.run(20);
        admin.poll();
        CqEntry aborted = admin.responses.stream()
                .filter(x -> x.cid() == event.cid())
                .reduce((a, b) -> b)
                .orElseThrow();
        has(NvmeStatus.ABORTED, aborted);
        CqEntry missed = admin.command(admin.entry(Opcodes.ABORT, 0).dword(10, 0x7777 << 16));
        has(NvmeStatus.SUCCESS, missed);
        assertEquals(1, missed.result());
    }

    @Test
    void aSilentHostLosesItsController() {
        rig = new TargetRig(true, TargetSpec.spdk(), TargetRig.SMALL.withTimes(1_000_000_000_000L, 1, 1));
        admin = new HostQueue(rig, 0);
        admin.enable(100);
        HostQueue io = new HostQueue(rig, 1).open(16);
        io.connect(16, 1, 0);
        for (int i = 0; i < 4; i++) {
            rig.run(60_000);
            has(NvmeStatus.SUCCESS, admin.command(admin.entry(Opcodes.KEEP_ALIVE, 0)));
        }
        assertEquals(1, rig.target.controllers(rig.subsystem).size());
        assertTrue(rig.until(() -> rig.target.controllers(rig.subsystem).isEmpty(), 250_000));
        assertTrue(rig.notes.get(0).contains("keep alive"), rig.notes::toString);
    }

    /** Hosts come and go: numbers in messages between threads are used again. */
    @Test
    void comingAndGoingLeavesNothing() {
        int before = 0;
        for (int i = 0; i < 12; i++) {
            HostQueue q = new HostQueue(rig, 0);
            q.enable(0);
            HostQueue io = new HostQueue(rig, 1).open(16);
            has(
                    NvmeStatus.SUCCESS,
                    io.connect(16, rig.target.controllers(rig.subsystem).get(0).cntlid(), 0));
            has(NvmeStatus.SUCCESS, q.command(q.entry(Opcodes.ABORT, 0).dword(10, 0x7777 << 16 | 1)));
            io.disconnect();
            q.disconnect();
            assertTrue(rig.until(() -> rig.target.controllers(rig.subsystem).isEmpty(), 100_000), "gone");
            before = i == 1 ? rig.target.numbers() : before;
        }
        assertEquals(before, rig.target.numbers());
    }

    /** What the time is, the host is told: 0 is none, and the longest does not wrap. */
    @Test
    void keepAliveTimesAreWhatGetFeaturesSays() {
        long[][] spdk = {
            {0, 0}, {1, 10_000}, {10_001, 20_000}, {0x7FFF_FFFFL, 2_147_490_000L}, {0xFFFF_FFFFL, 4_294_960_000L}
        };
        long[][] linux = {{0, 0}, {1_000, 1_000}, {5_001, 5_001}, {0xFFFF_FFFFL, 0xFFFF_FFFFL}};
        for (long[][] times : new long[][][] {spdk, linux}) {
            TargetSpec spec = times == spdk ? TargetSpec.spdk() : TargetSpec.linux();
            for (long[] time : times) {
                rig = new TargetRig(true, spec, TargetRig.SMALL);
                admin = new HostQueue(rig, 0);
                admin.open(32);
                has(NvmeStatus.SUCCESS, admin.connect(32, ConnectData.ANY, (int) time[0]));
                admin.set(Properties.CC, 4, 0x0046_0001);
                assertEquals(time[1], keepAliveTime(), () -> spec.profile() + " " + time[0]);
                CqEntry set = admin.command(
                        admin.entry(Opcodes.SET_FEATURES, 0).dword(10, 0x0F).dword(11, (int) time[0]));
                has(NvmeStatus.SUCCESS, set);
                assertEquals(times == spdk ? time[1] : 0, set.result());
                assertEquals(time[1], keepAliveTime());
                CqEntry alive = admin.command(admin.entry(Opcodes.KEEP_ALIVE, 0));
                has(times == linux && time[0] == 0 ? NvmeStatus.KEEP_ALIVE_INVALID : NvmeStatus.SUCCESS, alive);
            }
        }
    }

    private long keepAliveTime() {
        return admin.command(admin.entry(Opcodes.GET_FEATURES, 0).dword(10, 0x0F))
                .result();
    }

    /** No time, or 49 days of it: a silent host keeps its controller. */
    @Test
    void aHostWithoutKeepAliveMayBeSilent() {
        for (int ms : new int[] {0, -1}) {
            rig = new TargetRig(true, TargetSpec.spdk(), TargetRig.SMALL.withAcceptor(1_000_000_000_000L, 100));
            admin = new HostQueue(rig, 0);
            admin.patience = 10_000_000;
            admin.open(32);
            has(NvmeStatus.SUCCESS, admin.connect(32, ConnectData.ANY, ms));
            admin.set(Properties.CC, 4, 0x0046_0001);
            assertTrue(!rig.until(() -> rig.target.controllers(rig.subsystem).isEmpty(), 600_000_000));
            has(NvmeStatus.SUCCESS, admin.command(admin.entry(Opcodes.KEEP_ALIVE, 0)));
        }
    }

    @Test
    void discovers() {
        rig.run(10);
        admin.open(32);
        CqEntry c = admin.inCapsule(
                admin.connectEntry(32, 0),
                HostQueue.connectData(ConnectData.ANY, DiscoveryLog.NQN, TargetRig.HOST),
                1024);
        has(NvmeStatus.SUCCESS, c);
        admin.set(Properties.CC, 4, 0x0046_0001);
        has(
                NvmeStatus.SUCCESS,
                admin.command(admin.keyed(admin.entry(Opcodes.IDENTIFY, 0).dword(10, Identify.CONTROLLER), 0, 4096)));
        assertEquals(2, data(4096)[111], "a discovery controller");
        has(
                NvmeStatus.SUCCESS,
                admin.command(admin.keyed(
                        admin.entry(Opcodes.GET_LOG_PAGE, 0).dword(10, 1023 << 16 | DiscoveryLog.PAGE), 0, 4096)));
        DiscoveryLog log = DiscoveryLog.load(data(4096), 4096).orElseThrow();
        assertEquals(rig.target.generation(), log.generation());
        assertEquals(1, log.entries().size());
        assertEquals(TargetRig.NQN, log.entries().get(0).subsystem());
        assertEquals("4420", log.entries().get(0).service());
        assertEquals("10.0.0.2", log.entries().get(0).address());
        has(
                NvmeStatus.LOG_PAGE_INVALID,
                admin.command(admin.keyed(admin.entry(Opcodes.GET_LOG_PAGE, 0).dword(10, 127 << 16 | 2), 0, 512)));
    }

    @Test
    void aHostThatNeverEnablesLosesItsController() {
        rig = new TargetRig(true, TargetSpec.spdk(), TargetRig.SMALL.withAcceptor(1_000_000_000_000L, 100));
        admin = new HostQueue(rig, 0);
        admin.patience = 10_000_000;
        admin.open(32);
        admin.connect(32, ConnectData.ANY, 0);
        assertTrue(!rig.until(() -> rig.target.controllers(rig.subsystem).isEmpty(), 119_000_000));
        assertTrue(rig.until(() -> rig.target.controllers(rig.subsystem).isEmpty(), 3_000_000));
    }

    /** nvme-cli issue 867: discovery without keep-alive, and with it, is taken; a host that says nothing more is forgotten after two minutes. */
    @Test
    void takesDiscoveryWithAnyKeepAliveTime() {
        rig = new TargetRig(true, TargetSpec.spdk(), TargetRig.SMALL.withAcceptor(1_000_000_000_000L, 100));
        for (int kato : new int[] {0, 5_000}) {
            HostQueue q = new HostQueue(rig, 0);
            q.patience = 10_000_000;
            q.open(32);
            byte[] data = HostQueue.connectData(ConnectData.ANY, DiscoveryLog.NQN, TargetRig.HOST);
            has(NvmeStatus.SUCCESS, q.inCapsule(q.connectEntry(32, kato), data, 1024));
            q.set(Properties.CC, 4, 0x0046_0001);
        }
        Subsystem discovery = rig.target.subsystems().get(0);
        assertEquals(2, rig.target.controllers(discovery).size());
        assertTrue(
                rig.until(() -> rig.target.controllers(discovery).size() == 1, 25_000_000), "10 s, the least there is");
        assertTrue(!rig.until(() -> rig.target.controllers(discovery).isEmpty(), 90_000_000));
        assertTrue(rig.until(() -> rig.target.controllers(discovery).isEmpty(), 200_000_000));
    }
}
