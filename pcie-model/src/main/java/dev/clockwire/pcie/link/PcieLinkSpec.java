package dev.clockwire.pcie.link;

import dev.clockwire.sim.error.ConfigurationException;

/**
 * One link from a root port to an endpoint, the switches between them included.
 *
 * @param generation speed and encoding
 * @param lanes 1, 2, 4, 8, 12, 16 or 32
 * @param maxPayload largest data of a write or completion in bytes, a power of two from 128 to 4096
 * @param maxReadRequest largest read in bytes, a power of two from 128 to 4096; may exceed the payload size
 * @param readBoundary the root complex's read completion boundary, 64 or 128 bytes
 * @param joinCompletions whether the completer fills completions up to the payload size instead of ending at each boundary
 * @param dllpMode what is charged for acknowledgements and credit updates
 * @param upDelayPs from the last bit leaving the endpoint to the packet in the root port's transaction layer, without switches
 * @param downDelayPs the same in the other direction
 * @param switchHops switches in the path
 * @param hopPs delay of one switch in one direction
 * @param tags read requests the endpoint may have outstanding: 32, 256 or 768 in real devices
 * @param readBufferBytes what the endpoint can take in completions, 0 for no limit: a read is sent when it fits
 * @param upCredits what the root port advertises
 * @param downCredits what the endpoint advertises
 * @param troubles what may go wrong
 * @param ordering what the order of writes costs
 */
public record PcieLinkSpec(
        PcieGeneration generation,
        int lanes,
        int maxPayload,
        int maxReadRequest,
        int readBoundary,
        boolean joinCompletions,
        DllpMode dllpMode,
        long upDelayPs,
        long downDelayPs,
        int switchHops,
        long hopPs,
        int tags,
        int readBufferBytes,
        FlowCredits upCredits,
        FlowCredits downCredits,
        LinkTroubles troubles,
        PcieOrdering ordering) {
    private static final long LONGEST_PS = 1_000_000_000L;
    private static final int DW = 4;

    /** Checks the ranges. */
    public PcieLinkSpec {
        if (lanes != 12 && (Integer.bitCount(lanes) != 1 || lanes < 1 || lanes > 32)) {
            throw new ConfigurationException("pcie.lanes " + lanes + " is not one of 1, 2, 4, 8, 12, 16, 32");
        }
        checkSize("pcie.mps", maxPayload, 128);
        checkSize("pcie.mrrs", maxReadRequest, 128);
        if (readBoundary != 64 && readBoundary != 128) {
            throw new ConfigurationException("pcie.rcb " + readBoundary + " is neither 64 nor 128");
        }
        checkDelay("pcie.upDelayPs", upDelayPs, 1);
        checkDelay("pcie.downDelayPs", downDelayPs, 1);
        checkDelay("pcie.hopPs", hopPs, 0);
        if (switchHops < 0 || switchHops > 16) {
            throw new ConfigurationException("pcie.switchHops " + switchHops + " is not in 0..16");
        }
        if (tags < 1 || tags > 768) {
            throw new ConfigurationException("pcie.tags " + tags + " is not in 1..768");
        }
        if (readBufferBytes != 0 && readBufferBytes < maxReadRequest) {
            throw new ConfigurationException(
                    "pcie.readBufferBytes " + readBufferBytes + " holds no read of pcie.mrrs " + maxReadRequest);
        }
        DataLinkSpec layer = troubles.dataLink();
        if (layer != null) {
            checkRetryBytes(layer.retryBytes(), wireBytes(generation, true, maxPayload / DW), maxPayload);
        }
    }

    private static void checkRetryBytes(int bytes, int packet, int maxPayload) {
        if (bytes != 0 && bytes < packet) {
            throw new ConfigurationException("pcie.retry_bytes=" + bytes + ": with pcie.mps=" + maxPayload
                    + " allowed is 0 or a whole number from " + packet + ", one packet on the wire");
        }
    }

    /**
     * Checks a retry buffer that may come to be.
     *
     * @throws ConfigurationException if it is above 0 bytes and holds no packet of this link
     */
    public void checkRetryBytes(int bytes) {
        checkRetryBytes(bytes, wireBytes(true, maxPayload / DW), maxPayload);
    }

    /**
     * Returns a link as servers have it: MPS 256, MRRS 512, joined completions at RCB 64, exact accounting, 50 ns each way,
     * 256 tags.
     */
    public static PcieLinkSpec of(int generation, int lanes) {
        return new PcieLinkSpec(
                PcieGeneration.of(generation),
                lanes,
                256,
                512,
                64,
                true,
                DllpMode.EXACT,
                50_000,
                50_000,
                0,
                115_000,
                256,
                0,
                FlowCredits.ROOT_PORT,
                FlowCredits.ADAPTER,
                LinkTroubles.NONE,
                PcieOrdering.FREE);
    }

    /** Returns the delay from the last bit leaving the endpoint to the root port's transaction layer, switches included. */
    public long upPs() {
        return upDelayPs + switchHops * hopPs;
    }

    /** Returns the delay from the last bit leaving the root port to the endpoint's transaction layer, switches included. */
    public long downPs() {
        return downDelayPs + switchHops * hopPs;
    }

    /** Returns the boundary at which completions end. */
    public int completionChunk() {
        return joinCompletions ? maxPayload : readBoundary;
    }

    /** Returns the bytes of a packet on the wire. */
    public int wireBytes(boolean fourDw, int dataDw) {
        return wireBytes(generation, fourDw, dataDw);
    }

    private static int wireBytes(PcieGeneration generation, boolean fourDw, int dataDw) {
        return generation.framingBytes() + (fourDw ? 16 : 12) + DW * dataDw;
    }

    /**
     * Returns what the Linux kernel says about the bandwidth of a slot, such as {@code 63.008 Gb/s available PCIe
     * bandwidth (8.0 GT/s PCIe x8 link)}.
     */
    public String linuxBandwidthText() {
        int mega = generation.linuxMegabits() * lanes;
        String thousandths = Integer.toString(1000 + mega % 1000).substring(1);
        return mega / 1000 + "." + thousandths + " Gb/s available PCIe bandwidth (" + generation.speedText() + " PCIe x"
                + lanes + " link)";
    }

    /** Returns a copy with other payload and read request sizes. */
    public PcieLinkSpec withSizes(int mps, int mrrs) {
        Draft d = new Draft(this);
        d.maxPayload = mps;
        d.maxReadRequest = mrrs;
        return d.done();
    }

    /** Returns a copy with another completer. */
    public PcieLinkSpec withCompletions(int rcb, boolean join) {
        Draft d = new Draft(this);
        d.readBoundary = rcb;
        d.joinCompletions = join;
        return d.done();
    }

    /** Returns a copy with other accounting. */
    public PcieLinkSpec withDllpMode(DllpMode mode) {
        Draft d = new Draft(this);
        d.dllpMode = mode;
        return d.done();
    }

    /** Returns a copy with other delays of the two directions, in ps and without switches. */
    public PcieLinkSpec withDelays(long up, long down) {
        Draft d = new Draft(this);
        d.upDelayPs = up;
        d.downDelayPs = down;
        return d.done();
    }

    /** Returns a copy with a number of switches in the path. */
    public PcieLinkSpec withSwitches(int hops, long eachPs) {
        Draft d = new Draft(this);
        d.switchHops = hops;
        d.hopPs = eachPs;
        return d.done();
    }

    /** Returns a copy with other limits on outstanding reads: tags and completion buffer bytes (0 for no limit). */
    public PcieLinkSpec withReadLimits(int tagCount, int bufferBytes) {
        Draft d = new Draft(this);
        d.tags = tagCount;
        d.readBufferBytes = bufferBytes;
        return d.done();
    }

    /** Returns a copy with other credits. */
    public PcieLinkSpec withCredits(FlowCredits rootPort, FlowCredits endpoint) {
        Draft d = new Draft(this);
        d.upCredits = rootPort;
        d.downCredits = endpoint;
        return d.done();
    }

    /** Returns a copy on which things may go wrong. */
    public PcieLinkSpec withTroubles(LinkTroubles what) {
        Draft d = new Draft(this);
        d.troubles = what;
        return d.done();
    }

    /** Returns a copy on which order costs something else. */
    public PcieLinkSpec withOrdering(PcieOrdering how) {
        Draft d = new Draft(this);
        d.ordering = how;
        return d.done();
    }

    private static void checkSize(String what, int value, int least) {
        if (Integer.bitCount(value) != 1 || value < least || value > 4096) {
            throw new ConfigurationException(what + " " + value + " is not a power of two from " + least + " to 4096");
        }
    }

    private static void checkDelay(String what, long value, long least) {
        if (value < least || value > LONGEST_PS) {
            throw new ConfigurationException(what + " " + value + " is not in " + least + ".." + LONGEST_PS);
        }
    }

    /** All components of a copy that is about to differ in some. */
    private static final class Draft {
        private PcieGeneration generation;
        private int lanes;
        private int maxPayload;
        private int maxReadRequest;
        private int readBoundary;
        private boolean joinCompletions;
        private DllpMode dllpMode;
        private long upDelayPs;
        private long downDelayPs;
        private int switchHops;
        private long hopPs;
        private int tags;
        private int readBufferBytes;
        private FlowCredits upCredits;
        private FlowCredits downCredits;
        private LinkTroubles troubles;
        private PcieOrdering ordering;

        Draft(PcieLinkSpec of) {
            generation = of.generation;
            lanes = of.lanes;
            maxPayload = of.maxPayload;
            maxReadRequest = of.maxReadRequest;
            readBoundary = of.readBoundary;
            joinCompletions = of.joinCompletions;
            dllpMode = of.dllpMode;
            upDelayPs = of.upDelayPs;
            downDelayPs = of.downDelayPs;
            switchHops = of.switchHops;
            hopPs = of.hopPs;
            tags = of.tags;
            readBufferBytes = of.readBufferBytes;
            upCredits = of.upCredits;
            downCredits = of.downCredits;
            troubles = of.troubles;
            ordering = of.ordering;
        }

        PcieLinkSpec done() {
            return new PcieLinkSpec(
                    generation,
                    lanes,
                    maxPayload,
                    maxReadRequest,
                    readBoundary,
                    joinCompletions,
                    dllpMode,
                    upDelayPs,
                    downDelayPs,
                    switchHops,
                    hopPs,
                    tags,
                    readBufferBytes,
                    upCredits,
                    downCredits,
                    troubles,
                    ordering);
        }
    }
}
