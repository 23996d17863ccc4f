package dev.clockwire.storage.daos;

import dev.clockwire.storage.daos.dtx.DtxEntry;
import dev.clockwire.storage.daos.dtx.DtxState;
import dev.clockwire.storage.daos.engine.DtxRules;
import dev.clockwire.storage.daos.pool.PoolMap;
import dev.clockwire.storage.daos.vos.Extent;
import dev.clockwire.storage.daos.vos.Vos;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Engines that leave out a rule, by name. */
final class Mutants {
    private static final Map<String, DtxRules> ALL = new TreeMap<>();

    private Mutants() {}

    static {
        // The leader answers when it has prepared itself, whoever else has not.
        ALL.put("ANSWER_BEFORE_REPLICAS", new DtxRules() {
            @Override
            public boolean isComplete(Set<Integer> missing, int leader) {
                return !missing.contains(leader);
            }
        });
        // The leader commits when all but one have prepared.
        ALL.put("COMMIT_BY_MAJORITY", new DtxRules() {
            @Override
            public boolean isComplete(Set<Integer> missing, int leader) {
                return missing.size() <= 1 && !missing.contains(leader);
            }
        });
        // A transaction that is sent again is executed again.
        ALL.put("FORGET_TRANSACTIONS", new DtxRules() {
            @Override
            public @Nullable DtxEntry known(@Nullable DtxEntry entry) {
                return null;
            }
        });
        // A resend does not find what is under way, as if its entry were made behind the transfer.
        ALL.put("ENTRY_BEHIND_TRANSFER", new DtxRules() {
            @Override
            public boolean joins(DtxState state) {
                return state != DtxState.INITED;
            }
        });
        // A reader gets the newest version, prepared or not.
        ALL.put("READ_PREPARED", new DtxRules() {
            @Override
            public @Nullable Extent readable(Vos vos, long key) {
                return vos.latest(key);
            }
        });
        // A replica serves the version before the one that it has prepared.
        ALL.put("REPLICA_READS_OLD", new DtxRules() {
            @Override
            public boolean asksLeader(Vos vos, long key, long epoch) {
                return false;
            }
        });
        // An engine serves until somebody tells it that it is excluded.
        ALL.put("NO_LEASE", new DtxRules() {
            @Override
            public boolean isLeased(long nowPs, long untilPs) {
                return true;
            }
        });
        // A new leader serves without a look at what the one before has left.
        ALL.put("NO_RESYNC", new DtxRules() {
            @Override
            public boolean resyncs() {
                return false;
            }
        });
        // A new leader undoes whatever was left.
        ALL.put("ROLL_BACK", new DtxRules() {
            @Override
            public boolean commits(boolean visibleSomewhere, boolean preparedEverywhere) {
                return false;
            }
        });
        // A new leader commits whatever was left.
        ALL.put("ROLL_FORWARD", new DtxRules() {
            @Override
            public boolean commits(boolean visibleSomewhere, boolean preparedEverywhere) {
                return true;
            }
        });
        // A buffer is free again when its READ is posted.
        ALL.put("BUFFER_FREE_EARLY", new DtxRules() {
            @Override
            public boolean keepsBuffers() {
                return false;
            }
        });
        // An engine that is brought up to date gets values, not the transactions they are of.
        ALL.put("REBUILD_VALUES_ONLY", new DtxRules() {
            @Override
            public boolean copiesTransactions() {
                return false;
            }
        });

        // An engine that comes back serves at once.
        ALL.put("SERVE_BEFORE_REBUILD", new DtxRules() {
            @Override
            public boolean copiesValues() {
                return false;
            }
        });

        // What is written while an engine is brought up to date goes past it.
        ALL.put("REBUILD_MISSES_WRITES", new DtxRules() {
            @Override
            public List<Integer> written(PoolMap map, int group) {
                return map.members(group, true);
            }
        });

        // A fetch goes in the wrong direction: it reads where it should write (DAOS-16161).
        ALL.put("WRONG_DIRECTION", new DtxRules() {
            @Override
            public boolean pushes() {
                return false;
            }
        });
    }

    static Map<String, DtxRules> all() {
        return ALL;
    }

    static DtxRules of(String name) {
        DtxRules rules = ALL.get(name);
        if (rules == null) {
            throw new IllegalArgumentException(name);
        }
        return rules;
    }
}
