package dev.clockwire.pcie.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.pcie.endpoint.DmaRead;
import dev.clockwire.pcie.link.PcieLinkSpec;
import dev.clockwire.pcie.tlp.CompletionStatus;
import dev.clockwire.sim.KernelMode;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.sim.state.Snapshot;
import java.util.List;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;

/** Reads that windows hold back, with writes, stores, other reads and a second device between them: what is done late is as if it were not. */
class QuietLinkProperties {
    private static final long END = 120_000_000;
    private static final SimSpec ACTIVITY = SimSpec.of(1);
    private static final SimSpec EXHAUSTIVE = ACTIVITY.withMode(KernelMode.EXHAUSTIVE);

    @Property(tries = 25)
    void aWindowThatReopensWithEachAnswerGivesTheSameTimes(@ForAll long seed) {
        Traffic late = Traffic.windowed(ACTIVITY, seed);
        Traffic singles = Traffic.windowed(EXHAUSTIVE, seed);
        late.run(END);
        singles.run(END);
        assertThat(late.results()).isEqualTo(singles.results());
    }

    /** The read behind one with a small window had a larger one: an answer made room for 14 requests, of which some lacked credits. */
    @Example
    void aWindowThatWidensTakesNoMoreCreditsThanThereAre() {
        aWindowThatReopensWithEachAnswerGivesTheSameTimes(2485);
    }

    @Property(tries = 15)
    void whoeverLooksSeesTheSameAtEveryTime(
            @ForAll long seed, @ForAll @LongRange(min = 1, max = 20_000_000) long stop) {
        Traffic late = Traffic.windowed(ACTIVITY, seed);
        Traffic singles = Traffic.windowed(EXHAUSTIVE, seed);
        for (long t : new long[] {stop / 3, stop / 2, stop, END}) {
            late.run(t);
            singles.run(t);
            assertThat(late.results()).isEqualTo(singles.results());
        }
    }

    /** Who looks a second time at one instant is not kept waiting: so nothing may come later that is due before. */
    @Property(tries = 15)
    void whatHasBeenSeenStaysSeen(@ForAll long seed, @ForAll @LongRange(min = 1, max = 50_000) long step) {
        Traffic late = Traffic.windowed(ACTIVITY, seed);
        HostMemory memory = late.rig.host.hostMemory();
        for (long t = step; t < 20_000_000; t += step + (t ^ seed) % step) {
            late.run(t);
            assertThat(memory.holdsBack()).as("at %d", t).isFalse();
            late.rig.host.memory();
            assertThat(memory.holdsBack()).as("at %d, seen", t).isFalse();
        }
    }

    @Property(tries = 15)
    void aTapThatComesAndGoesChangesNothing(
            @ForAll long seed, @ForAll @LongRange(min = 1, max = 10_000_000) long from) {
        Traffic late = Traffic.windowed(ACTIVITY, seed);
        Traffic singles = Traffic.windowed(EXHAUSTIVE, seed);
        for (Traffic t : List.of(late, singles)) {
            t.run(from);
            t.tap(true);
            t.run(from + from / 2 + 1);
            t.tap(false);
            t.run(END);
        }
        assertThat(late.results()).isEqualTo(singles.results());
        assertThat(singles.packets).containsAll(late.packets); // those decided before it came are not shown
    }

    @Property(tries = 15)
    void aSnapshotHoldsWhatHasNotBeenDoneYet(
            @ForAll long seed, @ForAll @LongRange(min = 1, max = 10_000_000) long stop) {
        Traffic first = Traffic.windowed(ACTIVITY, seed);
        first.run(stop);
        Snapshot half = first.rig.sim.save();
        first.run(END);
        long hash = first.rig.sim.traceHash();
        first.rig.sim.restore(half);
        first.run(END);
        assertThat(first.rig.sim.traceHash()).isEqualTo(hash);
    }

    @Example
    void aReadOfMemoryThatIsFreedBeforeItComesEndsSooner() {
        long[] done = new long[2];
        long[] hash = new long[2];
        for (SimSpec spec : List.of(ACTIVITY, EXHAUSTIVE)) {
            int i = spec.mode() == KernelMode.EXHAUSTIVE ? 1 : 0;
            Rig rig = new Rig(spec, PcieLinkSpec.of(4, 4));
            Allocation gone = rig.host.memory().allocate("gone", 65_536, Allocation.Kind.BULK, 4096);
            DmaRead r = rig.read(1_000, gone.address(), 512, 0, 32);
            rig.sim.run(20_000); // the request is on its way
            rig.host.memory().free(gone);
            rig.sim.run(40_000_000);
            assertThat(r.status).isEqualTo(CompletionStatus.UR);
            done[i] = r.donePs;
            hash[i] = rig.sim.traceHash();
        }
        assertThat(done[0]).isEqualTo(done[1]);
        assertThat(hash[0]).isEqualTo(hash[1]);
    }

    @Example
    void aLongReadThatNobodyDisturbsNeedsAHandfulOfEvents() {
        long[] done = new long[2];
        long[] hash = new long[2];
        for (SimSpec spec : List.of(ACTIVITY, EXHAUSTIVE)) {
            int i = spec.mode() == KernelMode.EXHAUSTIVE ? 1 : 0;
            Rig rig = new Rig(spec, PcieLinkSpec.of(4, 4));
            DmaRead r = rig.read(1_000, rig.bulk.address(), 65_536, 0, 32);
            rig.sim.run(40_000_000);
            done[i] = r.donePs;
            hash[i] = rig.sim.traceHash();
            assertThat(rig.device.done).hasSize(1);
            if (i == 0) {
                assertThat(rig.sim.events()).isLessThan(8);
            }
        }
        assertThat(done[0]).isEqualTo(done[1]);
        assertThat(hash[0]).isEqualTo(hash[1]);
    }
}
