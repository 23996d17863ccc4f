package dev.clockwire.bench.replay;

import dev.clockwire.bench.perftest.Provider;
import dev.clockwire.roce.verbs.Gid;
import dev.clockwire.roce.wire.RocePacket;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Feeds the requests of a capture to simulated responders and compares the answers. */
final class ResponderReplay {
    private final Capture capture;
    private final Provider provider;
    private final Plan plan;
    private final Map<Gid, SimulatedHost> hosts = new LinkedHashMap<>();
    private final Map<Captured, Endpoint> byRequest = new HashMap<>();
    private final List<Sent> sent = new ArrayList<>();
    private final List<Given.Receive> toPost;

    ResponderReplay(Capture capture, Provider provider, @Nullable Given given) {
        this.capture = capture;
        this.provider = provider;
        plan = Planner.plan(capture, given);
        toPost = new ArrayList<>(plan.setup().receives());
        toPost.sort(Comparator.comparingLong(Given.Receive::afterFrame));
    }

    Replay run() {
        setUp();
        for (Captured request : capture.requests()) {
            long frame = request.frame();
            post(frame);
            for (Plan.Change change : plan.changes().getOrDefault(frame, List.of())) {
                change.what().accept(host(change.host()));
            }
            if (!plan.lost().contains(frame)) {
                feed(request);
            }
        }
        return new Replay(report(), sent);
    }

    private void setUp() {
        for (Endpoint e : plan.endpoints()) {
            hosts.computeIfAbsent(e.address, unused -> new DeviceHost(e, provider));
            e.requests.forEach(r -> byRequest.put(r, e));
        }
        // memory first: what the hosts allocate for themselves goes around it
        plan.memory().forEach((host, ranges) -> ranges.forEach(host(host)::reserve));
        plan.endpoints().forEach(e -> host(e.address).connect(e));
        plan.setup()
                .regions()
                .forEach(r -> host(Objects.requireNonNull(r.host())).register(r));
    }

    private SimulatedHost host(Gid address) {
        return Objects.requireNonNull(hosts.get(address));
    }

    /** Posts what is due before a frame. */
    private void post(long frame) {
        while (!toPost.isEmpty() && toPost.get(0).afterFrame() < frame) {
            Given.Receive r = toPost.remove(0);
            host(Objects.requireNonNull(r.host())).postReceives(r.qpn(), r.size(), r.count());
        }
    }

    private void feed(Captured request) {
        Endpoint to = Objects.requireNonNull(byRequest.get(request));
        SimulatedHost host = host(to.address);
        RocePacket packet = new RocePacket();
        packet.set(request.packet());
        host.feed(packet);
        host.takeSent().forEach(p -> sent.add(new Sent(request.frame(), to, p)));
    }

    private ReplayReport report() {
        List<Comparison> all = new ArrayList<>();
        for (Endpoint e : plan.endpoints()) {
            List<Sent> own = sent.stream().filter(s -> s.from() == e).toList();
            all.add(Comparison.of(e, own, plan.known()));
        }
        List<ReplayReport.Difference> differences = new ArrayList<>();
        List<ReplayReport.Known> known = new ArrayList<>();
        int matching = 0;
        for (Comparison c : all) {
            differences.addAll(c.differences());
            known.addAll(c.deviations());
            matching += c.matching();
        }
        differences.addAll(Comparison.surplus(all, capture.damagedAnswers()));
        differences.sort(Comparator.comparingLong(ReplayReport.Difference::frame));
        known.sort(Comparator.comparingLong(ReplayReport.Known::frame));
        return new ReplayReport(
                capture.file(),
                "responder",
                provider.name().toLowerCase(Locale.ROOT),
                capture.requests().size(),
                capture.answers().size(),
                sent.size(),
                matching,
                List.copyOf(plan.lost()),
                differences,
                known);
    }
}
