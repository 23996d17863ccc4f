package dev.clockwire.bench.artefact;

import dev.clockwire.nic.lab.LabHost;
import dev.clockwire.pcie.link.TlpLog;
import dev.clockwire.pcie.tlp.FlowClass;
import dev.clockwire.pcie.tlp.TlpType;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.export.Timeline;
import dev.clockwire.sim.export.TimelineSlice;
import dev.clockwire.sim.trace.JourneyIndex;
import dev.clockwire.sim.trace.JourneyLog;
import dev.clockwire.sim.trace.StageRegistry;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The timeline of a run's operations: below each host the stages that its NIC and core spent on them, and the packets of its PCIe link. Arrows lead from the
 * post and its doorbell through the packets of the network, and the TLPs of each, to the CQE; see {@link OperationFlows}.
 */
final class OperationTimeline {
    private static final int DEVICE_SHIFT = 40;
    private static final String NETWORK = "network";

    /** Packets of PCIe kept: those of the last few thousand operations, as of their stages. */
    private static final int PACKETS = 1 << 18;

    private final Sim sim;
    private final StageRegistry names;
    private final Map<Integer, String> hosts = new TreeMap<>();
    private final TlpLog tlps;
    private final Map<Long, String> peers = new TreeMap<>();
    /** Journeys whose data came back to the host that posted. */
    private final Set<Long> answered = new TreeSet<>();

    private final List<FlowPart> parts = new ArrayList<>();
    private final List<TimelineSlice> more = new ArrayList<>();

    /**
     * Begins to watch the links of hosts that have hardware.
     *
     * @param sim which follows operations
     * @param watched hosts in the order of the numbers of their devices
     */
    OperationTimeline(Sim sim, List<LabHost> watched) {
        this.sim = sim;
        names = sim.stages();
        List<LabHost> hardware = watched.stream().filter(LabHost::isHardware).toList();
        tlps = new TlpLog(hardware.isEmpty() ? 1 : PACKETS);
        for (LabHost h : hardware) {
            hosts.put(watched.indexOf(h) + 1, h.name());
            tlps.watch(h.name() + "/downstream", h.host().port(0).transmitter());
            tlps.watch(h.name() + "/upstream", h.nic().endpoint().transmitter());
        }
    }

    /** Has other slices shown, too, with the arrows that they have. */
    void add(List<TimelineSlice> slices) {
        more.addAll(slices);
    }

    /** Writes the timeline, after the run. */
    void write(String command, OutputStream stream) {
        parts.clear();
        packets();
        JourneyLog journeys = sim.journeys();
        if (journeys != null) {
            stamps(new JourneyIndex(journeys));
        }
        more.forEach(s -> parts.add(new FlowPart(s, 0, 0, FlowStage.OTHER)));
        parts.sort(FlowPart.ORDER);
        OperationFlows.lead(parts);
        Timeline.write(parts.stream().map(FlowPart::slice).toList(), command, stream);
    }

    private void packets() {
        for (int i = 0; i < tlps.size(); i++) {
            TlpLog.Packet p = tlps.packet(i);
            if (p.endPs() > sim.now()) {
                continue; // has not left yet
            }
            int slash = p.direction().lastIndexOf('/');
            String host = p.direction().substring(0, slash);
            String stage = names.name(p.stage());
            TimelineSlice slice = new TimelineSlice(
                            host,
                            "PCIe " + p.direction().substring(slash + 1),
                            p.type().label() + (p.bytes() == 0 ? "" : " " + p.bytes() + " B"),
                            p.startPs(),
                            p.endPs())
                    .arg("journey", p.journey())
                    .arg("stage", stage)
                    .arg("address", "0x" + Long.toHexString(p.address()))
                    .arg("start_ps", p.startPs())
                    .arg("end_ps", p.endPs());
            if (p.journey() != 0 && !host.equals(owner(p.journey()))) {
                peers.putIfAbsent(p.journey(), host);
            }
            if (p.type().flowClass() != FlowClass.POSTED) {
                slice.arg("tag", p.tag());
            }
            FlowStage kind = kind(p, stage, host);
            if (kind.isOfPacket()) {
                slice.arg("part", p.part());
            }
            parts.add(new FlowPart(slice, p.journey(), p.part(), kind));
        }
    }

    private FlowStage kind(TlpLog.Packet p, String stage, String host) {
        boolean own = host.equals(owner(p.journey()));
        FlowStage kind = FlowStage.ofTlp(stage);
        if (kind == FlowStage.RX_DMA_TLP && own) {
            answered.add(p.journey());
            return FlowStage.RESPONSE_TLP;
        }
        // nobody waits for what an atomic writes
        boolean atomic = p.stage() == 0 && p.journey() != 0 && !own && p.type() == TlpType.MWR;
        return atomic ? FlowStage.RESPONDER_TLP : kind;
    }

    private void stamps(JourneyIndex index) {
        for (JourneyIndex.Stamp s : index.stamps()) {
            String stage = names.name(s.stage());
            FlowStage kind = FlowStage.of(stage);
            boolean back = kind == FlowStage.RX_DMA && answered.contains(s.journey());
            String process = back
                    ? owner(s.journey())
                    : switch (kind.side()) {
                        case OWN -> owner(s.journey());
                        case PEER -> peer(s.journey());
                        case BETWEEN -> NETWORK;
                    };
            parts.add(new FlowPart(Timeline.slice(s, process, stage, names), s.journey(), s.seq(), kind));
        }
    }

    private String owner(long journey) {
        int device = (int) (journey >>> DEVICE_SHIFT);
        return hosts.getOrDefault(device, "device " + device);
    }

    private String peer(long journey) {
        String owner = owner(journey);
        if (hosts.size() == 2) {
            return hosts.values().stream()
                    .filter(h -> !h.equals(owner))
                    .findFirst()
                    .orElse("peer of " + owner);
        }
        return peers.getOrDefault(journey, "peer of " + owner);
    }

    /** A slice and what is known of its place in an operation. */
    record FlowPart(TimelineSlice slice, long journey, int psn, FlowStage stage) {
        static final Comparator<FlowPart> ORDER = Comparator.comparingLong((FlowPart p) -> p.slice.in())
                .thenComparing(FlowPart::stage)
                .thenComparingLong(FlowPart::journey)
                .thenComparingInt(FlowPart::psn)
                .thenComparing(p -> p.slice.process())
                .thenComparing(p -> p.slice.track());
    }
}
