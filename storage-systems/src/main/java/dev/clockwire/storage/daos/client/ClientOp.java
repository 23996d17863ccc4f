package dev.clockwire.storage.daos.client;

import dev.clockwire.roce.verbs.MemoryRegion;
import dev.clockwire.sim.host.HostCost;
import dev.clockwire.sim.mem.Payload;
import dev.clockwire.storage.cluster.Worker;
import dev.clockwire.storage.daos.pool.DaosTimes;
import dev.clockwire.storage.daos.pool.PoolMap;
import dev.clockwire.storage.daos.rpc.Rpc;
import dev.clockwire.storage.daos.rpc.RpcOp;
import dev.clockwire.storage.daos.vos.Vos;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One operation of a client with all its tries: an update to the leader, always as the same transaction; a fetch from any replica. The bulk handle is valid from
 * before the first try until after the last: nobody reaches the memory behind the end.
 */
final class ClientOp {
    private static final int INCARNATION_SHIFT = 32;

    private final DaosClient client;
    private final RpcOp op;
    private final long key;
    private final long va;
    private final int length;
    private final DaosOutcome then;
    private final long begun;
    private final long sequence;
    private final boolean bulk;
    private byte[] inline = new byte[0];
    private @Nullable MemoryRegion handle;
    private long number;
    private int checksum;
    private long wait;
    private int tries;
    private boolean toLeader;

    ClientOp(DaosClient client, RpcOp op, long key, long va, int length, DaosOutcome then) {
        this.client = client;
        this.op = op;
        this.key = key;
        this.va = va;
        this.length = length;
        this.then = then;
        begun = worker().now();
        sequence = op == RpcOp.UPDATE ? client.nextSequence() : 0;
        number = client.named(sequence);
        bulk = length >= client.spec().rpc().inlineBytes();
        wait = times().retryFirst();
    }

    private Worker worker() {
        return client.node().worker(0);
    }

    private DaosTimes times() {
        return client.spec().times();
    }

    void start() {
        client.step("submit", number);
        if (op == RpcOp.UPDATE) {
            checksum = digest(length);
            client.trace("digest", number);
        }
        prepare();
    }

    private int digest(int bytes) {
        worker().core().scan(bytes, client.spec().vos().crcBytePs());
        return Vos.digest(worker(), new Payload(), va, bytes);
    }

    private void prepare() {
        if (bulk) {
            client.registry().register(va, length, mr -> {
                handle = mr;
                client.step("handle", number);
                attempt();
            });
            return;
        }
        if (op == RpcOp.UPDATE) {
            inline = new byte[length];
            worker().core().charge(HostCost.COPY_BYTE, length);
            worker().core().memory().getBytes(va, inline, 0, length);
        }
        attempt();
    }

    private void attempt() {
        PoolMap map = client.map();
        int group = map.group(key);
        int leader = map.leader(group);
        if (leader < 0) {
            again();
            return;
        }
        List<Integer> serving = map.members(group, true);
        boolean any = op == RpcOp.FETCH && !toLeader;
        int to = any ? serving.get(Math.floorMod(client.nextTurn(), serving.size())) : leader;
        client.trace("ask", number);
        Rpc m = new Rpc(op).with(inline, inline.length);
        m.key = key;
        m.length = length;
        m.checksum = checksum;
        m.dtxClient = (long) client.node().incarnation() << INCARNATION_SHIFT
                | client.node().number();
        m.dtxSequence = sequence;
        m.flags = (tries > 0 ? Rpc.RESEND : 0) | (toLeader ? Rpc.TO_LEADER : 0);
        MemoryRegion mr = handle;
        if (mr != null) {
            m.flags |= Rpc.BULK;
            m.bulkAddress = va;
            m.bulkRkey = mr.rkey();
            m.bulkPeer = client.node().number();
        }
        tries++;
        toLeader = false;
        client.context().call(client.net().address(to, map.target(key)), m, times().rpc(), this::answered);
        if (op == RpcOp.FETCH) {
            number = client.asked(number, m);
        }
    }

    private void answered(Rpc answer) {
        client.trace("answered", number);
        switch (answer.status) {
            case OK -> {
                if (op == RpcOp.UPDATE) {
                    client.step("done", number);
                    client.acked(key, answer);
                    end(true, answer.epoch, 0);
                } else {
                    fetched(answer);
                }
            }
            case NONEXIST -> end(true, 0, 0);
            case TO_LEADER -> {
                toLeader = true;
                attempt();
            }
            case INVALID -> end(false, -1, 0);
            default -> again();
        }
    }

    private void again() {
        again(this::attempt);
    }

    private void again(Runnable next) {
        if (worker().now() + wait - begun > times().retryTotal()) {
            end(false, -1, 0);
            return;
        }
        client.retried();
        long now = wait;
        wait = Math.min(2 * wait, times().retryMost());
        worker().after(now, (a, b) -> client.maps().refresh(next), 0, 0);
    }

    private void fetched(Rpc answer) {
        if (answer.length > length) {
            end(true, answer.epoch, 0);
            return;
        }
        if (!bulk) {
            worker().core().charge(HostCost.COPY_BYTE, answer.dataLength);
            worker().core().memory().putBytes(va, answer.data, 0, answer.dataLength);
            verify(answer);
            return;
        }
        release(() -> {
            client.trace("released", number);
            verify(answer);
        });
    }

    private void verify(Rpc answer) {
        if (digest(answer.length) == answer.checksum) {
            client.step("done", number);
            then.ended(true, answer.epoch, answer.length);
            return;
        }
        again(this::prepare); // another replica may have it right
    }

    private void release(Runnable next) {
        MemoryRegion mr = handle;
        handle = null;
        if (mr == null) {
            next.run();
        } else {
            client.registry().release(mr, next);
        }
    }

    private void end(boolean known, long epoch, int bytes) {
        release(() -> {
            client.trace("released", number);
            then.ended(known, epoch, bytes);
        });
    }
}
