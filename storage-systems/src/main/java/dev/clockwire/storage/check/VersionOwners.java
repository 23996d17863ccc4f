package dev.clockwire.storage.check;

import dev.clockwire.storage.check.Operation.Outcome;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Which write of a key owns which versions, by the answers of writes and reads. The place of a write is its last version. */
final class VersionOwners {
    /** The version of what nobody has written. */
    static final long FIRST = 0;
    /** The place of a write of which no version is known. */
    static final long NOWHERE = -1;

    private final List<Operation> ops;
    private final Map<String, Integer> writeOf = new TreeMap<>();
    private final TreeMap<Long, Integer> owner = new TreeMap<>();
    private final TreeMap<Long, Operation> namedBy = new TreeMap<>();
    private final long[] last;
    private final int[] versions;

    VersionOwners(List<Operation> ops) {
        this.ops = ops;
        last = new long[ops.size()];
        versions = new int[ops.size()];
        Arrays.fill(last, NOWHERE);
    }

    /** Finds the owners; returns the first violation, null if there is none. */
    @Nullable
    Verdict find() {
        for (int i = 0; i < ops.size(); i++) {
            Operation op = ops.get(i);
            if (op.isWrite()) {
                writeOf.put(op.value(), i);
                @Nullable Verdict bad = op.outcome() == Outcome.OK ? own(op.version(), i, op) : null;
                if (bad != null) {
                    return bad;
                }
            }
        }
        for (Operation op : ops) {
            @Nullable Verdict bad = op.isAnsweredRead() ? read(op) : null;
            if (bad != null) {
                return bad;
            }
        }
        return tooMany();
    }

    private @Nullable Verdict read(Operation read) {
        if (read.value().isEmpty()) {
            @Nullable Operation namer = namedBy.get(read.version());
            return read.version() <= FIRST
                    ? null
                    : Verdict.violation(
                            Rule.CONTENT,
                            "a read of version " + read.version() + " returned nothing",
                            namer == null ? List.of(read) : List.of(namer, read));
        }
        @Nullable Integer write = writeOf.get(read.value());
        if (write == null) {
            return Verdict.violation(
                    Rule.CONTENT, "a read returned \"" + read.value() + "\", which nobody wrote", read);
        }
        if (ops.get(write).outcome() == Outcome.FAIL) {
            return Verdict.violation(
                    Rule.CONTENT, "a read returned the data of a write that was refused", ops.get(write), read);
        }
        return own(read.version(), write, read);
    }

    private @Nullable Verdict own(long version, int write, Operation namer) {
        if (version == Operation.NO_VERSION) {
            return null;
        }
        if (version == FIRST) {
            return Verdict.violation(Rule.CONTENT, "version 0 is that of what nobody has written", namer);
        }
        @Nullable Integer before = owner.putIfAbsent(version, write);
        if (before == null) {
            namedBy.put(version, namer);
            last[write] = Math.max(last[write], version);
            versions[write]++;
        } else if (before != write) {
            Operation first = namedBy.getOrDefault(version, namer);
            return first.isWrite() && namer.isWrite()
                    ? Verdict.violation(Rule.OWNER, "two writes have version " + version, first, namer)
                    : Verdict.violation(
                            Rule.CONTENT,
                            "version " + version + " is \"" + first.value() + "\" and \"" + namer.value() + "\"",
                            first,
                            namer);
        }
        return null;
    }

    private @Nullable Verdict tooMany() {
        for (int i = 0; i < last.length; i++) {
            if (versions[i] > ops.get(i).attempts()) {
                Operation write = ops.get(i);
                List<Operation> witness = new ArrayList<>(List.of(write));
                for (Map.Entry<Long, Integer> e : owner.entrySet()) {
                    Operation namer = namedBy.getOrDefault(e.getKey(), write);
                    if (e.getValue() == i && !namer.equals(write) && witness.size() <= 2) {
                        witness.add(namer);
                    }
                }
                return Verdict.violation(
                        Rule.SECOND_EFFECT,
                        "a write sent " + times(write.attempts()) + " has " + versions[i] + " versions",
                        witness);
            }
        }
        return null;
    }

    /** Returns whether versions are missing that no write is left for: the operations on both sides of the first. */
    @Nullable
    Verdict gap() {
        long missing = 0;
        long before = FIRST;
        @Nullable Operation below = null;
        List<Operation> around = new ArrayList<>();
        for (Map.Entry<Long, Operation> e : namedBy.entrySet()) {
            if (missing == 0 && e.getKey() > before + 1) {
                around.addAll(below == null ? List.of() : List.of(below));
                around.add(e.getValue());
            }
            missing += e.getKey() - before - 1;
            before = e.getKey();
            below = e.getValue();
        }
        long left = 0;
        for (int i = 0; i < last.length; i++) {
            Operation op = ops.get(i);
            left += op.isWrite() && op.outcome() != Outcome.FAIL ? op.attempts() - versions[i] : 0;
        }
        return missing <= left
                ? null
                : Verdict.violation(
                        Rule.GAP,
                        missing + " of the versions below " + before + " are missing, " + left
                                + " writes are left that may own them",
                        around);
    }

    /** Returns the place in the order of operation i: the last version of its write, {@link #NOWHERE} if none is known. */
    long place(int i) {
        Operation op = ops.get(i);
        if (op.isWrite()) {
            return last[i];
        }
        return op.value().isEmpty() ? FIRST : last[writeOf.getOrDefault(op.value(), i)];
    }

    /** Returns the version that operation i itself was told, its place if it was told none. */
    long told(int i) {
        long version = ops.get(i).version();
        return version == Operation.NO_VERSION || ops.get(i).outcome() != Outcome.OK ? place(i) : version;
    }

    /** Returns what gives operation i its place: the write it returns, itself, and who names the version if neither does. */
    List<Operation> grounds(int i) {
        Operation op = ops.get(i);
        List<Operation> grounds = new ArrayList<>();
        @Nullable Integer write = op.isWrite() ? null : writeOf.get(op.value());
        if (write != null) {
            grounds.add(ops.get(write));
        }
        grounds.add(op);
        long place = place(i);
        if (place > FIRST && grounds.stream().noneMatch(g -> g.outcome() == Outcome.OK && g.version() == place)) {
            grounds.add(namedBy.getOrDefault(place, op));
        }
        return grounds;
    }

    private static String times(int n) {
        return n == 1 ? "once" : n + " times";
    }
}
