package dev.clockwire.storage.check.monitor;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** A chain of three nodes in a few lines: writes, crashes, new tables and copies fetched up, in a random order; and ways to get it wrong. */
final class ChainModel {
    /** What is done wrong. */
    enum Mutant {
        NONE,
        ACK_BEFORE_COMMIT,
        HEAD_COMMITS_FIRST,
        SKIP_A_VERSION,
        SAME_VERSION_AGAIN,
        OTHER_BYTES,
        NO_FETCH,
        EVERYBODY_IS_HEAD,
        TAIL_FORGETS,
        OLD_TABLE
    }

    private static final int NODES = 3;
    private static final int KEYS = 2;

    final Monitors monitors;
    private final Random random;
    private final Mutant mutant;
    private long ps;
    private long chainVer;
    private List<Integer> order = new ArrayList<>(List.of(0, 1, 2));
    private final TargetState[] states = new TargetState[NODES];
    private final long[] adopted = new long[NODES];
    private final boolean[] up = {true, true, true};
    private final long[][] update = new long[NODES][KEYS];
    private final long[][] commit = new long[NODES][KEYS];
    private final long[][] digest = new long[NODES][KEYS];
    private final long[] writing = new long[KEYS];
    private final long[] content = new long[KEYS];
    private int synced;
    private long nextContent = 1;

    ChainModel(long seed, Mutant mutant, Monitors monitors) {
        random = new Random(seed);
        this.mutant = mutant;
        this.monitors = monitors;
        for (int n = 0; n < NODES; n++) {
            states[n] = TargetState.SERVING;
        }
        newTable();
    }

    void run(int steps) {
        for (int i = 0; i < steps; i++) {
            step(random.nextInt(50), random.nextInt(NODES));
        }
    }

    void comeToRest() {
        for (int i = 0; i < 400; i++) {
            step(random.nextInt(22), random.nextInt(NODES));
        }
        monitors.quiescent(++ps);
    }

    private void step(int what, int node) {
        ps += 1 + random.nextInt(1000);
        int key = random.nextInt(KEYS);
        boolean syncing = isThere(TargetState.SYNCING);
        if (what < 14) {
            advance(key);
        } else if (what < 18) {
            adopt(node);
        } else if (what < 22) {
            fetch();
        } else if (what == 22 && !syncing && serving().size() > 1 && up[node]) {
            crash(node);
        } else if (what == 23 && !syncing && !up[node]) {
            comeBack(node);
        } else if (what > 23 && writing[key] == 0 && !syncing) {
            begin(key, node);
        }
    }

    private void begin(int key, int anybody) {
        int head = mutant == Mutant.EVERYBODY_IS_HEAD && up[anybody]
                ? anybody
                : serving().get(0);
        if (adopted[head] != chainVer) {
            return;
        }
        monitors.headed(ps, head, 0, chainVer);
        boolean wrong = random.nextInt(4) == 0;
        long version = commit[head][key] + (wrong && mutant == Mutant.SKIP_A_VERSION ? 2 : 1);
        if (wrong && version > 1 && mutant == Mutant.SAME_VERSION_AGAIN) {
            version--;
            for (long[] copies : commit) {
                copies[key] = version - 1;
            }
        }
        writing[key] = version;
        content[key] = nextContent++;
        pending(head, key);
    }

    private void pending(int node, int key) {
        update[node][key] = writing[key];
        monitors.updated(ps, node, 0, key, writing[key]);
    }

    /** The first that has not heard of the write hears of it; then the last that has not committed it commits; then the client hears. */
    private void advance(int key) {
        List<Integer> serving = serving();
        if (writing[key] == 0 || serving.stream().anyMatch(n -> adopted[n] != chainVer)) {
            return;
        }
        if (serving.stream().noneMatch(n -> update[n][key] >= writing[key])) {
            writing[key] = 0; // its head is gone, and nobody else had heard of it
            return;
        }
        if (mutant == Mutant.HEAD_COMMITS_FIRST && update[serving.get(0)][key] != commit[serving.get(0)][key]) {
            commit(serving.get(0), key);
            return;
        }
        for (int n : serving) {
            if (update[n][key] < writing[key]) {
                pending(n, key);
                return;
            }
        }
        for (int i = serving.size() - 1; i >= 0; i--) {
            boolean early = mutant == Mutant.ACK_BEFORE_COMMIT && i == 0;
            if (commit[serving.get(i)][key] < writing[key] && !early) {
                commit(serving.get(i), key);
                return;
            }
        }
        monitors.acked(ps, 7, 0, key, chainVer, writing[key]);
        writing[key] = 0;
    }

    private void commit(int node, int key) {
        commit[node][key] = writing[key];
        digest[node][key] = content[key] + (mutant == Mutant.OTHER_BYTES && node == 1 ? 1000 : 0);
        if (mutant != Mutant.TAIL_FORGETS || serving().get(serving().size() - 1) != node) {
            monitors.committed(ps, node, 0, key, chainVer, writing[key], digest[node][key]);
        }
    }

    private void adopt(int node) {
        if (up[node] && adopted[node] < chainVer) {
            adopted[node] = chainVer;
            monitors.adopted(ps, node, 0, chainVer - (mutant == Mutant.OLD_TABLE && chainVer > 2 ? 2 : 0));
        }
    }

    private void crash(int node) {
        up[node] = false;
        monitors.crashed(ps, node);
        states[node] = TargetState.OFFLINE;
        newTable();
    }

    private void comeBack(int node) {
        up[node] = true;
        states[node] = TargetState.SYNCING;
        synced = 0;
        order.remove((Integer) node);
        order.add(node);
        newTable();
    }

    /** One key more of the copy that fetches up; then it serves. */
    private void fetch() {
        int last = order.get(NODES - 1);
        if (states[last] != TargetState.SYNCING || writing[0] + writing[1] > 0 || adopted[last] != chainVer) {
            return;
        }
        List<Integer> serving = serving();
        int from = serving.get(serving.size() - 1);
        if (adopted[from] != chainVer) {
            return;
        }
        if (synced < KEYS) {
            if (mutant != Mutant.NO_FETCH && commit[from][synced] > 0) {
                commit[last][synced] = commit[from][synced];
                digest[last][synced] = digest[from][synced];
                update[last][synced] = commit[from][synced];
                long copied = monitors.replicas()
                        .chainVersion(from, monitors.replicas().chunk(0, synced));
                monitors.replaced(ps, last, 0, synced, copied, commit[last][synced], digest[last][synced]);
            } else if (mutant != Mutant.NO_FETCH) {
                update[last][synced] = 0;
                monitors.removed(ps, last, 0, synced);
            }
            synced++;
        } else {
            states[last] = TargetState.SERVING;
            newTable();
        }
    }

    private void newTable() {
        List<TargetState> inOrder = new ArrayList<>();
        for (int n : order) {
            inOrder.add(states[n]);
        }
        monitors.table(ps, 0, ++chainVer, List.copyOf(order), inOrder);
    }

    private List<Integer> serving() {
        return order.stream().filter(n -> states[n] == TargetState.SERVING).toList();
    }

    private boolean isThere(TargetState state) {
        return List.of(states).contains(state);
    }
}
