package dev.clockwire.storage.threefs.server;

import dev.clockwire.storage.threefs.mgmtd.Chain;
import dev.clockwire.storage.threefs.mgmtd.Target;
import dev.clockwire.storage.threefs.rpc.Message;
import dev.clockwire.storage.threefs.rpc.Method;
import dev.clockwire.storage.threefs.rpc.RpcPeer;
import dev.clockwire.storage.threefs.rpc.Status;
import dev.clockwire.storage.threefs.rpc.WritePath;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Writes as article 1 has them: what a client has written into the head's memory has gone down the chain when cores hear of it; the tail confirms at once, and the word goes
 * back hop by hop. Nobody orders the writes of several clients, every replica stores them as they came to it; nothing is on a disk when the client is told; and a
 * slot that is written again may still be on its way to the disk.
 */
final class ArticleWrites implements LaneEnd.Landed {
    private final StorageService service;
    private final Map<Long, RpcPeer> clients = new TreeMap<>();
    private final Map<String, Integer> versions = new TreeMap<>();
    private final Map<String, Due> answers = new TreeMap<>();

    /** An answer that waits for the chain. */
    private record Due(Message to, Message answer) {}

    ArticleWrites(StorageService service) {
        this.service = service;
    }

    @Override
    public void landed(LaneEnd lane, long n) {
        long slot = lane.slot(n);
        lane.granted().use(slot); // whether it is in use or not: the NIC has written it
        Message m = lane.request(n);
        LocalTarget t = m == null ? null : service.target(m.chain);
        if (m == null || t == null) {
            lane.granted().unuse(slot);
            return;
        }
        service.tap("received", m, 0);
        int version = version(t, m);
        if (before(m.chain) == null) {
            Message done = new Message().answers(m, Status.OK);
            done.updateVer = version;
            done.commitVer = version;
            done.checksum = m.checksum;
            answers.put(word(lane.tag().client(), m.chain, n), new Due(m, done));
        }
        if (lane.isTail()) {
            confirmed(lane.tag().client(), m.chain, n);
        }
        t.locks.lock(m.key, () -> store(lane, t, m, slot));
    }

    private static String word(long client, int chain, long n) {
        return client + "/" + chain + "/" + n;
    }

    private int version(LocalTarget t, Message m) {
        var c = t.store.find(m.key);
        int committed = c == null ? 0 : c.commitVer;
        return versions.merge(t.chain + "/" + m.key, committed + 1, (last, least) -> Math.max(last + 1, least));
    }

    private void store(LaneEnd lane, LocalTarget t, Message m, long slot) {
        var c = t.store.find(m.key);
        int version = c == null ? 1 : c.commitVer + 1;
        int chainVer = service.chainVer(t.chain);
        t.store.write(m.key, version, chainVer, slot, m.length, m.checksum, false, noted -> {}, ok -> {
            if (!ok) {
                ended(lane, t, m, slot);
                return;
            }
            service.watch().events().updated(service.worker().now(), service.number(), t.chain, m.key, version);
            t.store.commit(m.key, version, chainVer, committed -> {
                service.committed(t, m.key, version, false);
                service.tap("commit", m, version);
                ended(lane, t, m, slot);
            });
        });
    }

    private static void ended(LaneEnd lane, LocalTarget t, Message m, long slot) {
        lane.granted().unuse(slot);
        t.locks.unlock(m.key);
    }

    /** Returns who stands before this node in a chain, null if nobody does. */
    private @Nullable Target before(int chain) {
        Chain c = service.routing().routing().chain(chain);
        List<Target> written = c == null ? List.of() : c.written();
        Target last = null;
        for (Target t : written) {
            if (t.node() == service.number()) {
                return last;
            }
            last = t;
        }
        return null;
    }

    /** Everybody behind has it in memory: says so to who stands before, the head to the client. */
    private void confirmed(long client, int chain, long n) {
        Target prev = before(chain);
        if (prev != null) {
            Message m = new Message();
            m.method = Method.CONFIRM;
            m.client = client;
            m.chain = chain;
            m.address = n;
            service.tell(prev.node(), m);
            return;
        }
        RpcPeer to = clients.get(client);
        Due done = answers.remove(word(client, chain, n));
        if (to != null && done != null) {
            service.trace("confirmed", done.to);
            to.answer(done.answer);
        }
    }

    /** Takes what others say. */
    void request(RpcPeer from, Message m) {
        if (m.method == Method.CONFIRM) {
            confirmed(m.client, m.chain, m.address);
        } else {
            clients.put(m.client, from);
            from.answer(new Message().answers(m, (m.flags & WritePath.LANED) != 0 ? Status.OK : Status.INVALID));
        }
    }
}
