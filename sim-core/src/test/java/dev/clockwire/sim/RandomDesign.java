package dev.clockwire.sim;

import dev.clockwire.sim.random.RandomStream;

/** Random graphs of blocks with one to three clocks, all kinds of channels, event-driven memories, timers and sources. */
final class RandomDesign {
    private final RandomStream r;
    private final Scope root;
    private final Clock[] clocks;
    private final RandomBlock[] blocks;
    private int links;

    private RandomDesign(SimSpec spec) {
        r = RandomStream.named(spec.seed(), "design");
        Sim sim = new Sim(spec);
        root = sim.root();
        clocks = new Clock[] {
            new Clock(root, "a", Frequency.mhz(250)),
            new Clock(root, "b", Frequency.ofPeriodPs(102_400, 33), 17),
            new Clock(root, "c", Frequency.ofPeriodPs(8000, 3))
        };
        blocks = new RandomBlock[4 + r.below(100)];
    }

    /** Builds the design of the spec's seed; the rest of the spec does not change it. */
    static Sim build(SimSpec spec) {
        return open(spec).elaborate();
    }

    /** Builds it without closing it: more may be added. */
    static Sim open(SimSpec spec) {
        RandomDesign d = new RandomDesign(spec);
        d.fill();
        return d.root.sim();
    }

    private void fill() {
        int used = 1 + r.below(clocks.length);
        for (int i = 0; i < blocks.length; i++) {
            int busy = r.below(4) == 0 ? r.below(100) : r.below(3);
            blocks[i] = new RandomBlock(root, "block" + i, clocks[r.below(used)], busy, r.below(RandomBlock.KINDS));
        }
        for (RandomBlock b : blocks) {
            for (int k = r.below(3); k >= 0; k--) {
                join(b, blocks[r.below(blocks.length)]);
            }
            if (r.below(3) == 0) {
                LongChannel c = new LongChannel(root, "link" + links++, b.clock(), 2);
                b.connect(c);
                new RandomSource(root, "source of " + b.path(), b.clock(), c, 1 + r.below(30));
            }
        }
        RandomMemory[] memories = {new RandomMemory(root, "m0"), new RandomMemory(root, "m1")};
        for (RandomBlock b : blocks) {
            if (r.below(2) == 0) {
                memories[r.below(2)].attach(b, 1 + r.below(8), 1 + r.below(3));
            }
        }
    }

    private void join(RandomBlock from, RandomBlock to) {
        String name = "link" + links++;
        if (from.clock() != to.clock()) {
            fifo(name, from, to);
            return;
        }
        switch (r.below(3)) {
            case 0 -> {
                LongChannel c = new LongChannel(root, name, to.clock(), 1 + r.below(4)).from(from);
                to.connect(c);
                from.outputs.add((n, word) -> {
                    if (!c.ready(n)) {
                        return false;
                    }
                    c.put(n, word);
                    return true;
                });
            }
            case 1 -> {
                Channel<TestToken> c = new Channel<TestToken>(root, name, to.clock(), 1 + r.below(4)).from(from);
                to.connect(c);
                from.outputs.add((n, word) -> {
                    if (!c.ready(n)) {
                        return false;
                    }
                    c.put(n, new TestToken(word, n));
                    return true;
                });
            }
            default -> {
                CreditChannel<TestToken> c = new CreditChannel<TestToken>(
                                root, name, to.clock(), 1 + r.below(5), 1 + r.below(5), 1 + r.below(9))
                        .from(from);
                to.connect(c);
                from.outputs.add((n, word) -> {
                    if (!c.ready(n)) {
                        return false;
                    }
                    c.put(n, new TestToken(word, n));
                    return true;
                });
            }
        }
    }

    private void fifo(String name, RandomBlock from, RandomBlock to) {
        AsyncFifo<TestToken> c = new AsyncFifo<TestToken>(root, name, 1 + r.below(8), 1 + r.below(3)).from(from);
        to.connect(c);
        from.outputs.add((n, word) -> {
            if (!c.ready(n)) {
                return false;
            }
            c.put(n, new TestToken(word, n));
            return true;
        });
    }
}
