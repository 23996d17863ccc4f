package dev.clockwire.storage.threefs.server;

import dev.clockwire.storage.threefs.chunk.ChunkMeta;
import dev.clockwire.storage.threefs.mgmtd.Chain;
import dev.clockwire.storage.threefs.mgmtd.Target;
import dev.clockwire.storage.threefs.rpc.Message;
import dev.clockwire.storage.threefs.rpc.RpcPeer;
import dev.clockwire.storage.threefs.rpc.Status;
import org.jspecify.annotations.Nullable;

/** Writes that break one rule each. */
final class MutantUpdates {
    private MutantUpdates() {}

    /** Answers before those behind have the version. */
    static class EarlyAck extends UpdateOp {
        private boolean acked;

        EarlyAck(StorageService service, RpcPeer from, Message m) {
            super(service, from, m);
        }

        @Override
        void forward() {
            if (m.updateVer == 0) {
                acknowledge();
            }
            super.forward();
        }

        final void acknowledge() {
            acked = true;
            Message early = new Message().answers(m, Status.OK);
            fill(early, target().store.find(m.key));
            early.commitVer = version();
            early.chainVer = m.chainVer;
            from.answer(early);
        }

        @Override
        void answer(Message answer) {
            if (!acked) {
                super.answer(answer);
            }
        }
    }

    /** Answers before the version is committed here. */
    static final class AckBeforeCommit extends EarlyAck {
        AckBeforeCommit(StorageService service, RpcPeer from, Message m) {
            super(service, from, m);
        }

        @Override
        void forward() {
            new Forward(service, this).start();
        }

        @Override
        void commit(int chainVer) {
            if (m.updateVer == 0) {
                acknowledge();
            }
            super.commit(chainVer);
        }
    }

    /** Writes what is committed. */
    static final class NoDoneCheck extends UpdateOp {
        NoDoneCheck(StorageService service, RpcPeer from, Message m) {
            super(service, from, m);
        }

        @Override
        boolean isDone(@Nullable ChunkMeta c) {
            return false;
        }
    }

    /** Does not miss anything. */
    static class NoMissingCheck extends UpdateOp {
        NoMissingCheck(StorageService service, RpcPeer from, Message m) {
            super(service, from, m);
        }

        @Override
        boolean isMissing(@Nullable ChunkMeta c) {
            return false;
        }
    }

    /** Does not tell a successor that it is to forget what it has; the successor, for its part, misses nothing: one of the two rules would do. */
    static final class PartialSync extends NoMissingCheck {
        PartialSync(StorageService service, RpcPeer from, Message m) {
            super(service, from, m);
        }

        @Override
        Message forwarded(Chain chain, Target to) {
            Message f = super.forwarded(chain, to);
            f.flags = 0;
            return f;
        }
    }

    /** Gives its buffer back after some time, whether or not the READ into it has ended. */
    static final class EarlyFree extends UpdateOp {
        private boolean ended;

        EarlyFree(StorageService service, RpcPeer from, Message m) {
            super(service, from, m);
        }

        @Override
        void pull() {
            service.worker().after(service.spec().times().forwardFirst(), (a, b) -> giveUp(), 0, 0);
            super.pull();
        }

        private void giveUp() {
            if (!ended) {
                ended = true;
                end(Status.COMMUNICATION);
            }
        }

        @Override
        void pulled(boolean ok) {
            if (!ended) {
                ended = true;
                super.pulled(ok);
            }
        }
    }
}
