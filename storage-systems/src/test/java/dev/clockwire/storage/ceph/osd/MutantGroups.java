package dev.clockwire.storage.ceph.osd;

import dev.clockwire.storage.ceph.msgr2.Message;
import dev.clockwire.storage.ceph.store.LogEntry;
import dev.clockwire.storage.ceph.store.PgDisk;
import org.jspecify.annotations.Nullable;

/** Groups that break a rule each. */
final class MutantGroups {
    private MutantGroups() {}

    /** Answers as soon as the primary's own disk has a write. */
    static final class EarlyAck extends Pg {
        private final Osd osd;

        EarlyAck(Osd osd, int id, PgDisk disk) {
            super(osd, id, disk);
            this.osd = osd;
        }

        @Override
        boolean isCommitted(WriteOp op) {
            return !op.missing.contains(osd.node().number());
        }
    }

    /** Writes no entry of the log. */
    static final class NoEntry extends Pg {
        NoEntry(Osd osd, int id, PgDisk disk) {
            super(osd, id, disk);
        }

        @Override
        @Nullable
        LogEntry entry(Message m, long version) {
            return null;
        }
    }

    /** Takes what is of an interval that is over. */
    static final class AnyInterval extends Pg {
        AnyInterval(Osd osd, int id, PgDisk disk) {
            super(osd, id, disk);
        }

        @Override
        boolean isOfNow(Message m) {
            return true;
        }
    }

    /** Does not ask the log whether a request has been done. */
    static final class NoRequests extends Pg {
        NoRequests(Osd osd, int id, PgDisk disk) {
            super(osd, id, disk);
        }

        @Override
        long known(Message m) {
            return 0;
        }
    }
}
