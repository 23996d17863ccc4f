package dev.clockwire.storage.perf;

import dev.clockwire.nvme.ctrl.NvmeController;
import dev.clockwire.sim.Sim;
import java.util.List;

/**
 * What a load runs on: cores of one host, and everything between them and the namespaces. Local SSDs are one, an initiator over a fabric is
 * another, a kernel's block layer a third.
 *
 * <p>Life: {@link #connect}; then the load gives each of {@link #queues} its user and lets {@link #sim} run.
 */
public interface PerfStack {
    /** Returns the simulation. */
    Sim sim();

    /**
     * Runs the simulation until all queues take I/Os.
     *
     * @throws dev.clockwire.sim.error.ConfigurationException if that cannot be reached, with the reason
     */
    void connect();

    /** Returns the controllers as the tool prints them, {@code NVMe Controller at PCIE (0000:01:00.0)}; once connected. */
    List<String> controllers();

    /** Returns the queues in the order in which the tool lists them; once connected. */
    List<PerfQueue> queues();

    /** Returns the SSDs at the end of it all. */
    List<NvmeController> ssds();

    /** Returns the cores that run the load and, behind them, what else of cores there is. */
    List<CoreUse> cores();

    /** Returns what was counted so far besides, such as copies and interrupts; always the same names in the same order. */
    default List<Tally> tallies() {
        return List.of();
    }

    /** Something that was counted. */
    record Tally(String name, long value) {}

    /**
     * What a core has done so far.
     *
     * @param name host and number of the core, {@code host0 lcore 0}, as the load's table numbers it
     * @param path of the core in statistics and waves, {@code host0.root.core1}: each host counts its own from 0
     * @param busyPs in steps
     * @param pollingPs in steps that looked at queues and found nothing; of a core that sleeps, with what waking up has cost
     */
    record CoreUse(String name, String path, long busyPs, long pollingPs) {}
}
