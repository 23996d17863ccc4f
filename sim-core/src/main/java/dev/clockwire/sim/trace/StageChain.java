package dev.clockwire.sim.trace;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The stages that an operation passes one after another, in order. An operation that is split into packets passes some of
 * them with each packet; packets of one direction form a group. See {@link Waterfall#along}.
 */
public final class StageChain {
    /** The group of stages that are passed once, by the whole operation. */
    static final int WHOLE = 0;

    private final List<Step> steps = new ArrayList<>();
    private final TreeSet<String> carried = new TreeSet<>();
    private final Map<String, String> causes = new TreeMap<>();
    private final Map<String, String> shown = new TreeMap<>();
    private final TreeSet<String> queued = new TreeSet<>();
    private String queue = "";
    private int groups;

    /** Creates an empty chain. */
    public StageChain() {}

    /** What a stage means for the packets of its group. */
    enum Role {
        /** The operation as such passes it. */
        OPERATION,
        /** Collects what packets carry; packets may wait for what others collect. */
        GATHER,
        /** In front of the place where packets queue behind each other. */
        FEED,
        /** Behind that place. */
        DELIVER
    }

    /** One stage of the chain. */
    record Step(String stage, int group, Role role) {}

    /** Appends stages that the operation passes once. */
    public StageChain once(String... stages) {
        return add(WHOLE, Role.OPERATION, stages);
    }

    /** Starts a group of packets with the stage that collects their data; it may be absent from the log. */
    public StageChain packets(String gather) {
        return add(++groups, Role.GATHER, gather);
    }

    /** Appends stages of the last group up to the moment at which a packet has the line to itself. */
    public StageChain feed(String... stages) {
        return add(groups, Role.FEED, stages);
    }

    /** Appends stages of the last group from then on. */
    public StageChain deliver(String... stages) {
        return add(groups, Role.DELIVER, stages);
    }

    /** Marks stages in which something is under way all the time, so that they know no waiting. */
    public StageChain carried(String... stages) {
        carried.addAll(List.of(stages));
        return this;
    }

    /** Says what is waited for in front of stages where their stamps name no cause. */
    public StageChain waits(String cause, String... stages) {
        for (String stage : stages) {
            causes.put(stage, cause);
        }
        return this;
    }

    /**
     * Says in which stages an operation waits for its turn in a queue: what holds up the queue counts there.
     *
     * @param stage whose stamps' part is the number of the queue
     */
    public StageChain inQueue(String stage, String... waiting) {
        queue = stage;
        queued.addAll(List.of(waiting));
        return this;
    }

    /** Gives a stage another name in what is reported. */
    public StageChain shown(String stage, String name) {
        shown.put(stage, name);
        return this;
    }

    private StageChain add(int group, Role role, String... stages) {
        for (String stage : stages) {
            steps.add(new Step(stage, group, role));
        }
        return this;
    }

    boolean isCarried(String stage) {
        return carried.contains(stage);
    }

    /** Returns the stage whose stamps name the queue, empty if there is none. */
    String queue() {
        return queue;
    }

    boolean isQueued(String stage) {
        return queued.contains(stage);
    }

    String name(String stage) {
        return shown.getOrDefault(stage, stage);
    }

    String cause(String stage) {
        return causes.getOrDefault(stage, Waterfall.UNKNOWN);
    }

    List<Step> steps() {
        return steps;
    }

    int groups() {
        return groups;
    }
}
