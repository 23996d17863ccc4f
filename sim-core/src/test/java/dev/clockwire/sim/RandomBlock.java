package dev.clockwire.sim;

import dev.clockwire.sim.random.RandomStream;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A block of a random design: takes a word from one of its inputs in turn, works for a while, and puts what it made of it into one of
 * its outputs, whichever the word says. Some work for a random time, some sometimes for very long, some watch themselves with a timer.
 */
final class RandomBlock extends SimModule {
    static final int STEADY = 0;
    static final int RANDOM_TIME = 1;
    static final int SOMETIMES_LONG = 2;
    static final int WITH_TIMER = 3;
    static final int KINDS = 4;

    /** An input: returns whether a word was there, and leaves it in {@code held}. */
    interface In {
        boolean take(long cycle);
    }

    /** An output: returns whether the word went out. */
    interface Out {
        boolean put(long cycle, long word);
    }

    final List<In> inputs = new ArrayList<>();
    final List<Out> outputs = new ArrayList<>();
    final Fields f = state(new Fields());
    private final RandomStream random = random("random");
    private final Probe probe;
    private final int busy;
    private final int kind;
    private final Timer timer;

    RandomBlock(Scope parent, String name, Clock clock, int busy, int kind) {
        super(parent, name, clock);
        this.busy = busy;
        this.kind = kind;
        probe = new Probe(this, "probe");
        timer = new Timer(this, "timer") {
            @Override
            protected void expired(long at) {
                f.alarms++;
                probe.fold(at, 9, f.alarms);
                wake();
            }
        };
    }

    void connect(LongChannel in) {
        in.to(this);
        inputs.add(c -> {
            if (!in.valid(c)) {
                return false;
            }
            f.held = in.take(c);
            return true;
        });
    }

    void connect(Channel<TestToken> in) {
        in.to(this);
        inputs.add(c -> in.valid(c) && hold(in.take(c)));
    }

    void connect(CreditChannel<TestToken> in) {
        in.to(this);
        inputs.add(c -> in.valid(c) && hold(in.take(c)));
    }

    void connect(AsyncFifo<TestToken> in) {
        in.to(this);
        inputs.add(c -> in.valid(c) && hold(in.take(c)));
    }

    boolean hold(@Nullable TestToken t) {
        f.held = t == null ? 0 : t.x ^ t.y;
        return true;
    }

    @Override
    protected boolean tick(long cycle) {
        boolean done = false;
        if (f.full) {
            if (cycle < f.until) {
                wakeAt(f.until);
                return false;
            }
            if (!send(cycle)) {
                return false;
            }
            f.full = false;
            done = true;
        }
        for (int k = 1; k <= inputs.size(); k++) {
            int i = (f.turn + k) % inputs.size();
            if (inputs.get(i).take(cycle)) {
                f.turn = i;
                work(cycle);
                return f.until == cycle + 1 || rest(true);
            }
        }
        return done;
    }

    private void work(long cycle) {
        f.full = true;
        f.until = cycle + 1 + (kind == RANDOM_TIME ? random.below(busy + 1) : busy);
        if (kind == SOMETIMES_LONG && random.below(50) == 0) {
            f.until += 300;
        }
        wakeAt(f.until);
        if (kind == WITH_TIMER) {
            timer.arm(now() + 100_000 + random.below(1000));
        } else if (kind == STEADY && (f.held & 7) == 0) {
            timer.cancel();
        }
    }

    private boolean send(long cycle) {
        long word = RandomStream.mix(f.held + 1);
        if (!outputs.isEmpty()) {
            int i = (int) Long.remainderUnsigned(word, outputs.size());
            if (!outputs.get(i).put(cycle, word)) {
                return false;
            }
        }
        f.done++;
        probe.fold(clock().edge(), kind, word + cycle);
        return true;
    }

    static final class Fields implements State {
        long held;
        long until = -1;
        long done;
        long alarms;
        boolean full;
        int turn;
        int credit;

        @Override
        public void save(Snapshot out) {
            out.putLongs(new long[] {held, until, done, alarms});
            out.putBoolean(full);
            out.putInt(turn);
            out.putInt(credit);
        }

        @Override
        public void load(Snapshot in) {
            held = in.getLong();
            until = in.getLong();
            done = in.getLong();
            alarms = in.getLong();
            full = in.getBoolean();
            turn = in.getInt();
            credit = in.getInt();
        }
    }
}
