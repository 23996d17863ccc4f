package dev.clockwire.bench.fabric;

import dev.clockwire.bench.artefact.DeviceCounters;
import dev.clockwire.nic.profile.Profile;
import dev.clockwire.roce.fabric.bridge.FabricSwitch;
import dev.clockwire.roce.fabric.bridge.PortCounters;
import dev.clockwire.roce.fabric.host.Flow;
import dev.clockwire.roce.fabric.host.SendFlow;
import dev.clockwire.roce.fabric.net.Deadlock;
import dev.clockwire.roce.fabric.net.Wiring;
import dev.clockwire.roce.soft.SoftSpec;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.error.Plain;
import dev.clockwire.sim.parallel.Parts;
import dev.clockwire.sim.stats.StatRegistry;
import dev.clockwire.sim.wave.ChannelWaits;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Runs a fabric to the end of its flows, of its time, or of all movement. */
public final class FabricRun {
    private static final int CLASSES = 8;
    /** Stamps that are kept of a run that is sampled. */
    private static final int STAMPS = 1 << 18;

    private static final long SLICE_PS = 100_000_000;
    private static final long QUIET_PS = 50_000_000;
    private static final double US = 1e6;
    private static final double NS = 1e9;
    private static final long PATIENCE_NS = 5_000_000_000L;

    /** Keys of hosts that only light ones have. */
    private static final List<String> NO_DEVICE =
            List.of("hosts.header_bytes", "hosts.answer_bytes", "hosts.ack_every", "hosts.nak_us", "hosts.window_kb");

    private static final List<String> DCQCN = List.of("hosts.dcqcn", "hosts.cnp");

    private final FabricJob job;
    private final SimSpec kernel;
    private @Nullable Series series;
    private long everyPs = SLICE_PS;
    private int threads = 1;
    private @Nullable Sim watched;
    private @Nullable ChannelWaits waits;
    private @Nullable StatRegistry stats;
    private List<DeviceCounters> counters = List.of();
    private long endedPs;
    private EndpointKind kind = EndpointKind.LIGHT;
    private @Nullable Profile profile;
    private UnaryOperator<Profile> overrides = UnaryOperator.identity();
    private Function<Endpoints, @Nullable FabricCapture> capture = hosts -> null;
    private Consumer<String> teller = line -> {};
    private long patienceNs = PATIENCE_NS;

    /** Creates a run. */
    public FabricRun(FabricJob job, SimSpec kernel) {
        this.job = job;
        this.kernel = kernel;
    }

    /** Looks at rates and queues every so often, 1 ns to 1 s; {@link #series} has them after the run. */
    public FabricRun sampled(long ps) {
        everyPs = ps;
        series = new Series(job.network().flows().size());
        return this;
    }

    /** Returns what was looked at; null if nothing was. */
    public @Nullable Series series() {
        return series;
    }

    /** Returns the last run's simulation with the stamps of its operations; null if there are none: they are kept of whole NICs whose run is sampled. */
    public @Nullable Sim watched() {
        return watched;
    }

    /** Returns who waited for whom in whole NICs in the last run; null if nobody watched. */
    public @Nullable ChannelWaits waits() {
        return waits;
    }

    private int stamps() {
        return series == null || kind != EndpointKind.HW ? 0 : STAMPS;
    }

    /** Returns what switches and hosts have counted in the last run; null before it. */
    public @Nullable StatRegistry stats() {
        return stats;
    }

    /** Returns the counters of hosts with devices, and of the ports of switches, after the last run. */
    public List<DeviceCounters> counters() {
        return counters;
    }

    /** Returns when the last run ended, in ps of its simulation. */
    public long endedPs() {
        return endedPs;
    }

    /** Divides the fabric among threads, 1 to 64; the results are the same. */
    public FabricRun threads(int count) {
        threads = count;
        return this;
    }

    /**
     * Says what the hosts are; light ones if nobody says so.
     *
     * @param hardware profile of the NICs; what the fabric says of its hosts is put on top, {@code over} on top of that
     */
    public FabricRun endpoints(EndpointKind what, Profile hardware, UnaryOperator<Profile> over) {
        kind = what;
        profile = hardware;
        overrides = over;
        return this;
    }

    /**
     * Writes the frames of the run to a file.
     *
     * @param application who writes
     * @param command that makes the trace again
     */
    public FabricRun captured(Path file, String application, String command) {
        capture = hosts -> new FabricCapture(file, application, command, hosts);
        return this;
    }

    /** Tells somebody how far a run is that takes more than 5 s of the user's time, each 5 s. */
    public FabricRun told(Consumer<String> listener) {
        return told(listener, PATIENCE_NS);
    }

    /** Tells somebody each so many ns of the user's time. */
    FabricRun told(Consumer<String> listener, long ns) {
        teller = listener;
        patienceNs = ns;
        return this;
    }

    private void tell(Endpoints hosts, double toldS) {
        long ended = hosts.flows().stream().filter(f -> f.done() || f.failed()).count();
        double ms = (hosts.parts().get(0).now() - hosts.beginPs()) / NS;
        teller.accept(String.format(
                java.util.Locale.ROOT,
                "%.2f ms of at most %s ms simulated in %.0f s, %d of %d flows ended",
                ms,
                Plain.text(job.untilPs() / NS),
                toldS,
                ended,
                hosts.flows().size()));
    }

    private Endpoints build() {
        SimSpec quiet = kernel.withWatchdogPs(0); // a deadlock is a result here
        Profile hardware = profile;
        if (kind == EndpointKind.LIGHT || hardware == null) {
            return new LightEndpoints(job.network(), quiet, threads);
        }
        SoftSpec soft = kind == EndpointKind.SOFT ? SoftSpec.usual() : null;
        return new DeviceEndpoints(
                host -> overrides.apply(HostParameters.of(hardware, job, host)), soft, job, quiet, stamps());
    }

    /** Returns the NIC of the first host as the fabric wants it, without overrides. */
    public Profile fitted(Profile hardware) {
        return HostParameters.of(hardware, job, job.network().topology().hosts().get(0));
    }

    /** Returns what the fabric's file says of hosts and endpoints of this kind do not have, a line each. */
    public List<String> ignored() {
        List<String> lines = new ArrayList<>();
        if (kind == EndpointKind.LIGHT) {
            ignored(lines, "hosts.nic", "light hosts have no NIC", "hw");
            ignored(lines, "faults", "nothing goes wrong with light hosts", "hw");
            return lines;
        }
        for (String key : NO_DEVICE) {
            ignored(lines, key, "devices have no window, and packets and answers as RoCE has them", "light");
        }
        if (kind == EndpointKind.SOFT) {
            boolean limits = job.network().topology().hosts().stream()
                    .anyMatch(h -> job.network().light(h).rules() != null);
            for (String key : limits ? DCQCN : List.<String>of()) {
                ignored(lines, key, "software devices answer no marks and limit no rate", "light or hw");
            }
        }
        return lines;
    }

    private void ignored(List<String> lines, String key, String why, String kinds) {
        if (job.gives(key)) {
            lines.add(job.about(key, "'" + key + "' has no effect: " + why + "; add --endpoints " + kinds));
        }
    }

    /** Builds the fabric and runs it. */
    public FabricResult run() {
        Endpoints hosts = build();
        List<Sim> parts = hosts.parts();
        Wiring wiring = hosts.wiring();
        Deadlock detector = new Deadlock(wiring, QUIET_PS);
        Set<List<String>> circles = new LinkedHashSet<>();
        Progress progress = new Progress(hosts);
        long nextLook = 0;
        Sim sim = parts.get(0);
        long until = hosts.beginPs() + job.untilPs();
        try (FabricCapture frames = capture.apply(hosts);
                Parts together = threads == 1 ? null : new Parts(parts, wiring.inboxes(), wiring.lookaheadPs())) {
            if (series != null) {
                series.begin(hosts);
            }
            watched = stamps() > 0 ? sim : null;
            waits = stamps() > 0 ? new ChannelWaits(sim) : null;
            long wall = System.nanoTime();
            long nextWord = wall + patienceNs;
            long cpu = cpuNanos();
            while (sim.now() < until
                    && !finished(hosts.flows())
                    && (circles.isEmpty() || guarded() || progress.goesOn(sim.now()))) {
                long to = Math.min(until, sim.now() + everyPs);
                if (together == null) {
                    sim.run(to);
                } else {
                    together.run(to);
                }
                if (series != null) {
                    series.look(hosts, everyPs, job.lossless());
                }
                if (sim.now() >= nextLook) {
                    nextLook = sim.now() + SLICE_PS;
                    circles.addAll(detector.all());
                }
                long wallNow = System.nanoTime();
                if (wallNow > nextWord) {
                    nextWord = wallNow + patienceNs;
                    tell(hosts, (wallNow - wall) / NS);
                }
            }
            double wallS = (System.nanoTime() - wall) / NS;
            double cpuS = (cpuNanos() - cpu) / NS;
            if (frames != null) {
                frames.commit();
            }
            stats = hosts.stats();
            counters = FabricCounters.of(hosts);
            endedPs = sim.now();
            return result(hosts, List.copyOf(circles), wallS, cpuS);
        }
    }

    /** Whether a watchdog will end a deadlock: then it is a finding, not the end. */
    private boolean guarded() {
        return job.network().bridge().watchdog().detectPs() > 0;
    }

    private static boolean finished(List<? extends Flow> flows) {
        for (Flow flow : flows) {
            if (!flow.done() && !flow.failed()) {
                return false;
            }
        }
        return true;
    }

    /** Returns the processor time of this thread, or of all if there are several. */
    private long cpuNanos() {
        return threads > 1
                        && ManagementFactory.getOperatingSystemMXBean()
                                instanceof com.sun.management.OperatingSystemMXBean system
                ? system.getProcessCpuTime()
                : ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private FabricResult result(Endpoints hosts, List<List<String>> circles, double wallS, double cpuS) {
        Wiring wiring = hosts.wiring();
        long now = hosts.parts().get(0).now();
        List<FabricResult.Flow> flows = new ArrayList<>();
        hosts.flows().forEach(f -> flows.add(flow(f, hosts, now)));
        List<FabricResult.Switch> switches = new ArrayList<>();
        long pauses = 0;
        long drops = 0;
        for (int i = 0; i < wiring.switches().size(); i++) {
            FabricSwitch sw = wiring.switches().get(i);
            List<FabricResult.Port> ports = new ArrayList<>();
            for (int p = 0; p < sw.ports(); p++) {
                ports.add(port(wiring.portName(i, p), sw, p));
                pauses += sw.counters(p).xoffFrames();
                drops += ports.get(p).drops();
            }
            switches.add(
                    new FabricResult.Switch(job.network().topology().switches().get(i), ports));
        }
        return new FabricResult(
                flows,
                switches,
                jain(flows),
                hosts.notifications(),
                pauses,
                drops,
                wiring.framesLost(),
                circles.isEmpty() ? null : circles.get(0),
                circles,
                hosts.parts().stream().mapToLong(Sim::events).sum(),
                wiring.framesSent(),
                hosts.dataPackets(),
                (now - hosts.beginPs()) / NS,
                wallS,
                cpuS,
                String.format(java.util.Locale.ROOT, "%016x", Sim.traceHash(hosts.parts())),
                Diagnosis.of(job.network(), hosts));
    }

    private static FabricResult.Flow flow(Flow f, Endpoints hosts, long now) {
        long took = f.done() ? f.completionPs() : Math.max(1, now - f.beginsPs());
        double gbps = f.acknowledgedBytes() * 8_000.0 / took;
        String status = f.done() ? "success" : f.failed() ? hosts.failure(f) : "unfinished";
        return new FabricResult.Flow(
                f.spec().name(),
                f.spec().bytes(),
                f.done() ? (Double) (took / US) : null,
                gbps,
                f.retransmissions(),
                f instanceof SendFlow light ? (Long) light.naks() : null,
                f instanceof SendFlow light ? (Long) light.timeouts() : null,
                status);
    }

    private FabricResult.Port port(String name, FabricSwitch sw, int p) {
        PortCounters c = sw.counters(p);
        long off = 0;
        long offTaken = 0;
        long marked = 0;
        long drops = 0;
        for (int k = 0; k < CLASSES; k++) {
            off += c.xoffSent(k);
            offTaken += c.xoffTaken(k);
            marked += c.marked(k);
            drops += c.dropped(k);
        }
        return new FabricResult.Port(name, sw.maxQueued(p, job.lossless()), off, offTaken, marked, drops);
    }

    private static double jain(List<FabricResult.Flow> flows) {
        double sum = 0;
        double squares = 0;
        for (FabricResult.Flow f : flows) {
            sum += f.goodputGbps();
            squares += f.goodputGbps() * f.goodputGbps();
        }
        return squares == 0 ? 1 : sum * sum / (flows.size() * squares);
    }
}
