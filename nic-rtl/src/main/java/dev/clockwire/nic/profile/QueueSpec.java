package dev.clockwire.nic.profile;

import dev.clockwire.sim.error.ConfigurationException;
import java.util.Locale;

/**
 * Parameters of the NIC's queues.
 *
 * @param policy which of the send queues that are ready goes next
 * @param responses whether READ responses and answers go by the same policy; else each queue pair in turn
 * @param ahead WQEs of one queue between their fetch and the start of their execution
 * @param moderation whether INT_MOD_CTRL is obeyed
 * @param logEvents log2 of the entries of an event queue whose consumer index the driver writes back; 0: a large one that never overflows
 * @param compression which completion queues have compressed entries
 * @param compressionCycles cycles that a completion waits for others to share entries with
 * @param ethernet Ethernet send queues and receive queues; 0: there is no such block
 * @param checksums whether they make and check checksums of IP, TCP and UDP
 */
public record QueueSpec(
        Policy policy,
        boolean responses,
        int ahead,
        boolean moderation,
        int logEvents,
        Compression compression,
        int compressionCycles,
        int ethernet,
        boolean checksums) {
    private static final int MAX_AHEAD = 64;
    private static final int MAX_LOG_EVENTS = 16;

    /** How the scheduler chooses. */
    public enum Policy {
        /** Each in turn. */
        RR,
        /** In turns, each as often in a round as its weight says. */
        WRR,
        /** The highest priority first. */
        STRICT
    }

    /** Which completion queues have compressed entries. */
    public enum Compression {
        /** None: there is no such unit. */
        OFF,
        /** Those that a program says. */
        CQ,
        /** All, unless a program says otherwise. */
        ALL
    }

    /** Checks the ranges. */
    public QueueSpec {
        if (ahead < 1 || ahead > MAX_AHEAD) {
            throw new ConfigurationException("queues: " + ahead + " WQEs ahead is not in 1.." + MAX_AHEAD);
        }
        if (logEvents < 0 || logEvents > MAX_LOG_EVENTS) {
            throw new ConfigurationException("queues: log2 of events " + logEvents + " is not in 0.." + MAX_LOG_EVENTS);
        }
    }

    /** Returns the policy by which answers go. */
    public Policy responsePolicy() {
        return responses ? policy : Policy.RR;
    }

    /** Reads the parameters out of a profile. */
    static QueueSpec from(Profile p) {
        return new QueueSpec(
                Policy.valueOf(p.text("nic.sched.policy").toUpperCase(Locale.ROOT)),
                p.flag("nic.sched.responses"),
                p.integer("nic.sched.ahead"),
                p.flag("nic.int.moderation"),
                p.integer("nic.eq.log_entries"),
                Compression.valueOf(p.text("nic.cqe.compression").toUpperCase(Locale.ROOT)),
                p.integer("nic.cqe.compression_cycles"),
                p.integer("nic.eth.queues"),
                p.flag("nic.eth.checksums"));
    }
}
