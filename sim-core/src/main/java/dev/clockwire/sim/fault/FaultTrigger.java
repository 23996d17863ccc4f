package dev.clockwire.sim.fault;

import dev.clockwire.sim.error.ConfigurationException;
import java.util.List;

/** When a fault happens. */
public sealed interface FaultTrigger {
    /** Every time: the rule's filter is what decides. */
    record Always() implements FaultTrigger {}

    /**
     * By chance, for each thing on its own.
     *
     * @param p 0 to 1
     */
    record Probability(double p) implements FaultTrigger {
        /** Checks the range. */
        public Probability {
            if (!(p >= 0 && p <= 1)) {
                throw new ConfigurationException("probability " + p + ": must be 0 to 1");
            }
        }
    }

    /**
     * At these of the things that pass the filter; each direction of a link counts its own.
     *
     * @param numbers from 1, ascending
     */
    record Frames(List<Long> numbers) implements FaultTrigger {
        /** Checks the numbers. */
        public Frames {
            numbers = List.copyOf(numbers);
            long before = 0;
            for (long n : numbers) {
                if (n <= before) {
                    throw new ConfigurationException("frame numbers " + numbers + ": must be 1 or more and ascend, but "
                            + n + " follows " + before);
                }
                before = n;
            }
        }
    }

    /**
     * At a time.
     *
     * @param ps simulated time, 0 or more
     */
    record At(long ps) implements FaultTrigger {
        /** Checks the range. */
        public At {
            if (ps < 0) {
                throw new ConfigurationException("a fault at " + ps + " ps: must be 0 or more");
            }
        }
    }

    /**
     * When a node takes a step of its program's protocol. Only whoever runs programs knows of steps.
     *
     * @param node whose step it is
     * @param step its name, such as {@code commit}
     * @param nth which of its steps of that name, from 1, counted from the start of the nodes
     */
    record AtStep(String node, String step, int nth) implements FaultTrigger {
        /** Checks the number. */
        public AtStep {
            if (nth < 1) {
                throw new ConfigurationException(
                        "step " + step + " of " + node + " number " + nth + ": must be 1 or more");
            }
        }
    }

    /**
     * When something is first seen, the thing that shows it included.
     *
     * @param name of the event, for messages
     * @param shows recognises it
     */
    record AtEvent(String name, FaultFilter shows) implements FaultTrigger {}
}
