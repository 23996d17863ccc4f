package dev.clockwire.storage.threefs.mgmtd;

import dev.clockwire.sim.error.ConfigurationException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Targets in the order of a write: head first.
 *
 * @param id of the chain, from 1
 * @param version counts its changes, from 1
 * @param targets at most one of a node
 */
public record Chain(int id, int version, List<Target> targets) {
    /** Checks that targets and nodes are named once. */
    public Chain {
        targets = List.copyOf(targets);
        if (targets.isEmpty()) {
            throw new ConfigurationException("chain " + id + " has no targets");
        }
        for (int i = 0; i < targets.size(); i++) {
            for (int j = 0; j < i; j++) {
                Target a = targets.get(i);
                Target b = targets.get(j);
                if (a.id() == b.id() || a.node() == b.node()) {
                    throw new ConfigurationException("chain " + id + ": targets " + b.id() + " and " + a.id()
                            + " are the same or on one node " + a.node());
                }
            }
        }
    }

    /** Returns the targets that are written, in order: those that serve, then the one that is syncing. */
    public List<Target> written() {
        List<Target> w = new ArrayList<>();
        for (Target t : targets) {
            if (t.isWritten()) {
                w.add(t);
            }
        }
        return w;
    }

    /** Returns the head, null if nobody serves. */
    public @Nullable Target head() {
        List<Target> w = written();
        return w.isEmpty() || w.get(0).state() != TargetState.SERVING ? null : w.get(0);
    }

    /** Returns the last target that serves: what it has committed is what readers may see; null if nobody serves. */
    public @Nullable Target tail() {
        Target last = null;
        for (Target t : targets) {
            last = t.state() == TargetState.SERVING ? t : last;
        }
        return last;
    }

    /** Returns who is written behind a node, null if it is the last or not written itself. */
    public @Nullable Target behind(int node) {
        List<Target> w = written();
        int at = place(node);
        return at < 0 || at + 1 == w.size() ? null : w.get(at + 1);
    }

    /** Returns how many are written before a node, -1 if it is not written itself. */
    public int place(int node) {
        List<Target> w = written();
        for (int i = 0; i < w.size(); i++) {
            if (w.get(i).node() == node) {
                return i;
            }
        }
        return -1;
    }

    /** Returns how many are written behind a node, 0 if it is not written itself. */
    public int countBehind(int node) {
        boolean past = false;
        int n = 0;
        for (int i = 0; i < targets.size(); i++) {
            Target t = targets.get(i);
            n += past && t.isWritten() ? 1 : 0;
            past |= t.node() == node && t.isWritten();
        }
        return n;
    }

    /** Returns the target of a node, null if it has none in this chain. */
    public @Nullable Target of(int node) {
        for (Target t : targets) {
            if (t.node() == node) {
                return t;
            }
        }
        return null;
    }
}
