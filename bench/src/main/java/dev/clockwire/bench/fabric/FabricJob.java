package dev.clockwire.bench.fabric;

import dev.clockwire.roce.fabric.net.NetworkSpec;

/**
 * A fabric to run.
 *
 * @param name what it is called
 * @param network the fabric
 * @param untilPs when the run ends, if the flows do not before
 * @param lossless class that data is in, whose queues are reported
 */
public record FabricJob(String name, NetworkSpec network, long untilPs, int lossless) {}
