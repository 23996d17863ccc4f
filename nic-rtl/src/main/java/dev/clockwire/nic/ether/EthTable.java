package dev.clockwire.nic.ether;

import dev.clockwire.sim.error.ConfigurationException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the driver has told the device of its Ethernet queues; changed by commands only. */
public final class EthTable {
    /** Entries of the indirection table. */
    public static final int INDIRECTION = 128;

    /**
     * A ring in host memory.
     *
     * @param base address
     * @param logEntries log2 of its entries
     * @param cqn where its completions go
     */
    public record Ring(long base, int logEntries, int cqn) {}

    private final List<Ring> sends = new ArrayList<>();
    private final List<Ring> receives = new ArrayList<>();
    private final List<FlowRule> rules = new ArrayList<>();
    private final int[] indirection = new int[INDIRECTION];
    private Toeplitz hash = new Toeplitz(Toeplitz.usualKey());
    private int mtu;

    /** Deliver the check sequence behind the frame ({@code ethtool -K rx-fcs}). */
    public boolean rxFcs;
    /** Deliver frames with a wrong check sequence too ({@code ethtool -K rx-all}). */
    public boolean rxAll;

    /** Creates a table without queues: all frames are dropped. */
    public EthTable() {}

    /** Opens the queues; receives are spread over them in turn. */
    public void open(List<Ring> sendRings, List<Ring> receiveRings, int mtuBytes) {
        sends.addAll(sendRings);
        receives.addAll(receiveRings);
        mtu = mtuBytes;
        for (int i = 0; i < INDIRECTION; i++) {
            indirection[i] = i % receives.size();
        }
    }

    /** Returns the number of receive queues. */
    public int queues() {
        return receives.size();
    }

    /** Returns a send queue. */
    public Ring send(int q) {
        return sends.get(q);
    }

    Ring receive(int q) {
        return receives.get(q);
    }

    /** Longest frame that is received, without check sequence: addresses, type, a VLAN tag and the MTU. */
    int longest() {
        return mtu + EthFrame.HEADER_BYTES + 4;
    }

    /**
     * Checks a rule.
     *
     * @throws ConfigurationException if it sends frames to a queue that is not there
     */
    public void check(FlowRule rule) {
        if (rule.action() >= receives.size()) {
            throw new ConfigurationException(
                    "flow rule: action " + rule.action() + " is no queue: there are 0.." + (receives.size() - 1));
        }
    }

    /** Adds a rule, in the place of one of the same location. */
    public void add(FlowRule rule) {
        check(rule);
        remove(rule.location());
        rules.add(rule);
        rules.sort(Comparator.comparingInt(FlowRule::location));
    }

    /** Takes a rule away; tells whether there was one. */
    public boolean remove(int location) {
        return rules.removeIf(rule -> rule.location() == location);
    }

    /** Returns the rules, the one that is asked first in front. */
    public List<FlowRule> rules() {
        return Collections.unmodifiableList(rules);
    }

    /** Returns the rule that is about a frame, null if there is none. */
    public @Nullable FlowRule rule(FrameFields f) {
        for (int i = 0; i < rules.size(); i++) {
            if (rules.get(i).fits(f)) {
                return rules.get(i);
            }
        }
        return null;
    }

    /** Sets an entry of the indirection table ({@code ethtool -X}). */
    public void direct(int entry, int queue) {
        indirection[entry] = queue;
    }

    /** Sets the key of the hash. */
    public void key(byte[] bytes) {
        hash = new Toeplitz(bytes);
    }

    /** Returns the hash of a frame. */
    int hash(byte[] frame, FrameFields f) {
        return hash.of(frame, f);
    }

    /** Returns the queue of a hash. */
    int spread(int hashed) {
        return indirection[hashed & INDIRECTION - 1];
    }
}
