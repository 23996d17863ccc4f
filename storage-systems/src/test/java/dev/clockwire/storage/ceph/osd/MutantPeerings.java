package dev.clockwire.storage.ceph.osd;

/** Peerings that break a rule each. */
final class MutantPeerings {
    private MutantPeerings() {}

    /** A primary follows its own log, whatever others have. */
    static final class OwnLog extends Peering {
        private final Osd osd;

        OwnLog(Pg pg, Osd osd) {
            super(pg, osd);
            this.osd = osd;
        }

        @Override
        boolean isBetter(PgInfo one, PgInfo than) {
            return one.peer() == osd.node().number();
        }
    }

    /** Does not wait for what it writes. */
    static final class NoFlush extends Peering {
        NoFlush(Pg pg, Osd osd) {
            super(pg, osd);
        }

        @Override
        void flushed(int now, Runnable then) {
            then.run();
        }
    }

    /** Answers what is in the log, whoever misses the object. */
    static final class NoPatience extends Peering {
        NoPatience(Pg pg, Osd osd) {
            super(pg, osd);
        }

        @Override
        void whenWhole(long oid, Runnable then) {
            then.run();
        }
    }
}
