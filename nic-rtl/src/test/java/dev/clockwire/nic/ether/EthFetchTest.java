package dev.clockwire.nic.ether;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.pcie.endpoint.DmaRead;
import dev.clockwire.sim.Clock;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.Frequency;
import dev.clockwire.sim.Inlet;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.SimModule;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.Token;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the Ethernet block asks host memory for: WQEs in batches of four, receives in batches of sixteen, up to the ring's end. */
class EthFetchTest {
    private static final long SENDS = 0x10_0000;
    private static final long RECEIVES = 0x20_0000;
    private static final int LOG = 6;

    private final Sim sim = new Sim(SimSpec.of(1));
    private final SimModule owner =
            new SimModule(sim.root(), "owner", new Clock(sim.root(), "clock", Frequency.mhz(250))) {
                @Override
                protected boolean tick(long cycle) {
                    return false;
                }
            };
    private final List<DmaRead> asked = new ArrayList<>();
    private final Inlet<DmaRead> replies = new Inlet<>(owner, "replies", 64, 1);
    private final EthTable table = new EthTable();
    private final EthState s = new EthState();
    private final EthFetch fetch;

    EthFetchTest() {
        EventPort port = new EventPort(owner, "reads") {
            @Override
            protected void event(int kind, long a, long b, @Nullable Token token) {
                asked.add((DmaRead) Objects.requireNonNull(token));
            }
        };
        sim.elaborate();
        fetch = new EthFetch(port, replies, table, s);
        List<EthTable.Ring> sends = new ArrayList<>();
        List<EthTable.Ring> receives = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            sends.add(new EthTable.Ring(SENDS + 0x1_0000L * i, LOG, i));
            receives.add(new EthTable.Ring(RECEIVES + 0x1_0000L * i, LOG, i));
        }
        table.open(sends, receives, 1500);
    }

    private List<String> ask() {
        asked.clear();
        boolean did = fetch.ask(sim.now());
        sim.run(sim.now() + 10);
        assertThat(did).isEqualTo(!asked.isEmpty());
        return asked.stream()
                .map(r -> (r.cookie >>> EthFetch.KIND_SHIFT) + "/" + (int) r.cookie + " " + Long.toHexString(r.address)
                        + " " + r.length)
                .toList();
    }

    @Test
    void nothingIsAskedForBeforeItIsPosted() {
        assertThat(ask()).isEmpty();
        s.sendProducer[1] = 1;
        s.receiveProducer[2] = 1;
        assertThat(ask()).containsExactly("1/1 110000 64", "2/2 220000 16");
        DmaRead r = asked.get(0);
        assertThat(r.reply).isSameAs(replies);
        assertThat(r.flow).isEqualTo(0xFFF1);
        assertThat(asked.get(1).flow).isEqualTo(0xFFF2);
        assertThat(r.window).isEqualTo(1024);
        assertThat(ask()).as("one read of each at a time").isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"0,3,0,3", "0,4,0,4", "0,9,0,4", "62,66,62,2", "63,70,63,1", "64,70,0,4", "127,130,63,1", "60,200,60,4"
    })
    void wqesComeInBatchesUpToTheRingsEnd(long fetched, long producer, long block, int count) {
        s.sendFetched[0] = fetched;
        s.sendProducer[0] = producer;
        assertThat(ask()).containsExactly("1/0 " + Long.toHexString(SENDS + block * 64) + " " + count * 64);
        assertThat(s.sendReading).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"0,5,0,5", "0,16,0,16", "0,40,0,16", "60,80,60,4", "64,80,0,16"})
    void receivesComeInBatchesUpToTheRingsEnd(long fetched, long producer, long place, int count) {
        s.receiveFetched[1] = fetched;
        s.receiveUsed[1] = fetched;
        s.receiveProducer[1] = producer;
        assertThat(ask())
                .containsExactly("2/1 " + Long.toHexString(RECEIVES + 0x1_0000 + place * 16) + " " + count * 16);
        assertThat(s.receiveReading[1]).isEqualTo(1);
    }

    /** 32 receives are known ahead. */
    @ParameterizedTest
    @CsvSource({"16,32,0,true", "17,33,0,false", "17,32,0,true", "17,33,1,true", "32,33,0,false", "32,33,1,true"})
    void receivesAreAskedForWhereThereIsRoom(long fetched, long producer, long used, boolean asks) {
        s.receiveFetched[0] = fetched;
        s.receiveProducer[0] = producer;
        s.receiveUsed[0] = used;
        assertThat(ask().isEmpty()).isEqualTo(!asks);
    }

    @Test
    void sendQueuesTakeTurns() {
        s.sendProducer[0] = 10;
        s.sendProducer[2] = 10;
        List<String> order = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            order.addAll(ask());
            s.sendReading = false;
        }
        assertThat(order.stream().map(o -> o.substring(0, 3))).containsExactly("1/0", "1/2", "1/0", "1/2");
        s.current = new DmaRead();
        assertThat(ask()).as("WQEs are being taken apart").isEmpty();
    }

    @Test
    void receivesAreTakenOver() {
        s.receiveFetched[1] = 31;
        s.receiveReading[1] = 1;
        DmaRead r = new DmaRead();
        r.length = 32;
        ByteBuffer b = ByteBuffer.allocate(32);
        b.putInt(0x0102_0304).putInt(7).putLong(0x1122_3344_5566_7788L);
        b.putInt(0x8899_AABB).putInt(7).putLong(0x8877_6655_4433_2211L);
        r.into.appendBytes(b.array(), 0, 32);
        fetch.posted(1, r);
        assertThat(s.receiveReading[1]).isZero();
        assertThat(s.receiveFetched[1]).isEqualTo(33);
        int base = EthState.AHEAD;
        assertThat(s.receiveAddress[base + 31]).isEqualTo(0x1122_3344_5566_7788L);
        assertThat(s.receiveBytes[base + 31]).isEqualTo(0x0102_0304);
        assertThat(s.receiveAddress[base]).isEqualTo(0x8877_6655_4433_2211L);
        assertThat((int) s.receiveBytes[base]).isEqualTo(0x8899_AABB);
    }

    @Test
    void readsAreUsedAgainAndEmpty() {
        fetch.read(0x5000, 100, EthFetch.PAYLOAD, 9, sim.now());
        sim.run(sim.now() + 10);
        DmaRead r = asked.get(0);
        assertThat(r.cookie).isEqualTo(3L << 32 | 9);
        assertThat(r.flow).isEqualTo(0xFFF3);
        r.into.appendZeros(100);
        r.journey = 5;
        fetch.done(r);
        fetch.read(0x6000, 50, EthFetch.WQES, 1, sim.now());
        sim.run(sim.now() + 10);
        assertThat(asked.get(1)).isSameAs(r);
        assertThat(r.into.length()).isZero();
        assertThat(r.journey).isZero();
    }

    @Test
    void allOfTheStateIsInASnapshot() {
        s.setJob(5, frame(77));
        s.setJob(15, frame(66));
        s.jobHead = 3;
        s.jobCount = 4;
        s.turn = 2;
        s.sendReading = true;
        s.unpacked = 6;
        s.current = new DmaRead();
        s.current.cookie = 8;
        s.nextEntry = 9;
        s.pipe.add(frame(88));
        long[][] arrays = arrays(s);
        for (int i = 0; i < arrays.length; i++) {
            for (int k = 0; k < arrays[i].length; k++) {
                arrays[i][k] = 1000L * i + k;
            }
        }
        Snapshot saved = new Snapshot();
        s.save(saved);
        saved.rewind();
        EthState c = new EthState();
        c.setJob(1, frame(1));
        c.pipe.add(frame(1));
        c.load(saved);
        assertThat(arrays(c)).isDeepEqualTo(arrays);
        assertThat(Objects.requireNonNull(c.job(5)).length).isEqualTo(77);
        assertThat(Objects.requireNonNull(c.job(15)).length).isEqualTo(66);
        assertThat(c.job(1)).isNull();
        assertThat(new long[] {c.jobHead, c.jobCount, c.turn, c.unpacked, c.nextEntry})
                .containsExactly(3, 4, 2, 6, 9);
        assertThat(c.sendReading).isTrue();
        assertThat(Objects.requireNonNull(c.current).cookie).isEqualTo(8);
        assertThat(c.pipe.size()).isEqualTo(1);
        assertThat(c.pipe.first().length).isEqualTo(88);
    }

    private static EthFrame frame(int bytes) {
        EthFrame f = new EthFrame();
        f.resize(bytes);
        return f;
    }

    private static long[][] arrays(EthState s) {
        return new long[][] {
            s.sendProducer,
            s.sendFetched,
            s.receiveProducer,
            s.receiveFetched,
            s.receiveUsed,
            s.receiveReading,
            s.receiveAddress,
            s.receiveBytes,
            s.jobQueue,
            s.jobIndex,
            s.jobReady,
            s.jobChecksums,
            s.rxPackets,
            s.rxBytes,
            s.txPackets,
            s.txBytes,
            s.drops
        };
    }
}
