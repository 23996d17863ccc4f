package dev.clockwire.sim.trace;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The stamps that one operation left in one stage, found by packet and by end: an operation may have millions of packets. */
final class StageStamps {
    private final JourneyLog log;
    private final List<Integer> all = new ArrayList<>();
    private final Map<Integer, Integer> latestOfPacket = new TreeMap<>();
    private List<Integer> byEnd = List.of();
    private int latest = -1;

    StageStamps(JourneyLog log) {
        this.log = log;
    }

    /** Adds a stamp; in the order of the log. */
    void add(int stamp) {
        all.add(stamp);
        latest = later(latest, stamp);
        latestOfPacket.merge(log.seq(stamp), stamp, this::later);
    }

    /** To be called when all are added. */
    void sort() {
        byEnd = new ArrayList<>(all);
        byEnd.sort(Comparator.<Integer>comparingLong(log::out).thenComparing(Comparator.reverseOrder()));
    }

    private int later(int known, int stamp) {
        return known < 0 || log.out(stamp) >= log.out(known) ? stamp : known;
    }

    /** Returns all stamps in the order of the log. */
    List<Integer> all() {
        return all;
    }

    /** Returns the stamp that ends last, -1 if there is none; of several the last in the log. */
    int latest() {
        return latest;
    }

    /** Returns the stamp of a packet that ends last, -1 if there is none. */
    int latest(int seq) {
        return latestOfPacket.getOrDefault(seq, -1);
    }

    /** Returns the stamp of another packet that ends last before a time, -1 if there is none; of several the first in the log. */
    int before(long ps, int seq) {
        int from = 0;
        int to = byEnd.size();
        while (from < to) {
            int middle = (from + to) >>> 1;
            if (log.out(byEnd.get(middle)) < ps) {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        int i = from - 1;
        while (i >= 0 && log.seq(byEnd.get(i)) == seq) {
            i--;
        }
        return i < 0 ? -1 : byEnd.get(i);
    }
}
