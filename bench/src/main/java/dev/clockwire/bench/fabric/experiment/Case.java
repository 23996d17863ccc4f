package dev.clockwire.bench.fabric.experiment;

import dev.clockwire.roce.fabric.net.NetworkSpec;
import java.util.List;
import java.util.function.IntFunction;

/**
 * One set-up of an experiment.
 *
 * @param name of it
 * @param network the fabric and its flows, by seed: flows may have other names, and so other ways
 * @param untilPs when it ends, if the flows do not before
 * @param random whether chance is at work: marks, losses
 * @param checks what must come out
 */
public record Case(String name, IntFunction<NetworkSpec> network, long untilPs, boolean random, List<Check> checks) {
    /** Copies the list. */
    public Case {
        checks = List.copyOf(checks);
    }

    /** A case whose fabric is the same for all seeds. */
    Case(String name, NetworkSpec network, long untilPs, boolean random, List<Check> checks) {
        this(name, seed -> network, untilPs, random, checks);
    }
}
