package dev.clockwire.storage.check;

import dev.clockwire.storage.check.Operation.Kind;
import dev.clockwire.storage.check.Operation.Outcome;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Histories of a key of four cells, right or torn, and their verdict by all orders. */
final class RandomCells {
    private static final int CELLS = 4;
    private static final long STEP = 10;

    private final Random random;

    RandomCells(long seed) {
        random = new Random(seed);
    }

    List<CellOperation> next(int size) {
        List<CellOperation> ops = new ArrayList<>();
        List<List<String>> states = new ArrayList<>();
        states.add(Collections.nCopies(CELLS, ""));
        for (int i = 0; i < size; i++) {
            int first = random.nextInt(CELLS);
            int end = first + 1 + random.nextInt(CELLS - first);
            long at = STEP * (i + 3);
            long invoke = at - random.nextInt(3 * (int) STEP);
            long answer = at + random.nextInt(3 * (int) STEP);
            if (random.nextInt(2) == 0) {
                invoke = answer;
            }
            List<String> now = new ArrayList<>(states.get(states.size() - 1));
            if (random.nextInt(5) < 2) {
                List<String> got = now.subList(first, end);
                if (random.nextInt(2) == 0) {
                    int torn = random.nextInt(got.size());
                    got.set(torn, states.get(random.nextInt(states.size())).get(first + torn));
                }
                Operation op = Operation.of(i, Kind.READ, "k", String.join(",", got), invoke, answer, Outcome.OK);
                ops.add(new CellOperation(op, first, got));
            } else {
                boolean known = random.nextInt(5) > 0;
                Operation op = Operation.of(
                        i,
                        Kind.WRITE,
                        "k",
                        "v" + i,
                        invoke,
                        known ? answer : Operation.NEVER,
                        known ? Outcome.OK : Outcome.UNKNOWN);
                ops.add(CellOperation.write(op, first, end - first));
                if (known || random.nextBoolean()) {
                    Collections.fill(now.subList(first, end), "v" + i);
                    states.add(now);
                }
            }
        }
        return ops;
    }

    static boolean linearizable(List<CellOperation> ops) {
        return order(ops, Collections.nCopies(CELLS, ""));
    }

    private static boolean order(List<CellOperation> left, List<String> cells) {
        if (left.stream().allMatch(c -> c.operation().outcome() == Outcome.UNKNOWN)) {
            return true;
        }
        long end = left.stream().mapToLong(c -> c.operation().latestPs()).min().orElseThrow();
        for (CellOperation c : left) {
            boolean write = c.operation().isWrite();
            List<String> mine = cells.subList(c.firstCell(), c.end());
            if (c.operation().invokePs() > end || (!write && !mine.equals(c.cells()))) {
                continue;
            }
            List<String> now = new ArrayList<>(cells);
            Collections.copy(now.subList(c.firstCell(), c.end()), c.cells());
            List<CellOperation> rest = new ArrayList<>(left);
            rest.remove(c);
            if (order(rest, now)) {
                return true;
            }
        }
        return false;
    }
}
