package dev.clockwire.sim.parallel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.SimNode;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.random.RandomStream;
import dev.clockwire.sim.state.Token;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.constraints.IntRange;
import org.jspecify.annotations.Nullable;

/** Stations that send to each other at random, calm and busy in turn: what each sees is the same however they are spread over threads. */
class PartsProperties {
    private static final int STATIONS = 7;
    private static final long UNTIL = 60_000;

    @Property(tries = 25, shrinking = ShrinkingMode.OFF)
    void aStationSeesTheSameInAnyPart(
            @ForAll long seed,
            @ForAll @IntRange(min = 2, max = 400) int lookahead,
            @ForAll @IntRange(min = 1, max = 4) int threads) {
        assertThat(run(seed, lookahead, threads)).isEqualTo(run(seed, lookahead, 1));
    }

    private static List<Long> run(long seed, int lookahead, int threads) {
        List<Sim> sims = new ArrayList<>();
        List<List<Mailbox>> inboxes = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            sims.add(new Sim(SimSpec.of(seed).withWatchdogPs(0)));
            List<Mailbox> boxes = new ArrayList<>();
            for (int j = 0; j < threads; j++) {
                boxes.add(new Mailbox());
            }
            inboxes.add(boxes);
        }
        RandomStream places = new RandomStream(seed);
        List<Station> stations = new ArrayList<>();
        for (int i = 0; i < STATIONS; i++) {
            int part = threads == 1 ? 0 : places.nextInt(threads);
            stations.add(new Station(sims.get(part), i, part, lookahead));
        }
        for (Station s : stations) {
            s.connect(stations, inboxes);
        }
        sims.forEach(Sim::elaborate);
        stations.forEach(Station::begin);
        try (Parts parts = new Parts(sims, inboxes, lookahead)) {
            for (long t = UNTIL / 5; t <= UNTIL; t += UNTIL / 5) {
                parts.run(t);
                assertThat(sims).allMatch(s -> s.now() > 0);
            }
        }
        List<Long> seen = new ArrayList<>();
        for (Station s : stations) {
            seen.add(s.seen);
            seen.add(s.count);
        }
        assertThat(seen.get(1)).isPositive();
        return seen;
    }

    private static final class Station extends SimNode {
        private final int part;
        private final int lookahead;
        private final RandomStream random = random("r");
        private final EventPort[] in = new EventPort[STATIONS];
        private final EventPort[] out = new EventPort[STATIONS];
        private final @Nullable Mailbox[] post = new Mailbox[STATIONS];
        private final int number;
        private long seen;
        private long count;

        Station(Sim sim, int number, int part, int lookahead) {
            super(sim.root(), "station" + number);
            this.number = number;
            this.part = part;
            this.lookahead = lookahead;
            for (int i = 0; i < STATIONS; i++) {
                int from = i;
                in[i] = new EventPort(this, "from" + i) {
                    @Override
                    protected void event(int kind, long a, long b, @Nullable Token token) {
                        hear(from, a);
                    }
                };
            }
        }

        void connect(List<Station> stations, List<List<Mailbox>> inboxes) {
            for (Station to : stations) {
                out[to.number] = to.in[number];
                post[to.number] = to.part == part ? null : inboxes.get(to.part).get(part);
            }
        }

        void begin() {
            in[number].send(1 + number, 1, 0, 0, null);
            in[number].send(UNTIL / 2, 1, 0, 0, null);
        }

        /** Each word is passed on; in the first third of each half some are doubled, later some are dropped. */
        private void hear(int from, long word) {
            seen = RandomStream.mix(seen ^ now() ^ (long) from << 50 ^ word);
            count++;
            boolean rush = now() % (UNTIL / 2) < UNTIL / 6;
            int more = rush && count < 3_000 ? random.nextInt(3) : random.nextInt(10) < 9 ? 1 : 0;
            for (int i = 0; i < more; i++) {
                int to = random.nextInt(STATIONS);
                long at = now() + lookahead + random.nextInt(1 + lookahead);
                Mailbox box = post[to];
                if (box == null) {
                    out[to].send(at, 1, seen, 0, null);
                } else {
                    box.put(out[to], at, 1, seen, 0, null);
                }
            }
        }
    }
}
