package dev.clockwire.storage.threefs.mgmtd;

import dev.clockwire.nvme.format.LittleEndian;
import dev.clockwire.storage.threefs.rpc.Message;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All chains as the manager knew them at a version.
 *
 * @param version counts the changes, 0 for nothing known yet
 * @param chains by their numbers from 1
 */
public record Routing(long version, List<Chain> chains) {
    /** Nothing is known. */
    public static final Routing NONE = new Routing(0, List.of());

    private static final int CHAIN = 12;
    private static final int TARGET = 12;

    /** Copies the list. */
    public Routing {
        chains = List.copyOf(chains);
    }

    /** Returns a chain, null if there is none of that number. */
    public @Nullable Chain chain(int id) {
        return id < 1 || id > chains.size() ? null : chains.get(id - 1);
    }

    int versionOf(int id) {
        Chain c = chain(id);
        return c == null ? 0 : c.version();
    }

    boolean isSyncing(int id, int node) {
        Chain c = chain(id);
        Target t = c == null ? null : c.of(node);
        return t != null && t.state() == TargetState.SYNCING;
    }

    /** Puts it behind a message. */
    public void into(Message m) {
        int bytes = chains.stream()
                .mapToInt(c -> CHAIN + TARGET * c.targets().size())
                .sum();
        byte[] b = new byte[bytes];
        int at = 0;
        for (Chain c : chains) {
            LittleEndian.put32(b, at, c.id());
            LittleEndian.put32(b, at + 4, c.version());
            LittleEndian.put32(b, at + 8, c.targets().size());
            at += CHAIN;
            for (Target t : c.targets()) {
                LittleEndian.put32(b, at, t.id());
                LittleEndian.put32(b, at + 4, t.node());
                LittleEndian.put32(b, at + 8, t.state().code());
                at += TARGET;
            }
        }
        m.sequence = version;
        m.with(b, bytes);
    }

    /** Returns what a message carries. */
    public static Routing from(Message m) {
        List<Chain> chains = new ArrayList<>();
        int at = 0;
        while (at < m.dataLength) {
            int id = LittleEndian.get32(m.data, at);
            int version = LittleEndian.get32(m.data, at + 4);
            int n = LittleEndian.get32(m.data, at + 8);
            at += CHAIN;
            List<Target> targets = new ArrayList<>();
            for (int i = 0; i < n; i++) {
                TargetState state = TargetState.of(LittleEndian.get32(m.data, at + 8));
                targets.add(new Target(
                        LittleEndian.get32(m.data, at),
                        LittleEndian.get32(m.data, at + 4),
                        state == null ? TargetState.OFFLINE : state));
                at += TARGET;
            }
            chains.add(new Chain(id, version, targets));
        }
        return new Routing(m.sequence, chains);
    }
}
