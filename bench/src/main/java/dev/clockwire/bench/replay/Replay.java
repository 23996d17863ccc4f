package dev.clockwire.bench.replay;

import dev.clockwire.bench.perftest.Provider;
import dev.clockwire.bench.text.Count;
import dev.clockwire.roce.wire.FrameEncoder;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.capture.PcapngWriter;
import dev.clockwire.sim.error.ConfigurationException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A replay: one side simulated, the other fed from the capture. */
public final class Replay {
    private static final int SHORTEST = 60;
    private static final long PS_PER_NS = 1000;
    private static final long PS_PER_US = 1_000_000;

    private final ReplayReport report;
    private final List<Sent> sent;

    Replay(ReplayReport report, List<Sent> sent) {
        this.report = report;
        this.sent = sent;
    }

    /** Which side is simulated. */
    public enum Role {
        /** The one that answers. */
        RESPONDER,
        /** The one that asks. */
        REQUESTER
    }

    /**
     * Replays a capture.
     *
     * @param setup a set-up file, null to infer the set-up
     * @throws IOException if the set-up file cannot be read
     * @throws ConfigurationException if a file cannot be read or does not say what it should
     */
    public static Replay of(Path file, Role role, Provider provider, @Nullable Path setup) throws IOException {
        Capture capture = Capture.read(file);
        Given given = setup == null ? null : SetupFile.read(setup);
        return role == Role.RESPONDER
                ? new ResponderReplay(capture, provider, given).run()
                : new RequesterReplay(capture, provider, given).run();
    }

    /** Returns how it went. */
    public ReplayReport report() {
        return report;
    }

    /** Returns what the simulated side sent, in order. */
    List<Sent> sent() {
        return sent;
    }

    /**
     * Writes what the simulated side sent as a pcapng file. A packet's time is the number of the captured frame after which it
     * was sent, in microseconds: a replay has no other time that both providers share.
     *
     * @param version of this program
     */
    public void write(Path target, String version) {
        String command = "clockwire pcap replay --as " + report.role() + " --provider " + report.provider();
        FrameEncoder encoder = new FrameEncoder();
        try (PcapngWriter writer = PcapngWriter.create(target, "Clockwire " + version, command)) {
            int port = writer.addInterface(report.role());
            long ps = 0;
            for (Sent s : sent) {
                RocePacket packet = s.packet();
                byte[] frame = new byte[Math.max(SHORTEST, packet.wireBytes())];
                encoder.encode(packet, frame, 0);
                ps = Math.max(ps + PS_PER_NS, s.cause() * PS_PER_US);
                writer.write(port, ps, frame, 0, frame.length, frame.length);
            }
            writer.commit();
        }
    }

    /** Hands over the report as lines for people. */
    public void print(Consumer<String> lines) {
        ReplayReport r = report;
        lines.accept(r.file() + " as " + r.role() + ", provider " + r.provider());
        for (ReplayReport.Difference d : r.differences()) {
            lines.accept(String.format(
                    Locale.ROOT, "%6d  %s: captured %s, simulated %s", d.frame(), d.field(), d.expected(), d.got()));
        }
        for (ReplayReport.Known k : r.knownDeviations()) {
            lines.accept(String.format(Locale.ROOT, "%6d  known deviation %s: %s", k.frame(), k.rule(), k.why()));
        }
        if (!r.requestsLost().isEmpty()) {
            lines.accept("requests lost behind the tap, by frame: " + r.requestsLost());
        }
        lines.accept(Count.of(r.requestsFed(), "request") + " fed, " + r.matching() + " of " + r.answersExpected()
                + " answers match, " + r.answersGot() + " given, "
                + Count.of(r.knownDeviations().size(), "known deviation") + ", "
                + Count.of(r.differences().size(), "difference"));
    }
}
