package dev.clockwire.storage.threefs.server;

import dev.clockwire.roce.cm.CmEvent;
import dev.clockwire.roce.cm.CmEventType;
import dev.clockwire.roce.cm.CmId;
import dev.clockwire.roce.cm.PrivateData;
import dev.clockwire.storage.cluster.Node;
import dev.clockwire.storage.threefs.lane.LaneStart;
import dev.clockwire.storage.threefs.lane.LaneTag;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The lanes of a service: one for each client and chain, of the chain as it is now. When the chain changes they end, since NICs pass on to those who stood behind before. */
final class Lanes {
    private final StorageService service;
    private final Node node;
    private final int head;
    private final LaneEnd.@Nullable Landed taker;
    private final Map<CmId, LaneEnd> byId = new LinkedHashMap<>();
    private final Map<LaneTag, LaneEnd> byTag = new TreeMap<>();

    /**
     * Creates an empty set.
     *
     * @param head bytes before a slot that come with its message
     * @param taker of every message that comes, null if requests name them
     */
    Lanes(StorageService service, Node node, int head, LaneEnd.@Nullable Landed taker) {
        this.service = service;
        this.node = node;
        this.head = head;
        this.taker = taker;
    }

    /** Takes lanes up; {@code behind} finds the next replica of a chain, null at its tail. */
    void listen(Function<LaneTag, @Nullable Node> behind) {
        node.connector().listen(LaneStart.PORT, e -> happened(e, behind));
    }

    private void happened(CmEvent e, Function<LaneTag, @Nullable Node> behind) {
        if (e.type() == CmEventType.CONNECT_REQUEST) {
            LaneTag tag = LaneTag.decode(e.privateData());
            if (tag.chainVer() != service.chainVer(tag.chain())) {
                e.id().reject(PrivateData.NONE);
                return;
            }
            for (LaneEnd old : new ArrayList<>(byTag.values())) {
                boolean same = (int) old.tag().client() == (int) tag.client()
                        && old.tag().chain() == tag.chain();
                if (same) { // of an earlier incarnation, or given up there
                    drop(old);
                }
            }
            LaneEnd lane = new LaneEnd(service, node, tag, e.id(), head, taker);
            byId.put(e.id(), lane);
            byTag.put(tag, lane);
            lane.open(behind.apply(tag));
            return;
        }
        LaneEnd lane = byId.get(e.id());
        if (lane != null) {
            lane.happened(e);
            if (lane.isDead()) {
                drop(lane);
            }
        }
    }

    private void drop(LaneEnd lane) {
        lane.close();
        byTag.remove(lane.tag(), lane);
        byId.values().removeIf(l -> l == lane);
    }

    /** Returns the lane of a client, null if there is none. */
    @Nullable
    LaneEnd find(long client, int chain) {
        LaneEnd lane = byTag.get(new LaneTag(client, chain, service.chainVer(chain)));
        return lane == null || lane.isDead() ? null : lane;
    }

    /** A chain has changed. */
    void follow(int chain, int version) {
        List<LaneEnd> old = new ArrayList<>();
        for (LaneEnd lane : byTag.values()) {
            if (lane.tag().chain() == chain && lane.tag().chainVer() != version) {
                old.add(lane);
            }
        }
        old.forEach(this::drop);
    }
}
