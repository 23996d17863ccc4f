package dev.clockwire.storage.threefs.client;

import dev.clockwire.roce.verbs.MemoryRegion;
import dev.clockwire.sim.mem.Grantee;
import dev.clockwire.sim.mem.Hold;
import dev.clockwire.sim.mem.MemorySanitizer;
import dev.clockwire.sim.mem.Ownership;
import dev.clockwire.storage.threefs.mgmtd.Chain;
import dev.clockwire.storage.threefs.mgmtd.Target;
import dev.clockwire.storage.threefs.mgmtd.TargetState;
import dev.clockwire.storage.threefs.mgmtd.ThreeFsTimes;
import dev.clockwire.storage.threefs.rpc.DataPath;
import dev.clockwire.storage.threefs.rpc.Message;
import dev.clockwire.storage.threefs.rpc.Method;
import dev.clockwire.storage.threefs.rpc.RpcPeer;
import dev.clockwire.storage.threefs.rpc.Status;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One operation of a client with all its tries: the same channel, place and request each time, waits that double, and an end. A wait is the time that an answer
 * has, and what of it is left when the try has failed passes before the next one, as in 3FS; there is none that could not wait for the first of them any more.
 */
class ClientOp {
    /** First wait where somebody has only to learn of something; an assumption: 3FS waits half of its first step, 5 s, if that much is left of the try's. */
    private static final long FAST_PS = 100_000_000L;

    private final StorageClient client;
    private final Message m;
    private final long va;
    private final MemoryRegion region;
    private final StorageClient.@Nullable Channel channel;
    private final Outcome then;
    private final long begun;
    private @Nullable Ownership granted;
    private long wait;
    private long tried;
    private long fast = FAST_PS;

    ClientOp(
            StorageClient client,
            Message m,
            long va,
            MemoryRegion region,
            StorageClient.@Nullable Channel channel,
            Outcome then) {
        this.client = client;
        this.m = m;
        this.va = va;
        this.region = region;
        this.channel = channel;
        this.then = then;
        begun = client.node().worker(0).now();
        wait = times().clientFirst();
        tried = begun;
        client.named(m);
    }

    private ThreeFsTimes times() {
        return client.spec().times();
    }

    void start() {
        client.step("submit", m);
        client.trace("submit", m);
        tried = client.node().worker(0).now();
        Chain chain = client.routing().routing().chain(m.chain);
        if (chain == null) {
            end(Status.INVALID, m);
            return;
        }
        m.chainVer = chain.version();
        if (m.method == Method.WRITE) {
            Target head = chain.head();
            if (head == null) {
                again(wait);
            } else {
                Message copy = copy();
                RpcPeer to = client.to(head.node());
                if (client.spec().path() == DataPath.PULL) {
                    grant(to, Hold.PEER_READS);
                }
                client.send(to, client.node(head.node()), copy, va, region, timeout(), answer -> answered(to, answer));
            }
            return;
        }
        List<Target> serving = chain.targets().stream()
                .filter(t -> t.state() == TargetState.SERVING)
                .toList();
        if (serving.isEmpty()) {
            again(wait);
        } else {
            Target t = serving.get(client.nextTurn() % serving.size());
            RpcPeer to = client.to(t.node());
            grant(to, Hold.PEER_WRITES);
            client.reads().ask(t.node(), to, copy(), timeout(), answer -> answered(to, answer));
        }
    }

    /** A late answer to an earlier try must not find the request of a later one. */
    private Message copy() {
        Message c = new Message();
        c.method = m.method;
        c.chain = m.chain;
        c.chainVer = m.chainVer;
        c.key = m.key;
        c.offset = m.offset;
        c.length = m.length;
        c.checksum = m.checksum;
        c.client = m.client;
        c.channel = m.channel;
        c.sequence = m.sequence;
        c.request = m.request;
        c.address = m.address;
        c.rkey = m.rkey;
        return c;
    }

    /** Whoever watches the memory is told that the other side uses it until it answers, or the connection is gone. */
    private void grant(RpcPeer to, Hold hold) {
        MemorySanitizer memory = client.node().worker(0).core().memory().sanitizer();
        if (memory != null) {
            Grantee any = Grantee.of("3fs").withAttempt(client.retries());
            Grantee who = to.socket().isOpen() ? any.withQp(to.socket().qpn()) : any;
            granted = memory.grant(va, m.length, hold, who);
        }
    }

    private void answered(RpcPeer from, Message answer) {
        client.trace("answered", m);
        if (answer.status.isNoAnswer()) {
            fence(from, () -> judge(answer));
        } else {
            judge(answer);
        }
    }

    /** Nobody has answered, but may still: nothing late may touch memory that the application uses again. */
    void fence(RpcPeer from, Runnable then) {
        from.close(then);
    }

    private void judge(Message answer) {
        MemorySanitizer memory = client.node().worker(0).core().memory().sanitizer();
        Ownership grant = granted;
        if (memory != null && grant != null) {
            granted = null;
            memory.returned(grant);
        }
        switch (answer.status) {
            case OK, CHUNK_NOT_FOUND, INVALID, NO_SPACE, DUPLICATE_UPDATE -> end(answer.status, answer);
            case ROUTING_VERSION_MISMATCH, CHUNK_NOT_COMMIT -> {
                again(Math.min(rest(), Math.min(fast, times().clientFirst() / 2)));
                fast = Math.min(2 * fast, times().clientMost());
            }
            default -> again(rest());
        }
    }

    private long spent() {
        return client.node().worker(0).now() - begun;
    }

    /** How long an answer may take: the wait, or what is left for the whole operation. */
    private long timeout() {
        return Math.max(0, Math.min(wait, times().clientTotal() - spent()));
    }

    /** What is left of the wait of a try that has failed. */
    private long rest() {
        return Math.max(0, wait - (client.node().worker(0).now() - tried));
    }

    private void again(long afterPs) {
        wait = Math.min(2 * wait, times().clientMost());
        client.node().worker(0).after(afterPs, (a, b) -> tryAgain(), 0, 0);
    }

    private void tryAgain() {
        if (spent() + times().clientFirst() > times().clientTotal()) {
            end(Status.COMMUNICATION, m);
            return;
        }
        client.retried();
        client.routing().refresh(this::start);
    }

    private void end(Status status, Message answer) {
        client.done(channel);
        client.step("done", answer);
        if (status == Status.OK && m.method == Method.WRITE) {
            client.acked(m, answer);
        }
        then.ended(status, answer.commitVer, answer.length);
    }
}
