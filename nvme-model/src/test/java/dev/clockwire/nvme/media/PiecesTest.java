package dev.clockwire.nvme.media;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.SimNode;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.random.RandomStream;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import dev.clockwire.sim.state.Token;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A medium that takes one event for all pieces of a read ends each command when a queue of single pieces would. */
class PiecesTest {
    private static final int COMMANDS = 60;
    private static final long SECOND = 1_000_000_000_000L;

    /** One command. */
    record Command(long at, boolean write, long address, int bytes) {}

    /** Submits commands at their times and notes when they end. */
    private static final class Driver extends SimNode implements State {
        private final List<Command> all;
        private final Media media;
        private final long[] ended;

        Driver(Sim sim, MediaSpec spec, List<Command> all) {
            super(sim.root(), "driver");
            this.all = all;
            ended = new long[all.size()];
            EventPort submit = new EventPort(this, "submit") {
                @Override
                protected void event(int kind, long i, long b, @Nullable Token token) {
                    begin((int) i);
                }
            };
            media = state(new Media(this, "media", spec, all.size(), tag -> ended[tag] = now()));
            state(this);
            sim.elaborate();
            for (int i = 0; i < all.size(); i++) {
                submit.send(all.get(i).at(), 0, i, 0);
            }
        }

        private void begin(int i) {
            Command c = all.get(i);
            if (c.write()) {
                media.write(i, c.address(), c.bytes());
            } else {
                media.read(i, c.address(), c.bytes());
            }
        }

        @Override
        public void save(Snapshot out) {
            out.putLongs(ended);
        }

        @Override
        public void load(Snapshot in) {
            in.getLongs(ended);
        }
    }

    /** The same, piece by piece: who is ready first has the link first. */
    private static long[] pieceByPiece(MediaSpec spec, List<Command> all) {
        record Ready(long at, int order, int command, int bytes) {}
        PriorityQueue<Ready> pieces =
                new PriorityQueue<>(Comparator.comparingLong(Ready::at).thenComparingInt(Ready::order));
        long[] unitFree = new long[spec.units()];
        long[] ends = new long[all.size()];
        long pipeline = 0;
        double link = 0;
        int order = 0;
        for (int i = 0; i <= all.size(); i++) {
            long until = i < all.size() ? all.get(i).at() : Long.MAX_VALUE;
            while (!pieces.isEmpty() && pieces.peek().at() < until) {
                Ready r = pieces.remove();
                link = Math.max(link, (double) r.at()) + (double) r.bytes() * SECOND / spec.linkRate();
                ends[r.command()] = Math.max(ends[r.command()], (long) link + spec.fixedPs());
            }
            if (i == all.size()) {
                break;
            }
            Command c = all.get(i);
            pipeline = Math.max(pipeline, c.at()) + spec.pipelinePs();
            long from = pipeline;
            if (c.write()) {
                link = Math.max(link, (double) from) + (double) c.bytes() * SECOND / spec.linkRate();
                from = (long) link;
            }
            for (long at = c.address(); at < c.address() + c.bytes(); at = (at | spec.pieceBytes() - 1) + 1) {
                int n = (int) (Math.min(c.address() + c.bytes(), (at | spec.pieceBytes() - 1) + 1) - at);
                int unit = (int) Long.remainderUnsigned(RandomStream.mix(at / spec.pieceBytes()), spec.units());
                unitFree[unit] = Math.max(unitFree[unit], from) + (c.write() ? spec.writePs() : spec.readPs());
                if (c.write()) {
                    ends[i] = Math.max(ends[i], Math.max(from, unitFree[unit]) + spec.fixedPs());
                } else {
                    pieces.add(new Ready(unitFree[unit], order++, i, n));
                }
            }
        }
        return ends;
    }

    private static List<Command> commands(Random random) {
        List<Command> all = new ArrayList<>();
        long at = 1;
        for (int i = 0; i < COMMANDS; i++) {
            at += 1 + random.nextInt(40_000_000);
            int bytes = 512 * (1 + random.nextInt(random.nextBoolean() ? 4 : 400));
            all.add(new Command(at, random.nextInt(4) == 0, 512L * random.nextInt(1 << 20), bytes));
        }
        return all;
    }

    private static MediaSpec medium(Random random) {
        return new MediaSpec(
                "m",
                random.nextInt(2_000_000),
                1 + random.nextInt(32),
                1 << (9 + random.nextInt(4)),
                1 + random.nextInt(60_000_000),
                1 + random.nextInt(9_000_000),
                0,
                1_000_000_000L + random.nextInt(1_000_000_000),
                random.nextInt(9_000_000),
                WriteBufferSpec.NONE);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void eachCommandEndsWhenItsPiecesHavePassedOneByOne(int seed) {
        Random random = new Random(seed);
        MediaSpec spec = medium(random);
        List<Command> all = commands(random);
        Sim sim = new Sim(SimSpec.of(1).withWatchdogPs(0));
        Driver driver = new Driver(sim, spec, all);
        sim.run(all.get(COMMANDS / 2).at());
        Snapshot half = sim.save();
        sim.run(10 * SECOND);
        long[] whole = driver.ended.clone();
        sim.restore(half);
        sim.run(20 * SECOND);
        assertThat(driver.ended).as("behind a snapshot").isEqualTo(whole);
        long[] expected = pieceByPiece(spec, all);
        for (int i = 0; i < COMMANDS; i++) {
            // the reference keeps fractions of a picosecond in another way
            assertThat(whole[i] - expected[i]).as("command " + i).isBetween(-2L, 2L);
        }
    }
}
