package dev.clockwire.storage.threefs.server;

import dev.clockwire.storage.cluster.Disk;
import dev.clockwire.storage.threefs.chunk.ChunkMeta;
import dev.clockwire.storage.threefs.chunk.ChunkStore;
import dev.clockwire.storage.threefs.mgmtd.Chain;
import dev.clockwire.storage.threefs.mgmtd.LocalState;
import dev.clockwire.storage.threefs.mgmtd.Target;
import dev.clockwire.storage.threefs.rpc.Message;
import dev.clockwire.storage.threefs.rpc.RpcPeer;
import dev.clockwire.storage.threefs.rpc.Status;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Targets that a node takes offline while it goes on: all of a disk that has failed an I/O, and one of which its predecessor says that it cannot be brought up to date. The
 * next heartbeat tells of it, and the manager has the chain go on. 3FS does the first at once behind a write and within 3 s behind anything else, and leaves it to
 * its operator to bring them back; here they come back, when their chain goes on without them and nobody uses them any more: as they are as soon as the disk takes
 * a page again, or empty if that was asked for.
 */
final class OfflineTargets {
    private final StorageService service;

    OfflineTargets(StorageService service) {
        this.service = service;
    }

    /** Returns who hears of the steps at a target's disk. */
    ChunkStore.Tap watch(int chain) {
        return new ChunkStore.Tap() {
            @Override
            public void step(String what, long key, int version) {
                service.tap(what, chain, key, version);
            }

            @Override
            public void failed() {
                LocalTarget t = service.target(chain);
                if (t != null) {
                    disk(t.store.device());
                }
            }
        };
    }

    private void disk(Disk device) {
        for (LocalTarget t : service.targets()) {
            if (t.store.device() == device && !t.failed) {
                t.failed = true;
                offline(t);
            }
        }
    }

    private void offline(LocalTarget t) {
        t.state = LocalState.OFFLINE;
        service.tap("offline", t.chain, 0, service.chainVer(t.chain));
    }

    /** A predecessor asks; it names the target, which must be one of this node. */
    void request(RpcPeer from, Message m) {
        Status how = Status.INVALID;
        for (LocalTarget t : service.targets()) {
            Target own = own(t);
            if (own != null && own.id() == m.key && m.chainVer != service.chainVer(t.chain)) {
                how = Status.ROUTING_VERSION_MISMATCH;
            } else if (own != null && own.id() == m.key) {
                t.unwanted = true;
                offline(t);
                how = Status.OK;
            }
        }
        from.answer(new Message().answers(m, how));
    }

    private @Nullable Target own(LocalTarget t) {
        Chain c = service.routing().routing().chain(t.chain);
        return c == null ? null : c.of(service.number());
    }

    /** Brings back what can be used again. */
    void look() {
        for (LocalTarget t : service.targets()) {
            if (mayReturn(t) && !t.probing) {
                t.probing = true;
                t.store.probe(ok -> {
                    t.probing = false;
                    if (ok && mayReturn(t)) {
                        online(t);
                    }
                });
            }
        }
    }

    private boolean mayReturn(LocalTarget t) {
        Target own = own(t);
        return t.state == LocalState.OFFLINE && own != null && Membership.isAway(own) && t.locks.isFree();
    }

    private void online(LocalTarget t) {
        if (t.unwanted) {
            for (ChunkMeta c : new ArrayList<>(t.store.all())) {
                service.watch().events().removed(service.worker().now(), service.number(), t.chain, c.key);
            }
            t.store.clear();
        }
        t.failed = false;
        t.unwanted = false;
        t.state = LocalState.ONLINE;
        service.tap("online", t.chain, 0, service.chainVer(t.chain));
    }
}
