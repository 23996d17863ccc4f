package dev.clockwire.storage.nvmf.initiator;

import dev.clockwire.sim.error.ConfigurationException;

/**
 * How a host behaves. The defaults are those of SPDK's host: {@code spdk_nvme_ctrlr_get_default_ctrlr_opts} and {@code bdev_nvme_set_options}.
 *
 * @param hostNqn name of the host
 * @param adminEntries entries of the admin queue
 * @param ioQueues I/O queues to ask for
 * @param ioEntries entries of each; one fewer commands are under way at most
 * @param keepAliveMs after which time without a sign the target gives the host up; 0 = never
 * @param retryCount tries of the RDMA device after a timeout, 0 to 7
 * @param inCapsule whether data of writes go inside the capsule where the target takes them
 * @param batching whether sends of one poll leave together, with one doorbell for each queue
 * @param buildPs making one capsule, without posting it
 * @param finishPs looking at one answer and telling who waits for it
 * @param adminPollPs time between polls of the admin queue and of the connection manager while nothing is asked for
 * @param reconnectDelayPs from a loss, or a try in vain, to the next try
 * @param lossTimeoutPs from a loss to the end of all tries; 0: none is made
 * @param fastFailPs from a loss until what waits fails; 0: when the tries end
 * @param commandTimeoutPs after which a command is aborted; 0 = never
 * @param connectTimeoutPs within which a Connect must be answered; 0 = none. SPDK's {@code fabrics_connect_timeout_us}
 * @param adminTimeoutPs within which any other admin command must be, and a controller without CAP.TO be ready; 0 = none. SPDK's {@code
 *     admin_timeout_ms}, {@code NVME_MAX_ADMIN_TIMEOUT_IN_SECS}
 */
public record InitiatorSpec(
        String hostNqn,
        int adminEntries,
        int ioQueues,
        int ioEntries,
        int keepAliveMs,
        int retryCount,
        boolean inCapsule,
        boolean batching,
        long buildPs,
        long finishPs,
        long adminPollPs,
        long reconnectDelayPs,
        long lossTimeoutPs,
        long fastFailPs,
        long commandTimeoutPs,
        long connectTimeoutPs,
        long adminTimeoutPs) {
    private static final long SECOND = 1_000_000_000_000L;
    private static final long LONGEST = 3_600 * SECOND;

    /** Checks the ranges. */
    public InitiatorSpec {
        check("nvmf.host.adminEntries", adminEntries, 2, 4_096);
        check("nvmf.host.ioQueues", ioQueues, 0, 65_535);
        check("nvmf.host.ioEntries", ioEntries, 2, 65_535);
        check("nvmf.host.keepAliveMs", keepAliveMs, 0, Integer.MAX_VALUE);
        check("nvmf.host.retryCount", retryCount, 0, 7);
        check("nvmf.host.buildPs", buildPs, 0, SECOND);
        check("nvmf.host.finishPs", finishPs, 0, SECOND);
        check("nvmf.host.adminPollPs", adminPollPs, 1, LONGEST);
        check("nvmf.host.reconnectDelayPs", reconnectDelayPs, 0, LONGEST);
        check("nvmf.host.lossTimeoutPs", lossTimeoutPs, 0, LONGEST);
        check("nvmf.host.fastFailPs", fastFailPs, 0, LONGEST);
        check("nvmf.host.commandTimeoutPs", commandTimeoutPs, 0, LONGEST);
        check("nvmf.host.connectTimeoutPs", connectTimeoutPs, 0, LONGEST);
        check("nvmf.host.adminTimeoutPs", adminTimeoutPs, 0, LONGEST);
        if ((lossTimeoutPs == 0) != (reconnectDelayPs == 0)) {
            throw new ConfigurationException("nvmf.host.reconnectDelayPs " + reconnectDelayPs + " with lossTimeoutPs "
                    + lossTimeoutPs + ": both are 0 or neither");
        }
        if (fastFailPs != 0 && (fastFailPs < reconnectDelayPs || fastFailPs > lossTimeoutPs)) {
            throw new ConfigurationException("nvmf.host.fastFailPs " + fastFailPs + " is not in " + reconnectDelayPs
                    + ".." + lossTimeoutPs + ", delay and loss timeout, and not 0");
        }
    }

    /**
     * Returns SPDK's host. What it does itself for a command is an assumption: a capsule is one line in the cache and some fifty
     * instructions, an answer a quarter of a line and as many.
     */
    public static InitiatorSpec spdk(String hostNqn) {
        return new InitiatorSpec(
                hostNqn,
                32,
                1,
                256,
                10_000,
                4,
                true,
                true,
                25_000,
                20_000,
                SECOND / 100,
                0,
                0,
                0,
                0,
                SECOND / 2,
                30 * SECOND);
    }

    /** Returns a copy with other queues. */
    public InitiatorSpec withQueues(int queues, int entries) {
        Draft d = new Draft(this);
        d.ioQueues = queues;
        d.ioEntries = entries;
        return d.done();
    }

    /** Returns a copy with another keep-alive time. */
    public InitiatorSpec withKeepAlive(int ms) {
        Draft d = new Draft(this);
        d.keepAliveMs = ms;
        return d.done();
    }

    /** Returns a copy that asks for connections again. */
    public InitiatorSpec withReconnect(long delayPs, long lossPs, long fastFail) {
        Draft d = new Draft(this);
        d.reconnectDelayPs = delayPs;
        d.lossTimeoutPs = lossPs;
        d.fastFailPs = fastFail;
        return d.done();
    }

    /** Returns a copy that aborts commands after a time. */
    public InitiatorSpec withCommandTimeout(long ps) {
        Draft d = new Draft(this);
        d.commandTimeoutPs = ps;
        return d.done();
    }

    /** Returns a copy that waits otherwise for Connect and for admin commands. */
    public InitiatorSpec withTimeouts(long connectPs, long adminPs) {
        Draft d = new Draft(this);
        d.connectTimeoutPs = connectPs;
        d.adminTimeoutPs = adminPs;
        return d.done();
    }

    /** Returns a copy whose own work takes other times, see {@link #buildPs} and {@link #finishPs}. */
    public InitiatorSpec withCosts(long build, long finish) {
        Draft d = new Draft(this);
        d.buildPs = build;
        d.finishPs = finish;
        return d.done();
    }

    /** Returns a copy with or without data in capsules, and batches. */
    public InitiatorSpec withCapsules(boolean data, boolean batches) {
        Draft d = new Draft(this);
        d.inCapsule = data;
        d.batching = batches;
        return d.done();
    }

    /** Returns a copy that polls its admin queue at another rate. */
    public InitiatorSpec withAdminPoll(long ps) {
        Draft d = new Draft(this);
        d.adminPollPs = ps;
        return d.done();
    }

    private static void check(String what, long value, long least, long most) {
        if (value < least || value > most) {
            throw new ConfigurationException(what + " " + value + " is not in " + least + ".." + most);
        }
    }

    /** All components, to be changed one by one. */
    private static final class Draft {
        private final InitiatorSpec from;
        private int ioQueues;
        private int ioEntries;
        private int keepAliveMs;
        private boolean inCapsule;
        private boolean batching;
        private long buildPs;
        private long finishPs;
        private long adminPollPs;
        private long reconnectDelayPs;
        private long lossTimeoutPs;
        private long fastFailPs;
        private long commandTimeoutPs;
        private long connectTimeoutPs;
        private long adminTimeoutPs;

        Draft(InitiatorSpec from) {
            this.from = from;
            ioQueues = from.ioQueues;
            ioEntries = from.ioEntries;
            keepAliveMs = from.keepAliveMs;
            inCapsule = from.inCapsule;
            batching = from.batching;
            buildPs = from.buildPs;
            finishPs = from.finishPs;
            adminPollPs = from.adminPollPs;
            reconnectDelayPs = from.reconnectDelayPs;
            lossTimeoutPs = from.lossTimeoutPs;
            fastFailPs = from.fastFailPs;
            commandTimeoutPs = from.commandTimeoutPs;
            connectTimeoutPs = from.connectTimeoutPs;
            adminTimeoutPs = from.adminTimeoutPs;
        }

        InitiatorSpec done() {
            return new InitiatorSpec(
                    from.hostNqn,
                    from.adminEntries,
                    ioQueues,
                    ioEntries,
                    keepAliveMs,
                    from.retryCount,
                    inCapsule,
                    batching,
                    buildPs,
                    finishPs,
                    adminPollPs,
                    reconnectDelayPs,
                    lossTimeoutPs,
                    fastFailPs,
                    commandTimeoutPs,
                    connectTimeoutPs,
                    adminTimeoutPs);
        }
    }
}
