package dev.clockwire.storage.threefs.server;

import dev.clockwire.storage.threefs.mgmtd.Chain;
import dev.clockwire.storage.threefs.mgmtd.Target;
import dev.clockwire.storage.threefs.mgmtd.TargetState;
import dev.clockwire.storage.threefs.mgmtd.ThreeFsTimes;
import dev.clockwire.storage.threefs.rpc.Message;
import dev.clockwire.storage.threefs.rpc.Status;
import dev.clockwire.storage.threefs.rpc.WritePath;

/**
 * Sends a pending version to the successor until it has committed it, 3FS's ReliableForwarding: each try looks at the chain anew, so a write that has lost
 * its successor goes on to the next one, or commits here as the tail.
 */
final class Forward {
    private final StorageService service;
    private final UpdateOp op;
    private final long begun;
    private long wait;
    private boolean passed;

    Forward(StorageService service, UpdateOp op) {
        this.service = service;
        this.op = op;
        begun = service.worker().now();
        wait = times().forwardFirst();
    }

    private ThreeFsTimes times() {
        return service.spec().times();
    }

    void start() {
        Chain chain = service.routing().routing().chain(op.chain());
        Target own = chain == null ? null : chain.of(service.number());
        if (chain == null || own == null || !chain.written().contains(own) || service.isGone()) {
            op.end(Status.TARGET_OFFLINE);
            return;
        }
        if (own.state() == TargetState.SYNCING && op.request().chainVer != chain.version()) {
            op.end(Status.ROUTING_VERSION_MISMATCH); // whoever brings this target up to date now begins anew
            return;
        }
        Target head = chain.head();
        boolean client = op.request().updateVer == 0;
        if (client && (head == null || head.node() != service.number())) {
            // it began here as the head's: now others stand in front, who know nothing of it
            op.end(Status.ROUTING_VERSION_MISMATCH);
            return;
        }
        Target to = chain.behind(service.number());
        if (to == null) {
            op.commit(chain.version());
            return;
        }
        Message f = op.forwarded(chain, to);
        LaneEnd lane = passed ? null : op.passedBy();
        passed = true; // the NIC passes on once
        if (lane == null || lane.tag().chainVer() != chain.version()) {
            int place = Math.max(chain.place(to.node()), op.place() + 1); // never back to what the write holds itself
            service.send(to.node(), f, place, op.buffer(), wait, answer -> answered(chain, answer));
        } else {
            f.flags |= WritePath.LANED;
            f.address = op.request().address;
            service.call(to.node(), f, wait, answer -> {
                if (answer.status != Status.OK) {
                    lane.close(); // nobody knows who still uses what came over it
                }
                answered(chain, answer);
            });
        }
        service.tap("forward", op.request(), op.version());
    }

    private void answered(Chain chain, Message answer) {
        service.tap("successor", op.chain(), op.request().key, op.version());
        service.trace(answer.status.isNoAnswer() ? "unanswered" : "successor", op.request());
        if (answer.status == Status.OK && chain.version() != service.chainVer(op.chain())) {
            start(); // it was asked in a chain that is no more: who stands behind now may be another
            return;
        }
        if (answer.status == Status.OK) {
            if (answer.checksum != op.checksum()) {
                op.end(Status.CHECKSUM_MISMATCH);
            } else if (answer.commitChainVer > service.chainVer(op.chain())) {
                service.routing().refresh(this::start);
            } else {
                op.commit(chain.version());
            }
            return;
        }
        if (service.worker().now() - begun > times().forwardTotal()) {
            op.end(Status.COMMUNICATION);
            return;
        }
        long step = wait;
        wait = Math.min(2 * wait, times().forwardMost());
        rest(answer.status == Status.TIMEOUT ? 0 : step);
    }

    /** Lets the time of a step pass that an answer had, as long as there is somebody behind: 3FS looks every 100 ms. */
    private void rest(long ps) {
        Chain chain = service.routing().routing().chain(op.chain());
        if (ps <= 0 || chain == null || chain.behind(service.number()) == null) {
            service.routing().refresh(this::start);
            return;
        }
        long some = Math.min(ps, times().forwardFirst());
        service.worker().after(some, (a, b) -> rest(ps - some), 0, 0);
    }
}
