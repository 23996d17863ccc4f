package dev.clockwire.storage.threefs.client;

import dev.clockwire.nic.lab.WireCount;
import dev.clockwire.roce.transport.AccessFlag;
import dev.clockwire.roce.verbs.MemoryRegion;
import dev.clockwire.sim.host.HostCost;
import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.storage.cluster.Node;
import dev.clockwire.storage.threefs.lane.LaneStart;
import dev.clockwire.storage.threefs.lane.LaneTag;
import dev.clockwire.storage.threefs.net.RdmaRange;
import dev.clockwire.storage.threefs.rpc.Message;
import dev.clockwire.storage.threefs.rpc.Method;
import dev.clockwire.storage.threefs.rpc.RpcPeer;
import dev.clockwire.storage.threefs.rpc.RpcReply;
import dev.clockwire.storage.threefs.rpc.Status;
import dev.clockwire.storage.threefs.rpc.WriteEnd;
import dev.clockwire.storage.threefs.rpc.WritePath;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The lanes of a client, one for each chain: bytes go down the chain by its NICs, the request follows as a SEND to the head. A slot is used again when the write that used it has ended well; after
 * any other end nobody knows who still uses it, and the lane is closed. While there is none, writes are pushed as without it.
 */
final class ClientLanes {
    private final Node node;
    private final WireCount wire;
    private final int retries;
    private final long againPs;
    private final Map<Integer, Lane> lanes = new TreeMap<>();
    private final boolean article;
    private @Nullable MemoryRegion heads;

    /** A lane and what is under way on it. */
    private static final class Lane {
        final LaneTag tag;
        final int head;
        final long begunPs;

        @Nullable
        LaneStart start;

        boolean[] used = {};
        long sent;
        boolean told;

        Lane(LaneTag tag, int head, long begunPs) {
            this.tag = tag;
            this.head = head;
            this.begunPs = begunPs;
        }

        boolean isOpen() {
            return start != null && start.isOpen();
        }

        boolean hasRoom() {
            return !used[(int) (sent % used.length)];
        }

        void close() {
            if (start != null) {
                start.close();
            }
        }
    }

    /**
     * Creates an empty set.
     *
     * @param retries of a queue pair after a timeout
     * @param againPs after which a lane is asked for again that could not be had
     * @param article whether requests go over lanes, too
     */
    ClientLanes(Node node, WireCount wire, int retries, long againPs, boolean article) {
        this.node = node;
        this.wire = wire;
        this.retries = retries;
        this.againPs = againPs;
        this.article = article;
        if (article) {
            long bytes = (long) Message.REQUEST * LaneStart.MOST_SLOTS;
            long va = node.allocate("lane heads", bytes, Allocation.Kind.REAL);
            node.pd().regMr(va, bytes, EnumSet.of(AccessFlag.LOCAL_WRITE)).whenDone(made -> heads = made);
        }
    }

    /** Opens the lane to a chain unless there is one. */
    void open(LaneTag tag, Node head) {
        Lane known = lanes.get(tag.chain());
        long now = node.worker(0).now();
        if (known != null && known.tag.equals(tag) && known.head == head.number()) {
            boolean over = known.start != null && known.start.isDead() && now - known.begunPs > againPs;
            if (!over) {
                return;
            }
        }
        if (known != null) {
            known.close();
        }
        Lane lane = new Lane(tag, head.number(), now);
        lanes.put(tag.chain(), lane);
        lane.start = new LaneStart(node, wire, head, tag, retries, works -> {
            LaneStart made = lane.start;
            if (works && made != null) {
                lane.used = new boolean[made.slots()];
            }
        });
    }

    /** Returns whether the lane to a chain can be used. */
    boolean isOpen(int chain) {
        Lane lane = lanes.get(chain);
        return lane != null && lane.isOpen() && lane.used.length > 0;
    }

    /**
     * Writes over the lane if it can be used now.
     *
     * @return whether it can; else nothing has happened
     */
    boolean send(RpcPeer peer, Message m, long va, int lkey, long timeoutPs, RpcReply reply) {
        Lane lane = lanes.get(m.chain);
        if (lane == null || !isOpen(m.chain) || lane.tag.chainVer() != m.chainVer || !lane.hasRoom() || m.offset != 0) {
            return false;
        }
        int slot = (int) (lane.sent % lane.used.length);
        lane.used[slot] = true;
        lane.sent++;
        m.address = lane.sent;
        m.flags |= WritePath.LANED;
        WriteEnd end = new WriteEnd(reply);
        RpcReply told = answer -> {
            if (answer.status == Status.OK) {
                lane.used[slot] = false;
            } else {
                lane.close(); // and until that has ended the device may send the bytes again
            }
            end.told(answer);
        };
        RdmaRange bytes = new RdmaRange(va, m.length, lkey, 0, 0);
        LaneStart start = Objects.requireNonNull(lane.start);
        if (article) {
            whole(lane, start, slot, peer, m, bytes, timeoutPs, end, told);
        } else {
            start.write(lane.sent, List.of(bytes), 0, end);
            peer.call(m, timeoutPs, told);
        }
        return true;
    }

    /** The request goes before the bytes; the head has been told where its answers go. */
    private void whole(
            Lane lane,
            LaneStart start,
            int slot,
            RpcPeer peer,
            Message m,
            RdmaRange bytes,
            long timeoutPs,
            WriteEnd end,
            RpcReply told) {
        if (!lane.told) {
            lane.told = true;
            Message hello = new Message();
            hello.method = Method.LANE;
            hello.client = m.client;
            hello.chain = m.chain;
            hello.flags = WritePath.LANED;
            peer.call(hello, timeoutPs, any -> {});
        }
        byte[] request = peer.expect(m, timeoutPs, told);
        MemoryRegion region = Objects.requireNonNull(heads);
        if (request == null) {
            end.done(false);
            return;
        }
        long at = region.address() + (long) slot * Message.REQUEST;
        node.worker(0).core().charge(HostCost.COPY_BYTE, request.length);
        node.worker(0).core().memory().putBytes(at, request, 0, request.length);
        RdmaRange head = new RdmaRange(at, request.length, region.lkey(), 0, 0);
        start.write(lane.sent, List.of(head, bytes), request.length, end);
    }
}
