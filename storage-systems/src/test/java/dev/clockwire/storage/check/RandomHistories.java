package dev.clockwire.storage.check;

import dev.clockwire.storage.check.Operation.Kind;
import dev.clockwire.storage.check.Operation.Outcome;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;

/** Histories of one key as a register that works would leave them, some of them bent afterwards. */
final class RandomHistories {
    private static final long STEP = 10;
    private static final List<Outcome> OUTCOMES = List.of(Outcome.OK, Outcome.FAIL, Outcome.UNKNOWN);

    private final Random random;
    private final int width;

    /**
     * @param width how far before and after its effect an operation's call and answer may be, in effects
     */
    RandomHistories(long seed, int width) {
        random = new Random(seed);
        this.width = width;
    }

    /** Operations of a register: each has its effect at one instant between call and answer. */
    List<Operation> register(int size) {
        List<Operation> ops = new ArrayList<>();
        String value = "";
        long version = 0;
        for (int i = 0; i < size; i++) {
            long at = STEP * (width + i);
            long invoke = at - random.nextInt((int) STEP * width);
            long end = at + random.nextInt((int) STEP * width);
            if (random.nextInt(5) < 2) {
                ops.add(new Operation(i, Kind.READ, "k", value, invoke, end, Outcome.OK, version, 1));
            } else {
                int fate = random.nextInt(10);
                boolean happens = fate != 0;
                boolean answered = fate > 2;
                value = happens ? "v" + i : value;
                version += happens ? 1 : 0;
                ops.add(new Operation(
                        i,
                        Kind.WRITE,
                        "k",
                        "v" + i,
                        invoke,
                        answered ? end : Operation.NEVER,
                        answered ? Outcome.OK : Outcome.UNKNOWN,
                        answered ? version : Operation.NO_VERSION,
                        1));
            }
        }
        return ops;
    }

    /** The same with one operation that comes later, ends earlier, returns something else, or took effect twice. */
    List<Operation> bent(List<Operation> ops) {
        List<Operation> bent = new ArrayList<>(ops);
        int i = random.nextInt(ops.size());
        Operation op = ops.get(i);
        Operation other = ops.get(random.nextInt(ops.size()));
        boolean known = op.outcome() == Outcome.OK;
        switch (random.nextInt(5)) {
            case 0 -> bent.set(i, moved(op, STEP * (1 + random.nextInt(3))));
            case 1 -> bent.set(i, moved(op, -STEP * (1 + random.nextInt(3))));
            case 2 -> {
                if (!op.isWrite()) {
                    boolean both = random.nextBoolean();
                    bent.set(i, with(op, other.value(), both ? other.version() : op.version(), 1));
                }
            }
            case 3 -> bent.set(i, with(op, op.value(), known ? other.version() : op.version(), 1));
            default ->
                bent.set(
                        i,
                        with(
                                op,
                                op.value(),
                                known ? 1 + random.nextInt(ops.size()) : op.version(),
                                op.isWrite() ? 2 : 1));
        }
        return bent;
    }

    /** Whatever, of few values at few instants. */
    List<Operation> anything(int size) {
        List<Operation> ops = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            long invoke = random.nextInt(8);
            long end = invoke + random.nextInt(5);
            boolean write = random.nextBoolean();
            Outcome outcome = write ? OUTCOMES.get(random.nextInt(8) / 4 * random.nextInt(3)) : Outcome.OK;
            int of = write ? i : random.nextInt(size + 1);
            ops.add(new Operation(
                    i,
                    write ? Kind.WRITE : Kind.READ,
                    "k",
                    of == size ? "" : "v" + of,
                    invoke,
                    end,
                    outcome,
                    outcome != Outcome.OK
                            ? Operation.NO_VERSION
                            : of == size ? 0 : random.nextInt(8) == 0 ? of : of + 1,
                    1 + random.nextInt(2)));
        }
        ops.sort(Comparator.comparingLong(Operation::invokePs));
        return ops;
    }

    List<Operation> next(int size) {
        List<Operation> ops = random.nextInt(4) == 0 ? anything(size) : register(size);
        for (int bends = random.nextInt(5); bends > 0; bends--) {
            ops = bent(ops);
        }
        return ops;
    }

    private static Operation moved(Operation op, long by) {
        long invoke = Math.max(0, op.invokePs() + by);
        long end = op.returnPs() == Operation.NEVER ? op.returnPs() : Math.max(invoke, op.returnPs() + by);
        return new Operation(
                op.client(), op.kind(), op.key(), op.value(), invoke, end, op.outcome(), op.version(), op.attempts());
    }

    private static Operation with(Operation op, String value, long version, int attempts) {
        return new Operation(
                op.client(), op.kind(), op.key(), value, op.invokePs(), op.returnPs(), op.outcome(), version, attempts);
    }
}
