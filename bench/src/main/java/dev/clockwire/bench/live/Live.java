package dev.clockwire.bench.live;

import dev.clockwire.bench.perftest.Provider;
import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.lab.SoloLab;
import dev.clockwire.nic.profile.Profile;
import dev.clockwire.nvme.ctrl.NvmeController;
import dev.clockwire.roce.wire.PortAddress;
import dev.clockwire.sim.capture.PcapngWriter;
import dev.clockwire.storage.software.SpdkCosts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Puts a simulated host, its line and a program together. */
public final class Live {
    private static final PortAddress ADDRESS = new PortAddress(0x5254_0000_000EL, 0x0A00_0002, 0xFD00L << 48, 2);

    private Live() {}

    /** What the real machine talks to. */
    public enum Program {
        /** An rping server behind the connection manager. */
        RPING_SERVER,
        /** A queue pair whose values both sides know beforehand. */
        VERBS_PEER,
        /** A target of NVMe over RDMA with an SSD. */
        NVMF_TARGET
    }

    /**
     * Runs until the peer has closed its connections.
     *
     * @param events gets a line for each event
     * @param stop asked now and then: the user wants an end
     * @param capture file for the frames of both directions, at simulated time; null for none
     * @return false if the user ended it
     */
    public static boolean run(
            Program program,
            Provider provider,
            Profile profile,
            LiveSpec spec,
            Consumer<String> events,
            BooleanSupplier stop,
            @Nullable Path capture)
            throws IOException {
        Gateway[] gateway = new Gateway[1];
        SoloLab.Peer peer = (root, end) -> gateway[0] = new Gateway(root, end, spec.loss());
        LabSpec lab = LabSpec.of(spec.seed())
                .withNumbering(program == Program.VERBS_PEER ? VerbsPeer.numbers() : null, null)
                .withSoft(provider.soft());
        List<NvmeController> ssds = new ArrayList<>();
        Station station = new LabStation(profile, lab, ADDRESS, peer, host -> {
            if (program == Program.NVMF_TARGET) {
                ssds.add(NvmfServer.ssd(host));
            }
        });
        LiveProgram work = switch (program) {
            case VERBS_PEER -> new VerbsPeer(station, spec, events);
            case RPING_SERVER -> new RpingServer(station, events);
            case NVMF_TARGET -> new NvmfServer(station, ssds.get(0), SpdkCosts.of(profile), events);
        };
        try (UdpFrames port = UdpFrames.open(spec.listen(), spec.peer());
                PcapngWriter file = capture == null ? null : PcapngWriter.create(capture, "Clockwire", "live")) {
            if (file != null) {
                file.addInterface("peer");
                file.addInterface("host0.nic");
            }
            events.accept("listening on port " + spec.listen());
            boolean closed = new LiveRun(port, station, gateway[0], events, file).run(work, stop);
            events.accept(work.summary());
            if (file != null) {
                file.commit();
            }
            return closed;
        }
    }
}
