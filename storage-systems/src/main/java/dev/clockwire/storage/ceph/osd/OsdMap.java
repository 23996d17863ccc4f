package dev.clockwire.storage.ceph.osd;

import dev.clockwire.storage.ceph.msgr2.Message;
import dev.clockwire.storage.ceph.msgr2.MessageType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A map of a cluster at an epoch: which OSDs are up, and since when each placement group is held by the same ones. Placement takes nodes in turn, for CRUSH. */
public final class OsdMap {
    private static final int PER_OSD = 4;

    private final int epoch;
    private final int replicas;
    private final List<OsdState> osds;
    private final List<Integer> since;

    /** Creates a map. */
    OsdMap(int epoch, int replicas, List<OsdState> osds, List<Integer> since) {
        this.epoch = epoch;
        this.replicas = replicas;
        this.osds = List.copyOf(osds);
        this.since = List.copyOf(since);
    }

    /** Returns a map of OSDs that have not begun, epoch 1. */
    static OsdMap first(List<Integer> numbers, int pgs, int replicas) {
        List<OsdState> all = new ArrayList<>();
        numbers.forEach(n -> all.add(new OsdState(n, 0, 0, false)));
        List<Integer> since = new ArrayList<>();
        for (int i = 0; i < pgs; i++) {
            since.add(1);
        }
        return new OsdMap(1, replicas, all, since);
    }

    /** Returns the next map, in which one OSD's state is another. */
    OsdMap with(OsdState changed) {
        List<OsdState> all = new ArrayList<>();
        osds.forEach(o -> all.add(o.number() == changed.number() ? changed : o));
        List<Integer> then = new ArrayList<>();
        for (int pg = 0; pg < since.size(); pg++) {
            boolean held = places(pg).stream().anyMatch(o -> o.number() == changed.number());
            then.add(held ? epoch + 1 : since.get(pg));
        }
        return new OsdMap(epoch + 1, replicas, all, then);
    }

    private List<OsdState> places(int pg) {
        List<OsdState> all = new ArrayList<>();
        for (int r = 0; r < replicas; r++) {
            all.add(osds.get((pg + r) % osds.size()));
        }
        return all;
    }

    /** Returns the epoch. */
    public int epoch() {
        return epoch;
    }

    /** Returns the placement groups. */
    public int pgs() {
        return since.size();
    }

    /** Returns all OSDs. */
    public List<OsdState> osds() {
        return osds;
    }

    /** Returns an OSD's state, null if there is none of that number. */
    public @Nullable OsdState osd(int number) {
        for (OsdState o : osds) {
            if (o.number() == number) {
                return o;
            }
        }
        return null;
    }

    /** Returns whether an OSD is up. */
    public boolean isUp(int number) {
        OsdState o = osd(number);
        return o != null && o.up();
    }

    /** Returns the numbers of those that hold a group, the primary first. */
    public List<Integer> acting(int pg) {
        List<Integer> all = new ArrayList<>();
        for (OsdState o : places(pg)) {
            if (o.up()) {
                all.add(o.number());
            }
        }
        return all;
    }

    /** Returns the epoch from which on the same incarnations hold a group. */
    public int since(int pg) {
        return since.get(pg);
    }

    /** Returns the group of an object. */
    public int pg(long oid) {
        return (int) Long.remainderUnsigned(oid, since.size());
    }

    /** Returns a message that carries it. */
    Message message() {
        Message m = new Message(MessageType.OSD_MAP);
        m.epoch = epoch;
        m.length = osds.size();
        m.flags = replicas;
        m.list = new long[PER_OSD * osds.size() + since.size()];
        int at = 0;
        for (OsdState o : osds) {
            m.list[at++] = o.number();
            m.list[at++] = o.incarnation();
            m.list[at++] = o.upFrom();
            m.list[at++] = o.up() ? 1 : 0;
        }
        for (int s : since) {
            m.list[at++] = s;
        }
        return m;
    }

    /** Returns the map that a message carries. */
    public static OsdMap from(Message m) {
        List<OsdState> all = new ArrayList<>();
        int at = 0;
        for (int i = 0; i < m.length; i++, at += PER_OSD) {
            all.add(new OsdState((int) m.list[at], (int) m.list[at + 1], (int) m.list[at + 2], m.list[at + 3] != 0));
        }
        List<Integer> since = new ArrayList<>();
        for (; at < m.list.length; at++) {
            since.add((int) m.list[at]);
        }
        return new OsdMap(m.epoch, m.flags, all, since);
    }
}
