package dev.clockwire.storage.check;

import dev.clockwire.sim.error.ConfigurationException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Operations of a run, key by key, each key's in the order of their calls. Keys have nothing to do with each other: a history is right if
 * that of each key is.
 */
public final class History {
    private static final Comparator<Operation> BY_CALL = Comparator.comparingLong(Operation::invokePs)
            .thenComparingLong(Operation::returnPs)
            .thenComparingInt(Operation::client);

    private final List<Operation> all;
    private final SortedMap<String, List<Operation>> keys = new TreeMap<>();

    private History(List<Operation> all) {
        this.all = all;
        for (Operation op : all) {
            keys.computeIfAbsent(op.key(), k -> new ArrayList<>()).add(op);
        }
    }

    /**
     * Returns a history of operations in any order.
     *
     * @throws ConfigurationException if two writes of a key have the same label: no read could tell them apart
     */
    public static History of(Collection<Operation> operations) {
        List<Operation> sorted = new ArrayList<>(operations);
        sorted.sort(BY_CALL);
        History history = new History(sorted);
        for (List<Operation> ops : history.keys.values()) {
            requireUniqueLabels(ops);
        }
        return history;
    }

    private static void requireUniqueLabels(List<Operation> ops) {
        TreeMap<String, Operation> writes = new TreeMap<>();
        for (Operation op : ops) {
            @Nullable Operation first = op.isWrite() ? writes.put(op.value(), op) : null;
            if (first != null) {
                throw new ConfigurationException("key " + op.key() + " is written twice with the same label: "
                        + first.words() + " and " + op.words() + "; labels must be unique among the writes of a key");
            }
        }
    }

    /** Returns all operations, in the order of their calls. */
    public List<Operation> operations() {
        return Collections.unmodifiableList(all);
    }

    /** Returns the keys, sorted. */
    public SortedSet<String> keys() {
        return Collections.unmodifiableSortedSet(new TreeSet<>(keys.keySet()));
    }

    /** Returns the operations of a key in the order of their calls, none if there is no such key. */
    public List<Operation> operations(String key) {
        List<Operation> ops = keys.get(key);
        return ops == null ? List.of() : Collections.unmodifiableList(ops);
    }
}
