package dev.clockwire.storage.threefs.server;

import dev.clockwire.storage.threefs.mgmtd.Chain;
import dev.clockwire.storage.threefs.rpc.Message;

/** Gates that let in whom they should not. */
final class MutantGates {
    private MutantGates() {}

    /** For any version of the chain. */
    static final class AnyChain extends Gate {
        @Override
        boolean isFor(Message m, Chain chain) {
            return true;
        }

        @Override
        boolean isHead(int node, Chain chain) {
            return true;
        }
    }

    /** At once behind a restart. */
    static final class EarlyReturn extends Gate {
        @Override
        boolean mayServe(boolean announced) {
            return true;
        }
    }

    /** For as long as nobody says otherwise. */
    static final class NoLease extends Gate {
        @Override
        boolean isLeaseOver(long silencePs, long failPs) {
            return false;
        }
    }
}
