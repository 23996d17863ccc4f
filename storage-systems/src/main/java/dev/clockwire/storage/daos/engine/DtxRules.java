package dev.clockwire.storage.daos.engine;

import dev.clockwire.storage.daos.dtx.DtxEntry;
import dev.clockwire.storage.daos.dtx.DtxState;
import dev.clockwire.storage.daos.pool.PoolMap;
import dev.clockwire.storage.daos.vos.Extent;
import dev.clockwire.storage.daos.vos.Vos;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The decisions on which the safety of an engine rests, each in a method of its own, as DAOS takes them. Tests override one to see that somebody who looks on finds out; there is
 * nothing else to override them for.
 */
public class DtxRules {
    /** Creates the rules of DAOS. */
    public DtxRules() {}

    /** Returns whether a transaction may become visible, of which these replicas have not prepared. */
    public boolean isComplete(Set<Integer> missing, int leader) {
        return missing.isEmpty();
    }

    /** Returns what a leader knows of a transaction that a client asks for: what is known is not executed again. */
    public @Nullable DtxEntry known(@Nullable DtxEntry entry) {
        return entry;
    }

    /** Returns the version that a reader may see, null if there is none. */
    public @Nullable Extent readable(Vos vos, long key) {
        return vos.newest(key);
    }

    /** Returns whether a replica must send a reader to the leader, because what it has prepared may be visible there. */
    public boolean asksLeader(Vos vos, long key, long epoch) {
        return vos.isPreparedAbove(key, epoch);
    }

    /** Returns whether an engine may still serve. */
    public boolean isLeased(long nowPs, long untilPs) {
        return nowPs < untilPs;
    }

    /** Returns whether a new leader decides what the one before has left, before it serves. */
    public boolean resyncs() {
        return true;
    }

    /** Returns whether what an earlier leader has left is committed. */
    public boolean commits(boolean visibleSomewhere, boolean preparedEverywhere) {
        return visibleSomewhere || preparedEverywhere;
    }

    /** Returns whether a buffer is kept until the device is done with it. */
    public boolean keepsBuffers() {
        return true;
    }

    /** Returns whether a value that was asked for is written to who asked, not read from there. */
    public boolean pushes() {
        return true;
    }

    /** Returns whether an engine that is brought up to date copies which transactions are committed. */
    public boolean copiesTransactions() {
        return true;
    }

    /** Returns whether an engine that comes back copies values that it lacks before it serves. */
    public boolean copiesValues() {
        return true;
    }

    /** Returns the engines of a group that get what is written, those that are brought up to date too. */
    public List<Integer> written(PoolMap map, int group) {
        return map.members(group, false);
    }

    /** Returns whether a transaction in a state is one that a resend joins: it has its entry before it is dispatched. */
    public boolean joins(DtxState state) {
        return true;
    }
}
