package dev.clockwire.nvme.media;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.clockwire.sim.Sim;
import dev.clockwire.sim.SimNode;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.random.RandomStream;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Media against a closed loop elsewhere (device only, no PCIe), closed forms, and laws. */
class MediaTest {
    private static final double US = 1e6;

    /** Keeps so many commands under way. */
    private static final class Loop extends SimNode implements State {
        private final Media media;
        private final RandomStream random;
        private final long[] begun;
        private final int bytes;
        private final boolean writes;
        private final long span;
        private long finished;
        private long sumPs;

        Loop(Sim sim, MediaSpec spec, int depth, int bytes, boolean writes, long span) {
            super(sim.root(), "loop");
            random = random("r");
            begun = new long[depth];
            this.bytes = bytes;
            this.writes = writes;
            this.span = span;
            media = state(new Media(this, "media", spec, depth, this::done));
            state(this);
        }

        void begin() {
            for (int tag = 0; tag < begun.length; tag++) {
                next(tag);
            }
        }

        private void done(int tag) {
            finished++;
            sumPs += now() - begun[tag];
            next(tag);
        }

        private void next(int tag) {
            begun[tag] = now();
            long at = random.nextLong(span / bytes) * bytes;
            if (writes) {
                media.write(tag, at, bytes);
            } else {
                media.read(tag, at, bytes);
            }
        }

        @Override
        public void save(Snapshot out) {
            out.putLongs(begun);
            out.putLong(finished);
            out.putLong(sumPs);
        }

        @Override
        public void load(Snapshot in) {
            in.getLongs(begun);
            finished = in.getLong();
            sumPs = in.getLong();
        }

        double iops() {
            return finished * 1e12 / now();
        }

        double meanUs() {
            return (double) sumPs / finished / US;
        }
    }

    /** The reference's sets, for the device alone; the profiles have the way to the host beside them. */
    private static MediaSpec reference(String name) {
        MediaSpec m = MediaProfiles.named(name);
        long read = switch (name) {
            case "p4800x" -> 5_600_000;
            case "p5800x" -> 4_172_000;
            default -> m.readPs();
        };
        return new MediaSpec(
                name,
                m.pipelinePs(),
                m.units(),
                m.pieceBytes(),
                read,
                read,
                m.unitRate(),
                m.linkRate(),
                m.fixedPs(),
                m.buffer());
    }

    private static Loop run(MediaSpec spec, int depth, int bytes, boolean writes, long ms) {
        Sim sim = new Sim(SimSpec.of(7).withWatchdogPs(0));
        Loop loop = new Loop(sim, spec, depth, bytes, writes, 1L << 34);
        sim.elaborate();
        loop.begin();
        sim.run(ms * 1_000_000_000L);
        return loop;
    }

    @ParameterizedTest
    @CsvSource({
        "p4800x, 4096, 1, 8.91, 112000",
        "p4800x, 4096, 8, 13.6, 588000",
        "p4800x, 4096, 16, 27.2, 588000",
        "p5800x, 4096, 1, 5.65, 177000",
        "p5800x, 4096, 8, 6.2, 1280000",
        "p5800x, 4096, 16, 10.4, 1540000",
        "p5800x, 4096, 128, 83.2, 1540000",
        "p5800x, 512, 1, 4.88, 205000",
        "p5800x, 512, 16, 6.0, 2680000",
        "p5800x, 512, 64, 12.8, 5000000",
        "p5800x, 512, 128, 25.6, 5000000",
        "pm9a3, 4096, 1, 79.6, 12600",
        "pm9a3, 4096, 32, 85.8, 373000",
        "pm9a3, 4096, 128, 128.0, 1000000"
    })
    void readsTakeWhatTheReferenceFound(String name, int bytes, int depth, double us, double iops) {
        Loop loop = run(reference(name), depth, bytes, false, 20);
        assertThat(loop.meanUs()).isCloseTo(us, within(0.02 * us));
        assertThat(loop.iops()).isCloseTo(iops, within(0.02 * iops));
        assertThat(loop.iops() * loop.meanUs() / 1e6).as("Little").isCloseTo(depth, within(0.02 * depth));
    }

    /** 128 KiB: 32 pieces side by side, then the link. */
    @Test
    void aLargeReadUsesManyUnits() {
        Loop loop = run(reference("p5800x"), 1, 131_072, false, 20);
        assertThat(loop.meanUs())
                .isBetween(0.2 + 4.4 + 131_072 / 6300.0 + 0.4 - 4, 0.2 + 3 * 4.4 + 131_072 / 6300.0 + 0.4);
        assertThat(run(MediaProfiles.named("p5800x"), 8, 131_072, false, 20).iops() * 131_072)
                .isCloseTo(6.3e9, within(0.01e9));
    }

    /** A buffer takes bursts at the speed of the link; when it is full writes go as units program: 128 x 16 KiB / 500 us = 4.19 GB/s. */
    @Test
    void aFullBufferSlowsWritesDownToWhatUnitsProgram() {
        MediaSpec spec = MediaProfiles.named("pm9a3");
        Loop burst = run(spec, 16, 65_536, true, 5);
        assertThat(burst.iops() * 65_536).isCloseTo(6.5e9, within(0.1e9));
        Loop steady = run(spec, 16, 65_536, true, 400);
        assertThat(steady.iops() * 65_536).isCloseTo(128 * 16_384 / 500e-6 + 64e6 / 0.4, within(0.08e9));
        assertThat(steady.meanUs()).isGreaterThan(burst.meanUs() * 1.3);
    }

    @Test
    void aReadBehindAProgramWaitsOrStopsIt() {
        MediaSpec spec = MediaProfiles.named("pm9a3");
        long waits = behindAProgram(spec);
        WriteBufferSpec b = spec.buffer();
        long stops = behindAProgram(
                spec.withBuffer(new WriteBufferSpec(b.bytes(), b.programBytes(), b.programPs(), 5_000_000)));
        assertThat(waits / US).isGreaterThan(500.0);
        assertThat(stops / US).isCloseTo(60 + 5 + 18 + 1 + 4096 / 6500.0, within(4.0));
    }

    /** A medium of one unit programs a page, then is read. */
    private static long behindAProgram(MediaSpec spec) {
        Sim sim = new Sim(SimSpec.of(1).withWatchdogPs(0));
        long[] at = new long[2];
        SimNode[] node = new SimNode[1];
        node[0] = new SimNode(sim.root(), "n") {};
        MediaSpec one = new MediaSpec(
                "one",
                spec.pipelinePs(),
                1,
                4096,
                spec.readPs(),
                spec.writePs(),
                0,
                spec.linkRate(),
                spec.fixedPs(),
                spec.buffer());
        Media media = new Media(node[0], "m", one, 2, tag -> at[tag] = node[0].now());
        sim.elaborate();
        media.write(0, 0, 16_384);
        sim.run(22_000_000);
        assertThat(at[0]).as("done when it is in the buffer").isPositive();
        media.read(1, 0, 4096);
        sim.run(2_000_000_000L);
        return at[1] - 22_000_000;
    }

    @Test
    void aFlushWaitsForEverythingBefore() {
        Sim sim = new Sim(SimSpec.of(1).withWatchdogPs(0));
        long[] at = new long[3];
        SimNode[] node = new SimNode[1];
        node[0] = new SimNode(sim.root(), "n") {};
        Media media = new Media(node[0], "m", MediaProfiles.named("pm9a3"), 3, tag -> at[tag] = node[0].now());
        sim.elaborate();
        media.write(0, 0, 4096);
        media.flush(1);
        sim.run(2_000_000_000L);
        assertThat(at[0]).isBetween(1L, 25_000_000L);
        assertThat(at[1]).as("half a page is programmed too").isGreaterThan(500_000_000L);
        media.flush(2);
        sim.run(2_100_000_000L);
        assertThat(at[2]).as("nothing to wait for").isBetween(2_000_000_000L, 2_030_000_000L);
    }

    @ParameterizedTest
    @CsvSource({"pm9a3, true", "pm9a3, false", "p5800x, true", "gc, true"})
    void halfARunRestoredIsAWholeRun(String name, boolean writes) {
        MediaSpec spec = name.equals("gc")
                ? MediaProfiles.named("pm9a3").withGc(new GcSpec(256L << 20, 200, 32, 1, 3_800_000_000L, true))
                : MediaProfiles.named(name);
        Loop whole = run(spec, 16, 65_536, writes, 40);
        Loop half = run(spec, 16, 65_536, writes, 20);
        Snapshot middle = half.sim().save();
        Sim sim = new Sim(SimSpec.of(7).withWatchdogPs(0));
        Loop rest = new Loop(sim, spec, 16, 65_536, writes, 1L << 34);
        sim.elaborate();
        sim.restore(middle);
        sim.run(40_000_000_000L);
        assertThat(rest.finished).isEqualTo(whole.finished).isPositive();
        assertThat(rest.sumPs).isEqualTo(whole.sumPs);
    }

    /** Steady random writes are as fast as units program what is written and what is moved. */
    @Test
    void roomForRandomWritesIsMadeByMovingPages() {
        GcSpec small = new GcSpec(1L << 30, 145, 64, 1, 3_800_000_000L, true);
        MediaSpec spec = MediaProfiles.named("pm9a3").withBuffer(new WriteBufferSpec(4 << 20, 1 << 14, 500_000_000, 0));
        Loop none = run(spec, 64, 4096, true, 60);
        Loop some = run(spec.withGc(small), 64, 4096, true, 60);
        Loop spare = run(spec.withGc(new GcSpec(1L << 30, 400, 64, 1, 3_800_000_000L, true)), 64, 4096, true, 60);
        Loop fresh = run(spec.withGc(new GcSpec(1L << 30, 145, 64, 1, 3_800_000_000L, false)), 64, 4096, true, 60);
        assertThat(none.media.amplification()).isEqualTo(1);
        assertThat(fresh.media.amplification()).as("empty blocks first").isEqualTo(1);
        assertThat(fresh.iops()).isCloseTo(none.iops(), within(0.02 * none.iops()));
        double wa = some.media.amplification();
        assertThat(wa)
                .isBetween(
                        2.5, 5.0); // greedy, uniform: below (1 + s) / 2s = 3.9 for all blocks, above as some stay free
        assertThat(spare.media.amplification()).isBetween(1.3, 2.2);
        assertThat(some.iops()).isLessThan(none.iops() / (wa - 1)).isGreaterThan(none.iops() / (3 * wa));
        assertThat(spare.iops()).isGreaterThan(1.5 * some.iops());
    }

    /** The first milliseconds of random writes are as slow as those that follow long behind: the write buffer hides nothing. */
    @Test
    void whatIsSteadyBeginsSteady() {
        GcSpec small = new GcSpec(1L << 30, 145, 64, 1, 3_800_000_000L, true);
        MediaSpec spec = MediaProfiles.named("pm9a3").withGc(small);
        Loop first = run(spec, 256, 4096, true, 40);
        Loop all = run(spec, 256, 4096, true, 400);
        double later = (all.finished - first.finished) / 0.36;
        assertThat(first.iops()).isCloseTo(later, within(0.04 * later));
        assertThat(first.media.amplification()).isCloseTo(all.media.amplification(), within(0.3));
    }

    @Test
    void aMapAndItsWayBackAgree() {
        FlashMap map = new FlashMap(new GcSpec(16 << 20, 300, 32, 2, 1, true), 8);
        assertThat(map.isConsistent()).isTrue();
        RandomStream random = RandomStream.named(1, "m");
        for (int i = 0; i < 20_000; i++) {
            map.write(i % 8, random.below(1 << 12));
        }
        assertThat(map.isConsistent()).isTrue();
        assertThat(map.erased()).isGreaterThan(20_000 / 32);
        Snapshot s = new Snapshot();
        map.save(s);
        FlashMap other = new FlashMap(new GcSpec(16 << 20, 300, 32, 2, 1, false), 8);
        s.rewind();
        other.load(s);
        assertThat(other.isConsistent()).isTrue();
        assertThat(other.amplification()).isEqualTo(map.amplification());
    }

    @Test
    void mediaThatCannotExistAreRefused() {
        assertThatThrownBy(() -> MediaProfiles.named("p5800"))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("p5800x");
        assertThatThrownBy(() -> new MediaSpec("x", 0, -1, 4096, 0, 0, 0, 0, 0, WriteBufferSpec.NONE))
                .hasMessageContaining("number of units -1 is not in 0..4096");
        assertThatThrownBy(() -> new MediaSpec("x", 0, 1, 5000, 0, 0, 0, 0, 0, WriteBufferSpec.NONE))
                .hasMessageContaining("must be a power of two");
        assertThatThrownBy(() -> new WriteBufferSpec(100, 4096, 1, 0)).hasMessageContaining("4096..");
        assertThatThrownBy(() -> new MediaSpec("x", 0, 0, 4096, 0, 0, 0, 0, 0, new WriteBufferSpec(8192, 4096, 1, 0)))
                .hasMessageContaining("units");
    }
}
