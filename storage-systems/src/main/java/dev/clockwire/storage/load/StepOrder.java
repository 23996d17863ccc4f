package dev.clockwire.storage.load;

import dev.clockwire.sim.trace.Waterfall;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Which step of a protocol comes from which, and what the time between the two is called: {@code @} in a name is the part that the machine of the later one plays. By this the critical
 * path of an operation is found backwards from its end: what a machine does comes from what it did before, what arrives from who sent it, and where several answers are waited for, from the
 * last of them.
 */
public final class StepOrder {
    /** The stage from the first time that a client asked to the time that was answered: tries that failed, and waits between them. */
    public static final String TRIES = "tries before";

    private static final String OWN = "@";

    private final Roles roles;
    private final Map<String, Rule> rules = new TreeMap<>();

    /** Names the parts that machines play. */
    @FunctionalInterface
    public interface Roles {
        /**
         * Names a part.
         *
         * @param place of the machine among those on the path, clients aside
         * @param machines on the path
         */
        String name(int place, int machines, boolean write);
    }

    private enum Kind {
        /** Comes from what the machine did before, whatever arrived meanwhile. */
        NEXT,
        /** Comes from what arrived or was done last. */
        FOLLOWS,
        /** Comes from what arrived or was done last, the answers that it waits for among it. */
        JOINS,
        /** Comes from another machine. */
        ARRIVES,
        /** Comes from another machine, and only {@link #JOINS} waits for it. */
        BESIDE,
        /** A client asks. */
        TRIES
    }

    private record Rule(Kind kind, String stage, List<String> from) {}

    /** Creates an order without steps; others than those that are added are passed over. */
    public StepOrder(Roles roles) {
        this.roles = roles;
    }

    private StepOrder add(Kind kind, String step, String stage, String... from) {
        rules.put(step, new Rule(kind, stage, List.copyOf(Arrays.asList(from))));
        return this;
    }

    /** A step that comes from the one before at its machine, but for what arrives. */
    public StepOrder next(String step, String stage) {
        return add(Kind.NEXT, step, stage);
    }

    /** A step that may come from what has arrived at its machine. */
    public StepOrder follows(String step, String stage) {
        return add(Kind.FOLLOWS, step, stage);
    }

    /** A step that waits for others which go on beside each other. */
    public StepOrder joins(String step, String stage) {
        return add(Kind.JOINS, step, stage);
    }

    /** The arrival of what another machine sent with one of some steps. */
    public StepOrder arrives(String step, String stage, String... from) {
        return add(Kind.ARRIVES, step, stage, from);
    }

    /** The arrival of what the next {@linkplain #joins joining} step at this machine waits for, while it does other work. */
    public StepOrder beside(String step, String stage, String... from) {
        return add(Kind.BESIDE, step, stage, from);
    }

    /** The step with which a client asks, once more if it has to. */
    public StepOrder tries(String step, String stage) {
        return add(Kind.TRIES, step, stage);
    }

    /** Returns the critical path of an operation that has ended: from when the client began it to when it saw the end. */
    public Waterfall path(OperationSteps op) {
        List<Integer> back = new ArrayList<>();
        for (int i = latest(op, op.count(), op.client(), Kind.FOLLOWS); i >= 0; i = before(op, i)) {
            back.add(i);
        }
        List<Integer> hosts = new ArrayList<>();
        List<Waterfall.Segment> path = new ArrayList<>();
        for (int j = back.size() - 1; j >= 0; j--) {
            int host = op.host(back.get(j));
            if (host != op.client() && !hosts.contains(host)) {
                hosts.add(host);
            }
        }
        long at = op.startPs();
        for (int j = back.size() - 1; j >= 0; j--) {
            int i = back.get(j);
            long to = Math.max(at, Math.min(op.ps(i), op.endPs()));
            boolean first = j == back.size() - 1;
            add(path, named(op, i, first, hosts), at, to);
            at = to;
        }
        if (op.latencyPs() == 0) {
            path.add(new Waterfall.Segment(Waterfall.UNACCOUNTED, "", at, at));
        }
        add(path, at == op.startPs() ? Waterfall.UNACCOUNTED : "client: completion", at, op.endPs());
        return Waterfall.of(path);
    }

    private static void add(List<Waterfall.Segment> path, String stage, long from, long to) {
        if (to > from) {
            path.add(new Waterfall.Segment(stage, "", from, to));
        }
    }

    private String named(OperationSteps op, int i, boolean first, List<Integer> hosts) {
        Rule r = rule(op, i);
        if (r.kind == Kind.TRIES && firstTry(op, i) < i) {
            return TRIES;
        }
        if (first && (op.host(i) != op.client() || r.kind == Kind.ARRIVES)) {
            return Waterfall.UNACCOUNTED; // nobody has told how it came there
        }
        int host = op.host(i);
        String role = host == op.client() ? "client" : roles.name(hosts.indexOf(host), hosts.size(), op.isWrite());
        return r.stage.replace(OWN, role);
    }

    private Rule rule(OperationSteps op, int i) {
        return java.util.Objects.requireNonNull(rules.get(op.name(i)));
    }

    /** Returns the first time that the client asked. */
    private int firstTry(OperationSteps op, int i) {
        for (int k = 0; k < i; k++) {
            Rule r = rules.get(op.name(k));
            if (r != null && r.kind == Kind.TRIES) {
                return k;
            }
        }
        return i;
    }

    /** Returns what a step comes from, -1 if that is not known or it is the first. */
    private int before(OperationSteps op, int i) {
        Rule r = rule(op, i);
        switch (r.kind) {
            case ARRIVES, BESIDE -> {
                int k = i - 1;
                while (k >= 0 && (op.host(k) == op.host(i) || !r.from.contains(op.name(k)))) {
                    k--;
                }
                return k;
            }
            case TRIES -> {
                int first = firstTry(op, i);
                return first < i ? first : latest(op, i, op.host(i), Kind.NEXT);
            }
            case NEXT -> {
                int k = latest(op, i, op.host(i), Kind.NEXT);
                return k < 0 ? latest(op, i, op.host(i), Kind.FOLLOWS) : k;
            }
            default -> {
                return latest(op, i, op.host(i), r.kind);
            }
        }
    }

    /** Returns the last step of a machine before one that can be what a step of a kind comes from. */
    private int latest(OperationSteps op, int i, int host, Kind of) {
        int k = i - 1;
        while (k >= 0 && (op.host(k) != host || !canPrecede(rules.get(op.name(k)), of))) {
            k--;
        }
        return k;
    }

    private static boolean canPrecede(@Nullable Rule r, Kind of) {
        if (r == null) {
            return false;
        }
        return switch (of) {
            case NEXT -> r.kind != Kind.ARRIVES && r.kind != Kind.BESIDE;
            case FOLLOWS -> r.kind != Kind.BESIDE;
            default -> true;
        };
    }
}
