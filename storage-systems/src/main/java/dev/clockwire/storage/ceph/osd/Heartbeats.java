package dev.clockwire.storage.ceph.osd;

import dev.clockwire.storage.ceph.msgr2.Message;
import dev.clockwire.storage.ceph.msgr2.MessageType;
import dev.clockwire.storage.ceph.msgr2.Session;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Whether peers live, and the read leases that ride on the answers: who answers promises not to serve in the asker's place for a while, so the asker may answer reads that long.
 * Ceph has sessions of their own for this.
 */
class Heartbeats {
    private final Osd osd;
    private final Map<Integer, Long> heard = new TreeMap<>();
    /** Until when reads may be answered, as far as a peer is concerned. */
    private final Map<Integer, Long> leases = new TreeMap<>();
    /** Until when a peer may answer reads, as far as this OSD is concerned. */
    private final Map<Integer, Long> promises = new TreeMap<>();

    Heartbeats(Osd osd) {
        this.osd = osd;
    }

    private long now() {
        return osd.node().worker(0).now();
    }

    void start() {
        osd.node().worker(0).after(osd.spec().times().heartbeat(), this::beat, 0, 0);
    }

    void follow(OsdMap map) {
        for (OsdState o : map.osds()) {
            if (o.up()) {
                heard.putIfAbsent(o.number(), now());
            } else {
                heard.remove(o.number());
                leases.remove(o.number());
            }
        }
    }

    private void beat(long a, long b) {
        OsdTimes times = osd.spec().times();
        OsdMap map = osd.map();
        if (map != null) {
            for (OsdState o : map.osds()) {
                if (!o.up() || o.number() == osd.node().number()) {
                    continue;
                }
                Message m = new Message(MessageType.PING);
                m.epoch = map.epoch();
                m.time = now();
                osd.session(o.number()).send(m);
                if (now() - heard.getOrDefault(o.number(), now()) > times.grace()) {
                    osd.report(o.number());
                }
            }
        }
        osd.node().worker(0).after(times.heartbeat(), this::beat, 0, 0);
    }

    void ping(Session from, Message m) {
        promise(from.peer());
        Message answer = new Message(MessageType.PING_REPLY);
        answer.epoch = osd.epoch();
        answer.time = m.time;
        from.send(answer);
        behind(m.epoch);
    }

    void answered(Session from, Message m) {
        heard.put(from.peer(), now());
        extend(from.peer(), m.time);
        behind(m.epoch);
    }

    private void behind(int epoch) {
        if (epoch > osd.epoch()) {
            osd.subscribe();
        }
    }

    /** A peer may answer reads from now on for the time of a lease. */
    void promise(int peer) {
        promises.put(peer, now() + osd.spec().times().lease());
    }

    /** A peer has promised so, behind a time. */
    void extend(int peer, long from) {
        leases.merge(peer, from + osd.spec().times().lease(), Math::max);
    }

    /** Returns how long a peer may still answer reads. */
    long promisedPs(int peer) {
        return Math.max(0, promises.getOrDefault(peer, 0L) - now());
    }

    /** Returns whether reads may be answered now, as far as some peers are concerned. */
    boolean mayRead(List<Integer> peers) {
        for (int i = 0; i < peers.size(); i++) {
            int p = peers.get(i);
            if (p != osd.node().number() && leases.getOrDefault(p, 0L) < now()) {
                return false;
            }
        }
        return true;
    }
}
