package dev.clockwire.sim.trace;

import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.trace.Waterfall.Segment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The critical path of one operation: each instant from its start to its end belongs to exactly one stage, so the stages
 * add up to the total. The path is followed backwards from the end: of several packets it is the one that arrived last that
 * counts, and where that packet only queued behind the one before it, the one before it.
 *
 * <p>A stage that left no stamp is absent, except the last one, which lasts to the end. A stage ends when its stamp says so, and begins where the one before it ends;
 * the time until its stamp begins is its waiting. What delays cover is waiting for their cause, wherever it lies in the stage.
 */
final class ChainPath {
    private final JourneyLog log;
    private final StageRegistry names;
    private final StageChain chain;
    private final Map<String, StageStamps> stamps = new TreeMap<>();
    private final int behind;
    private final long handOverPs;
    private final StageStamps none;
    private final Delays delays = new Delays();
    /** Of the queue in which the operation waited. */
    private final Delays queue = new Delays();
    /** Whether the stages from here on may lie in front of the first packet. */
    private boolean inQueue = true;

    private boolean isEmpty = true;

    private ChainPath(
            JourneyLog log, StageRegistry names, StageChain chain, long journey, long endPs, long handOverPs) {
        this.handOverPs = handOverPs;
        this.log = log;
        this.names = names;
        this.chain = chain;
        behind = names.id(Waterfall.BEHIND);
        none = new StageStamps(log);
        for (StageChain.Step step : chain.steps()) {
            stamps.computeIfAbsent(step.stage(), stage -> new StageStamps(log));
        }
        for (int i = 0; i < log.size(); i++) {
            if (log.journey(i) != journey) {
                continue;
            }
            if (log.isDelay(i)) {
                delays.add(log, names, i);
            } else if (log.out(i) <= endPs) {
                StageStamps of = stamps.get(names.name(log.stage(i)));
                isEmpty = false;
                if (of != null) {
                    of.add(i);
                }
            }
        }
        stamps.values().forEach(StageStamps::sort);
        delays.sort();
        int named = of(chain.queue()).latest();
        if (named >= 0) {
            addQueue(JourneyLog.queue(journey, log.seq(named)));
        }
    }

    private void addQueue(long number) {
        for (int i = 0; i < log.size(); i++) {
            if (log.journey(i) == number) {
                queue.add(log, names, i);
            }
        }
        queue.sort();
    }

    /** One stage of the path, for a packet: its end is at least its start, and from the start on nothing was done for so long. */
    private record Span(
            String stage, int seq, long startPs, long endPs, long waitPs, String waitFor, boolean gathers) {}

    /** Finds the path; see {@link Waterfall#along}. */
    static List<Segment> of(
            JourneyLog log,
            StageRegistry names,
            StageChain chain,
            long handOverPs,
            long journey,
            long startPs,
            long endPs) {
        ChainPath p = new ChainPath(log, names, chain, journey, endPs, handOverPs);
        if (p.isEmpty) {
            throw new ConfigurationException("journey " + journey
                    + " has no stamps: it was not followed, or the log of " + log.size() + " stamps is too small");
        }
        List<Segment> segments = new ArrayList<>();
        for (Span s : p.walk(startPs, endPs)) {
            long works = s.startPs + s.waitPs;
            if (s.waitPs > 0) {
                String cause = s.waitFor.isEmpty() ? chain.cause(s.stage) : s.waitFor;
                p.wait(s, cause, segments);
            }
            if (s.waitPs == 0 || works < s.endPs) {
                p.delays.split(new Segment(s.stage, "", works, s.endPs), s.seq, segments);
            }
            p.inQueue &= !s.gathers;
        }
        return segments.stream()
                .map(s -> new Segment(chain.name(s.stage()), s.cause(), s.startPs(), s.endPs()))
                .toList();
    }

    /**
     * What a stage waited for in front of its own work. Where the stage collects the data of packets, the packets in front are the
     * operation's own: going back in time, what held up a packet itself counts, and before that what held up the packet whose data had come
     * last, since they made room.
     */
    private void wait(Span s, String cause, List<Segment> into) {
        List<List<Segment>> back = new ArrayList<>();
        long at = s.startPs + s.waitPs;
        int seq = s.seq;
        while (at > s.startPs) {
            int front = s.gathers ? inFront(s.stage, seq, at) : -1;
            long free = front < 0 ? s.startPs : Math.min(at, log.out(front));
            long from = Math.max(s.startPs, front < 0 ? free : delays.since(s.stage, seq, free));
            if (from < at) {
                back.add(split(new Segment(s.stage, cause, from, at), seq));
                at = from;
            }
            if (front >= 0 && from == free && at > s.startPs) {
                seq = log.seq(front);
                long begun = Math.max(s.startPs, log.in(front));
                back.add(split(new Segment(s.stage, cause, begun, at), seq));
                at = begun;
            }
        }
        for (int i = back.size() - 1; i >= 0; i--) {
            into.addAll(back.get(i));
        }
    }

    private List<Segment> split(Segment part, int seq) {
        List<Segment> pieces = new ArrayList<>();
        delays.split(part, seq, pieces);
        if (!inQueue || !chain.isQueued(part.stage())) {
            return pieces;
        }
        List<Segment> all = new ArrayList<>();
        for (Segment piece : pieces) {
            if (piece.cause().equals(part.cause())) {
                queue.split(piece, JourneyLog.WHOLE, all);
            } else {
                all.add(piece);
            }
        }
        return all;
    }

    /** Returns the stamp of the other packet whose data had come last when room was made for one at a time; it began before. */
    private int inFront(String stage, int seq, long at) {
        int front = of(stage).before(at + handOverPs + 1, seq);
        return front < 0 || log.in(front) < at ? front : of(stage).before(at, seq);
    }

    private List<Span> walk(long startPs, long endPs) {
        int[] delivered = new int[chain.groups() + 1];
        int[] fed = new int[chain.groups() + 1];
        for (int g = 1; g <= chain.groups(); g++) {
            delivered[g] = lastDelivered(g);
            fed[g] = delivered[g] < 0 ? -1 : feeder(g, delivered[g]);
        }
        List<Span> path = new ArrayList<>();
        long at = startPs;
        for (int k = 0; k < chain.steps().size(); k++) {
            StageChain.Step step = chain.steps().get(k);
            int stamp = switch (step.role()) {
                case OPERATION -> latest(step.stage(), null);
                case GATHER -> gathered(k, fed[step.group()]);
                case FEED -> latest(step.stage(), seq(fed[step.group()]));
                case DELIVER -> latest(step.stage(), seq(delivered[step.group()]));
            };
            if (stamp < 0 && k == chain.steps().size() - 1 && !path.isEmpty() && at < endPs) {
                path.add(new Span(step.stage(), JourneyLog.WHOLE, at, endPs, endPs - at, "", false));
                return path;
            }
            if (stamp >= 0) {
                long end = Math.min(endPs, Math.max(at, log.out(stamp)));
                long wait = chain.isCarried(step.stage()) ? 0 : Math.max(0, Math.min(end, begin(stamp, at)) - at);
                if (step.role() == StageChain.Role.DELIVER && delivered[step.group()] != fed[step.group()]) {
                    wait = 0; // the packets in front belong to the operation too
                    fed[step.group()] = delivered[step.group()];
                }
                int seq = step.role() == StageChain.Role.OPERATION ? JourneyLog.WHOLE : log.seq(stamp);
                String waitFor = wait > 0 ? names.name(log.cause(stamp)) : "";
                boolean gathers = step.role() == StageChain.Role.GATHER;
                path.add(new Span(step.stage(), seq, at, end, wait, waitFor, gathers));
                at = end;
            }
        }
        return closed(path, at, endPs);
    }

    /** Returns when the stage of a stamp began for the same part of the operation, as far as that is not before a time. */
    private long begin(int stamp, long at) {
        long begin = log.in(stamp);
        for (int other : of(names.name(log.stage(stamp))).all()) {
            if (log.seq(other) == log.seq(stamp) && log.in(other) >= at) {
                begin = Math.min(begin, log.in(other));
            }
        }
        return begin;
    }

    private static List<Span> closed(List<Span> path, long at, long endPs) {
        if (at < endPs && !path.isEmpty()) {
            Span last = path.remove(path.size() - 1);
            path.add(new Span(last.stage, last.seq, last.startPs, endPs, last.waitPs, last.waitFor, last.gathers));
        }
        return path;
    }

    /** Returns a stamp of the group's packet that came last: that of the last stage that any packet of the group passed. */
    private int lastDelivered(int group) {
        int found = -1;
        for (StageChain.Step step : chain.steps()) {
            if (step.group() == group && step.role() != StageChain.Role.GATHER) {
                int stamp = latest(step.stage(), null);
                found = stamp < 0 ? found : stamp;
            }
        }
        return found;
    }

    /** Goes back from the packet that came last to the one behind which it and all between them queued. */
    private int feeder(int group, int delivered) {
        int packet = delivered;
        int left = latest(lastFeed(group), log.seq(packet));
        while (left >= 0) {
            left = predecessor(group, log.seq(packet), log.out(left));
            if (left < 0 || !queued(group, log.seq(packet), log.seq(left))) {
                return packet;
            }
            packet = left;
        }
        return packet;
    }

    /**
     * Tells whether a packet stood behind the one before it in some feeding stage: it says so, or it was ready for the stage
     * for longer than a hand-over takes and the other one was still there.
     */
    private boolean queued(int group, int seq, int before) {
        int ready = -1;
        for (StageChain.Step step : chain.steps()) {
            if (step.group() != group || step.role() == StageChain.Role.DELIVER) {
                continue;
            }
            int stamp = latest(step.stage(), seq);
            if (stamp >= 0 && step.role() == StageChain.Role.FEED) {
                int other = latest(step.stage(), before);
                boolean waited = ready >= 0
                        && log.in(stamp) > log.out(ready) + handOverPs
                        && other >= 0
                        && log.out(other) > log.out(ready);
                if (waited || log.cause(stamp) == behind) {
                    return true;
                }
            }
            ready = stamp >= 0 ? stamp : ready;
        }
        return false;
    }

    private String lastFeed(int group) {
        String stage = "";
        for (StageChain.Step step : chain.steps()) {
            if (step.group() == group && step.role() == StageChain.Role.FEED) {
                stage = step.stage();
            }
        }
        return stage;
    }

    /** Returns the stamp of the other packet that left the group's last feeding stage last before a time; -1 if none did. */
    private int predecessor(int group, int seq, long before) {
        return of(lastFeed(group)).before(before, seq);
    }

    /** A packet's data are there, and so are those of all packets that it was made to wait for. */
    private int gathered(int k, int fed) {
        StageChain.Step step = chain.steps().get(k);
        int own = latest(step.stage(), seq(fed));
        int next = -1;
        for (int i = k + 1; i < chain.steps().size() && next < 0; i++) {
            StageChain.Step feed = chain.steps().get(i);
            if (feed.group() == step.group() && feed.role() == StageChain.Role.FEED) {
                next = latest(feed.stage(), seq(fed));
            }
        }
        int found = own;
        if (own < 0 || next < 0) {
            return own;
        }
        for (int stamp : of(step.stage()).all()) {
            if (log.out(stamp) <= log.in(next) && log.out(stamp) > log.out(found)) {
                found = stamp;
            }
        }
        return found;
    }

    private Integer seq(int stamp) {
        return stamp < 0 ? Integer.MIN_VALUE : log.seq(stamp);
    }

    /** Returns the stamp of a stage, of one packet or of any, that ends last; -1 if there is none. */
    private int latest(String stage, @Nullable Integer seq) {
        return seq == null ? of(stage).latest() : of(stage).latest(seq);
    }

    private StageStamps of(String stage) {
        return stamps.getOrDefault(stage, none);
    }
}
