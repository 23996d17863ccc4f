package dev.clockwire.pcie.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.pcie.config.ConfigSpace;
import dev.clockwire.pcie.config.ConfigSpec;
import dev.clockwire.pcie.endpoint.DmaError;
import dev.clockwire.pcie.endpoint.DmaRead;
import dev.clockwire.pcie.endpoint.DmaWrite;
import dev.clockwire.pcie.link.LinkTroubles;
import dev.clockwire.pcie.link.PcieLinkSpec;
import dev.clockwire.pcie.link.TlpFault;
import dev.clockwire.pcie.link.TlpFault.What;
import dev.clockwire.pcie.link.TlpTrain;
import dev.clockwire.pcie.tlp.CompletionStatus;
import dev.clockwire.pcie.tlp.FlowClass;
import dev.clockwire.pcie.tlp.TlpType;
import dev.clockwire.sim.KernelMode;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.state.Snapshot;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What happens to requests that nobody answers, that are refused, and to data that are wrong. */
class TransactionErrorsTest {
    private static final boolean UP = true;
    private static final boolean DOWN = false;
    private static final long US = 1_000_000;
    private static final long TIMEOUT = 100 * US;
    private static final int STATUS = ConfigSpace.AER + 4;
    private static final int CONTROL2 = ConfigSpace.EXPRESS + 0x28;
    private static final int ALL = 0b1111;

    private final List<String> packets = new ArrayList<>();

    private static PcieLinkSpec link(TlpFault... faults) {
        return PcieLinkSpec.of(4, 16).withTroubles(LinkTroubles.of(faults).withTimeout(TIMEOUT));
    }

    private Rig rig(PcieLinkSpec link) {
        Rig rig = new Rig(SimSpec.of(1), link);
        ConfigSpace space = rig.endpoint.configure(
                new ConfigSpec(0x15b3, 0x1021, 1, 0x020000, 0, rig.endpoint.barSpecs(), 64, 0, 0, 0x8000, 512, link));
        space.enumerated();
        space.place(0, rig.port.barAddress(0));
        rig.endpoint
                .transmitter()
                .tap((ps, up, h, data, off, n) -> packets.add((h.poisoned ? "EP " : "") + ps + " " + h));
        rig.host.memory().putInt(rig.real.address(), 0x12345678);
        return rig;
    }

    private static ConfigSpace space(Rig rig) {
        return java.util.Objects.requireNonNull(rig.endpoint.config());
    }

    private static DmaRead read(Rig rig, long at, int bytes) {
        return rig.read(at, rig.real.address(), bytes, 0, 64);
    }

    @Test
    void aRequestWithoutAnswerEndsAfterItsTimeAndIsReported() {
        Rig rig = rig(link(TlpFault.of(UP, TlpType.MRD, 1, What.LOSE)));
        DmaRead lost = read(rig, 1, 4);
        DmaRead next = rig.read(2, rig.real.address(), 4, 1, 1);
        rig.sim.run(TIMEOUT);
        assertThat(rig.device.done).containsExactly(next);
        assertThat(next.error).isEqualTo(DmaError.NONE);
        rig.sim.run(TIMEOUT + 2);
        assertThat(lost.donePs).isEqualTo(1 + TIMEOUT);
        rig.sim.run(TIMEOUT + US);
        assertThat(rig.device.done).containsExactly(next, lost);
        assertThat(lost.error).isEqualTo(DmaError.TIMEOUT);
        assertThat(space(rig).read(STATUS)).isEqualTo(1 << 14);
        assertThat(rig.port.errors().nonFatal()).as("SERR# is on").isEqualTo(1);
        assertThat(packets.get(packets.size() - 1)).contains("Msg");
        assertThat(rig.sim.stats().value("nic0.completion_timeouts")).isEqualTo(1);
    }

    @Test
    void theTagOfALostRequestRestsAndALateCompletionIsUnexpected() {
        TlpFault late = new TlpFault(DOWN, TlpType.CPLD, 1, What.DELAY, TIMEOUT);
        Rig rig = rig(link(late).withReadLimits(1, 0));
        DmaRead lost = read(rig, 1, 4);
        DmaRead waits = rig.read(2, rig.real.address(), 4, 1, 1);
        rig.sim.run(TIMEOUT + US);
        assertThat(lost.error).isEqualTo(DmaError.TIMEOUT);
        assertThat(rig.endpoint.unexpectedCompletions()).isEqualTo(1);
        assertThat(space(rig).read(STATUS)).isEqualTo(1 << 14 | 1 << 16);
        rig.sim.run(2 * TIMEOUT);
        assertThat(waits.issuedPs).as("the only tag is not free").isNegative();
        rig.sim.run(2 * TIMEOUT + 2 * US);
        assertThat(waits.error).isEqualTo(DmaError.NONE);
        assertThat(waits.into.length()).isEqualTo(4);
        assertThat(waits.issuedPs).isEqualTo(2 * TIMEOUT + 1);
    }

    @ParameterizedTest
    @CsvSource({"REFUSE, UNSUPPORTED, UR, 29", "ABORT, ABORTED, CA, 28"})
    void aRefusedRequestComesBackWithTheReason(What what, DmaError error, CompletionStatus status, int bit) {
        Rig rig = rig(link(TlpFault.of(UP, TlpType.MRD, 2, what)));
        DmaRead r = read(rig, 1, 1024); // two requests: the second one
        rig.sim.run(10 * US);
        assertThat(r.error).isEqualTo(error);
        assertThat(r.status).isEqualTo(status);
        assertThat(space(rig).read(ConfigSpace.COMMAND) >>> 16 << 16).isEqualTo(1 << bit | 1 << 20);
        assertThat(rig.endpoint.readsOutstanding()).isZero();
    }

    @Test
    void poisonedDataReachTheReaderWithTheirMark() {
        Rig rig = rig(link(TlpFault.of(DOWN, TlpType.CPLD, 2, What.POISON)));
        DmaRead r = read(rig, 1, 1024);
        rig.sim.run(10 * US);
        assertThat(r.error).isEqualTo(DmaError.POISONED);
        assertThat(r.into.length()).isEqualTo(1024);
        assertThat(space(rig).read(STATUS)).isEqualTo(1 << 12);
        assertThat(space(rig).read(ConfigSpace.COMMAND) >>> 31).isEqualTo(1);
    }

    @Test
    void poisonedWritesAreNeverStored() {
        Rig rig = rig(link(TlpFault.of(UP, TlpType.MWR, 2, What.POISON)));
        byte[] ones = new byte[512];
        Arrays.fill(ones, (byte) 1);
        rig.write(1, rig.bulk.address(), ones);
        DmaWrite known = rig.write(2, rig.bulk.address() + 512, ones);
        known.poisoned = true;
        rig.sim.run(10 * US);
        assertThat(rig.host.memory().getInt(rig.bulk.address() + 252)).isEqualTo(0x01010101);
        assertThat(rig.host.memory().getInt(rig.bulk.address() + 256)).isZero();
        assertThat(rig.host.memory().getInt(rig.bulk.address() + 512)).isZero();
        assertThat(rig.port.errors().poisoned()).isEqualTo(3);
        assertThat(packets).filteredOn(p -> p.startsWith("EP")).hasSize(2);
    }

    private static long load(Rig rig, long limit) {
        long[] value = {0};
        boolean[] asked = {false};
        rig.core.run(core -> {
            if (asked[0]) {
                value[0] = core.loaded();
            } else {
                asked[0] = true;
                core.mmioRead(rig.endpoint.barAddress(0), 4);
            }
        });
        rig.sim.run(limit);
        return value[0];
    }

    @Test
    void aLoadWithoutAnswerReturnsAllOnes() {
        Rig rig = rig(link(TlpFault.of(DOWN, TlpType.MRD, 1, What.LOSE)));
        assertThat(load(rig, TIMEOUT)).isZero();
        rig.sim.run(TIMEOUT + US);
        assertThat(rig.port.errors().timeouts()).isEqualTo(1);
        Rig again = rig(link(TlpFault.of(DOWN, TlpType.MRD, 1, What.LOSE)));
        assertThat(load(again, TIMEOUT + US)).isEqualTo(-1);
    }

    @Test
    void anAnswerThatComesTooLateIsNotTakenForTheNextOne() {
        Rig rig = rig(link(new TlpFault(UP, TlpType.CPLD, 1, What.DELAY, TIMEOUT)));
        long[] values = new long[2];
        int[] step = {0};
        rig.core.run(core -> {
            if (step[0] > 0) {
                values[step[0] - 1] = core.loaded();
            }
            if (step[0]++ < 2) {
                core.mmioRead(rig.endpoint.barAddress(0) + 8L * step[0], 4);
            }
        });
        rig.sim.run(3 * TIMEOUT);
        assertThat(values[0]).isEqualTo(-1);
        assertThat(values[1]).isEqualTo(16);
        assertThat(rig.port.errors().unexpected()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"REFUSE", "ABORT"})
    void aRefusedLoadReturnsAllOnes(What what) {
        Rig rig = rig(link(TlpFault.of(DOWN, TlpType.MRD, 1, what)));
        assertThat(load(rig, 5 * US)).isEqualTo(-1);
        assertThat(space(rig).read(STATUS)).isEqualTo(what == What.ABORT ? 1 << 15 : 1 << 20);
    }

    @Test
    void aMalformedPacketIsDroppedAndFatal() {
        Rig rig = rig(
                link(TlpFault.of(DOWN, TlpType.CPLD, 1, What.MALFORM), TlpFault.of(UP, TlpType.MWR, 1, What.MALFORM)));
        DmaRead r = read(rig, 1, 4);
        rig.write(1, rig.bulk.address(), new byte[] {1, 1, 1, 1});
        rig.sim.run(TIMEOUT + US);
        assertThat(r.error).isEqualTo(DmaError.TIMEOUT);
        assertThat(rig.host.memory().getInt(rig.bulk.address())).isZero();
        assertThat(rig.port.errors().malformed()).isEqualTo(1);
        assertThat(rig.port.errors().fatal()).isEqualTo(1);
        assertThat(space(rig).read(STATUS)).isEqualTo(1 << 14 | 1 << 18);
    }

    /** A completion as a broken completer sends it. */
    private static void forge(Rig rig, long at, int tag, int bytes, int left) {
        TlpTrain t = new TlpTrain().completions(rig.real.address(), bytes, 256, 0, 0x100, tag);
        t.data.appendZeros(bytes);
        t.left[0] = left;
        t.arrival[0] = at;
        rig.endpoint.arrivals().send(at, FlowClass.COMPLETION.index(), 0, 1, t);
    }

    @ParameterizedTest
    @CsvSource({"64, 64", "64, 300", "256, 256"})
    void aByteCountThatDoesNotFitEndsNothingAndFreesNoTag(int bytes, int left) { // enjoy-digital/litepcie issue 178
        Rig rig = rig(link(TlpFault.of(UP, TlpType.MRD, 1, What.LOSE)).withReadLimits(2, 0));
        DmaRead first = read(rig, 1, 128);
        forge(rig, US, 0, bytes, left);
        forge(rig, US + 1, 0, 64, 64);
        DmaRead second = rig.read(2 * US, rig.real.address(), 512, 1, 8);
        rig.sim.run(TIMEOUT - 1);
        assertThat(rig.device.done).containsExactly(second);
        assertThat(second.into.length()).isEqualTo(512);
        rig.sim.run(TIMEOUT + US);
        assertThat(first.error).isEqualTo(DmaError.TIMEOUT);
        assertThat(rig.sim.stats().value("nic0.malformed")).isPositive();
        assertThat(packets)
                .filteredOn(p -> p.contains("MRd") && p.contains("tag=0"))
                .hasSize(1);
        DmaRead third = rig.read(TIMEOUT + 2 * US, rig.real.address(), 512, 1, 8);
        rig.sim.run(3 * TIMEOUT);
        assertThat(third.error).isEqualTo(DmaError.NONE);
    }

    @Test
    void deviceControl2SaysHowLongToWait() {
        Rig never = rig(link(TlpFault.of(UP, TlpType.MRD, 1, What.LOSE)));
        space(never).write(CONTROL2, 1 << 4, ALL);
        read(never, 1, 4);
        never.sim.run(10 * TIMEOUT);
        assertThat(never.device.done).isEmpty();

        Rig longer = rig(link(TlpFault.of(UP, TlpType.MRD, 1, What.LOSE)));
        space(longer).write(CONTROL2, 0b0010, ALL);
        DmaRead r = read(longer, 1, 4);
        longer.sim.run(10_001 * US);
        assertThat(r.donePs).isEqualTo(10_000 * US + 1);
    }

    @ParameterizedTest
    @CsvSource({
        "1, 100",
        "2, 10000",
        "5, 55000",
        "6, 210000",
        "9, 900000",
        "10, 3500000",
        "13, 13000000",
        "14, 64000000",
        "0, 7"
    })
    void rangesOfTheBaseSpecification(int code, long microseconds) {
        Rig rig = rig(link());
        space(rig).write(CONTROL2, code, ALL);
        assertThat(space(rig).completionTimeoutPs(7 * US)).isEqualTo(microseconds * US);
    }

    /** Faults of all kinds in one run. */
    private Rig mixed(KernelMode mode) {
        PcieLinkSpec link = link(
                TlpFault.of(UP, TlpType.MRD, 3, What.LOSE),
                new TlpFault(DOWN, TlpType.CPLD, 5, What.DELAY, 2 * TIMEOUT),
                TlpFault.of(DOWN, TlpType.CPLD, 9, What.POISON),
                TlpFault.of(UP, TlpType.MWR, 4, What.POISON),
                TlpFault.of(UP, TlpType.MRD, 8, What.ABORT));
        Rig rig = new Rig(SimSpec.of(1).withMode(mode), link);
        for (int i = 0; i < 12; i++) {
            rig.read(1 + i * 40_000L, rig.real.address() + 100L * i, 700, i % 3, 3);
            rig.write(1 + i * 50_000L, rig.bulk.address() + 1000L * i, new byte[600]);
        }
        return rig;
    }

    private static List<String> outcome(Rig rig) {
        rig.sim.run(5 * TIMEOUT);
        List<String> all = new ArrayList<>();
        rig.device.done.forEach(t -> {
            if (t instanceof DmaRead r) {
                all.add(r.donePs + " " + r.error + " " + r.into.length());
            } else if (t instanceof DmaWrite w) {
                all.add(w.leftPs + " left");
            }
        });
        all.add("hash " + rig.sim.traceHash());
        return all;
    }

    @Test
    void bothKernelsAndASnapshotGiveTheSame() {
        List<String> all = outcome(mixed(KernelMode.ACTIVITY));
        assertThat(outcome(mixed(KernelMode.EXHAUSTIVE))).isEqualTo(all);
        assertThat(all).hasSize(25);
        for (long stop : new long[] {300_000, 2 * US, TIMEOUT + 200_000}) {
            Rig rig = mixed(KernelMode.ACTIVITY);
            rig.sim.run(stop);
            Snapshot half = rig.sim.save();
            rig.sim.run(5 * TIMEOUT);
            long hash = rig.sim.traceHash();
            rig.sim.restore(half);
            rig.sim.run(5 * TIMEOUT);
            assertThat(rig.sim.traceHash()).isEqualTo(hash);
        }
    }

    @Test
    void nonsenseIsRefused() {
        assertThatThrownBy(() -> TlpFault.of(UP, TlpType.MWR, 1, What.REFUSE)).hasMessageContaining("nobody answers");
        assertThatThrownBy(() -> TlpFault.of(UP, TlpType.MRD, 1, What.POISON)).hasMessageContaining("no data");
        assertThatThrownBy(() -> TlpFault.of(UP, TlpType.MRD, 1, What.DELAY))
                .hasMessageContaining("delay of a packet by 0 ps");
        assertThatThrownBy(() -> TlpFault.of(UP, TlpType.MRD, 0, What.LOSE)).hasMessageContaining("count from 1");
        assertThatThrownBy(() -> link().withTroubles(LinkTroubles.of().withTimeout(1)))
                .hasMessageContaining("allowed is 0 or 50 to 64000000 us");
    }
}
