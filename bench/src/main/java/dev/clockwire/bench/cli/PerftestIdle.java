package dev.clockwire.bench.cli;

import dev.clockwire.bench.device.DeviceFormat;
import dev.clockwire.bench.perftest.AtomicKind;
import dev.clockwire.bench.perftest.BufferKind;
import dev.clockwire.bench.perftest.PerftestSpec;
import dev.clockwire.bench.perftest.Provider;
import dev.clockwire.bench.perftest.Tool;
import dev.clockwire.bench.perftest.Verb;
import dev.clockwire.nic.profile.RunPart;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.verbs.RateLimit;
import dev.clockwire.sim.fault.FaultAction;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** What a run of two hosts has, and which options of perftest mean nothing for it. */
final class PerftestIdle {
    private PerftestIdle() {}

    /** Returns the parts of a run of two hosts. */
    static Set<RunPart> parts(PerftestSpec spec) {
        Set<RunPart> parts = EnumSet.of(RunPart.LINE);
        add(parts, RunPart.NIC, spec.provider() == Provider.HW);
        add(parts, RunPart.PACING, !spec.pacing().equals(RateLimit.NONE));
        add(parts, RunPart.EVENTS, spec.events());
        add(parts, RunPart.RELEASES, spec.buffers() == BufferKind.EACH);
        add(parts, RunPart.ATOMICS, spec.tool().verb() == Verb.ATOMIC);
        add(parts, RunPart.DEVICE_MEMORY, spec.buffers() == BufferKind.DEVICE);
        boolean packets = spec.faults().rules().stream().anyMatch(r -> r.action() instanceof FaultAction.OnPacket);
        add(parts, RunPart.PACKET_FAULTS, packets);
        return parts;
    }

    private static void add(Set<RunPart> parts, RunPart part, boolean there) {
        if (there) {
            parts.add(part);
        }
    }

    /** Looks at the options that were typed. */
    static Idle options(PerftestSpec spec, PerftestOptions o, boolean out, boolean view) {
        Tool tool = spec.tool();
        String name = EnumConverter.name(tool);
        boolean fetches = tool.verb().isRoundTrip();
        boolean streams = !tool.isLatency();
        boolean soft = spec.provider() == Provider.SOFT;
        String single = name + " has one message under way";
        String bw = "the bw tools take it";
        List<DeviceFormat> formats = o.formats();
        boolean pci = formats.contains(DeviceFormat.LSPCI) || formats.contains(DeviceFormat.LSPCI_DUMP);
        boolean debug = formats.contains(DeviceFormat.ETHTOOL_C);
        return new Idle()
                .remark(
                        o.events && tool == Tool.WRITE_LAT,
                        "-e: write-lat looks for messages in memory and sleeps for its own completions only; the real"
                                + " tool takes no -e")
                .option(
                        "-I",
                        o.inline != null,
                        !fetches,
                        "what READs and atomics fetch is in no work request",
                        "the write and send tools take it")
                .option(
                        "-r",
                        o.rxDepth != null,
                        tool.verb() == Verb.SEND,
                        "only SENDs take receives",
                        "send-lat and send-bw take it")
                .option(
                        "--use-srq",
                        o.sharedReceives,
                        tool.verb() == Verb.SEND,
                        "only SENDs take receives",
                        "send-lat and send-bw take it")
                .option(
                        "-o",
                        o.outstanding != null,
                        fetches,
                        "it counts READs and atomics",
                        "the read and atomic tools take it")
                .option(
                        "-A",
                        o.atomic != AtomicKind.FETCH_AND_ADD,
                        tool.verb() == Verb.ATOMIC,
                        "there is no atomic",
                        "atomic-lat and atomic-bw take it")
                .option(
                        "-u",
                        o.qpTimeout != null,
                        spec.connection() == QpType.RC,
                        "only RC waits for acknowledgements",
                        "add -c RC")
                .option("-t", o.txDepth != null, streams, single, bw)
                .option("-l", o.postList != null, streams, single, bw)
                .option("-Q", o.cqMod != null, streams, single, bw)
                .option("--tx_weight", o.txWeight != null, spec.qps() > 1, "there is one queue pair", "add -q N")
                .option("--tx_priority", o.txPriority != null, spec.qps() > 1, "there is one queue pair", "add -q N")
                .option("--cq_period", o.cqPeriod != null, o.events, "no completion makes an event", "add -e")
                .option("-C", o.cycles, o.histogram || o.unsorted, "it is the unit of -H and -U", "add -H or -U")
                .option("--view", view, out, "it says what capture.pcapng shows", "add --out DIR")
                .option("--counters of PCIe", pci, !soft, "a software device is no PCIe function", "add --provider hw")
                .option(
                        "--counters=ethtool-c",
                        debug,
                        !soft,
                        "a software device moderates no interrupts",
                        "add --provider hw");
    }
}
