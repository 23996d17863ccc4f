package dev.clockwire.bench.fabric;

import dev.clockwire.bench.fabric.FabricResult.Finding;
import dev.clockwire.bench.text.Count;
import dev.clockwire.roce.fabric.bridge.FabricSwitch;
import dev.clockwire.roce.fabric.bridge.MarkSpec;
import dev.clockwire.roce.fabric.host.Flow;
import dev.clockwire.roce.fabric.host.LightSpec;
import dev.clockwire.roce.fabric.net.CableSpec;
import dev.clockwire.roce.fabric.net.FabricPlan;
import dev.clockwire.roce.fabric.net.Headroom;
import dev.clockwire.roce.fabric.net.NetworkSpec;
import dev.clockwire.roce.fabric.net.PortRule;
import dev.clockwire.roce.fabric.net.Wiring;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What a run's figures say about its settings: each finding with the number that breaks and the cure. */
final class Diagnosis {
    /** A queue is worth a word from so many bytes on: the burst of a few frames is not. */
    private static final long LONG_QUEUE = 100_000;

    private static final int CLASSES = 8;
    private static final long BITS_PS = 8_000_000_000L;

    private final NetworkSpec network;
    private final Endpoints hosts;
    private final Wiring wiring;
    private final List<Finding> found = new ArrayList<>();

    private Diagnosis(NetworkSpec network, Endpoints hosts) {
        this.network = network;
        this.hosts = hosts;
        wiring = hosts.wiring();
    }

    /** Returns what there is to say of a run that has ended. */
    static List<Finding> of(NetworkSpec network, Endpoints hosts) {
        Diagnosis d = new Diagnosis(network, hosts);
        for (int sw = 0; sw < d.wiring.switches().size(); sw++) {
            d.losses(sw);
            d.thresholds(sw);
            d.lossy(sw);
            d.marks(sw);
        }
        d.tails();
        d.notices();
        d.found.addAll(DcbxFindings.of(d.wiring));
        return d.found;
    }

    private void say(String rule, String where, String text) {
        found.add(new Finding(rule, where, text));
    }

    /** Returns the lossless classes of a switch, bit n is class n. */
    private int lossless(int sw) {
        FabricPlan plan = wiring.plan();
        return plan.bridge(plan.topology().switches().get(sw)).pause().lossless();
    }

    private void losses(int sw) {
        FabricSwitch bridge = wiring.switches().get(sw);
        int lossless = lossless(sw);
        for (int p = 0; p < bridge.ports(); p++) {
            for (int c = 0; c < CLASSES; c++) {
                long lost = bridge.counters(p).dropped(c);
                if (lost > 0 && (lossless >> c & 1) != 0) {
                    loss(sw, p, lost + " frames of lossless class " + c + " were lost");
                }
            }
        }
    }

    /** Frames of a class without pauses found no room: that is how such a class works, and worth a word. */
    private void lossy(int sw) {
        FabricSwitch bridge = wiring.switches().get(sw);
        for (int c = 0; c < CLASSES; c++) {
            long lost = 0;
            int most = 0;
            for (int p = 0; p < bridge.ports(); p++) {
                lost += bridge.counters(p).dropped(c);
                most = bridge.counters(p).dropped(c) > bridge.counters(most).dropped(c) ? p : most;
            }
            if (lost > 0 && (lossless(sw) >> c & 1) == 0) {
                String cure = ": pauses (switches.pfc.classes), marks that begin earlier, or a larger buffer keep them";
                say(
                        "lossy-loss",
                        wiring.portName(sw, most),
                        lost + " frames of class " + c + ", which has no PFC, found no room at this switch" + cure);
            }
        }
    }

    /** A queue far beyond the length at which every frame is marked: the marks came, and did not help. */
    private void marks(int sw) {
        FabricSwitch bridge = wiring.switches().get(sw);
        FabricPlan plan = wiring.plan();
        PortRule rule = plan.ports(plan.topology().switches().get(sw));
        for (int p = 0; p < bridge.ports(); p++) {
            for (int c = 0; c < CLASSES; c++) {
                MarkSpec marks = rule.of(wiring.cable(sw, p)).marks().get(c);
                long queue = bridge.maxQueued(p, c);
                if (bridge.counters(p).marked(c) > 0 && queue >= LONG_QUEUE && queue / 2 >= marks.kmax()) {
                    String text = String.format(
                            Locale.ROOT,
                            "a queue grew to %d B, beyond twice the Kmax of %d B, although %d frames were marked and %d notifications"
                                    + " came of it: senders were told too late or cut too little; see alpha and its clock, the"
                                    + " interval of notifications, fewer senders at a time, a window",
                            queue,
                            marks.kmax(),
                            bridge.counters(p).marked(c),
                            hosts.notifications());
                    say("marks-did-not-help", wiring.portName(sw, p), text);
                }
            }
        }
    }

    /** Notifications in the class of the data that they are about wait behind it. */
    private void notices() {
        int flows = 0;
        int shared = -1;
        for (Flow flow : hosts.flows()) {
            List<String> names = network.topology().hosts();
            LightSpec from = network.light(names.get(flow.spec().src()));
            LightSpec to = network.light(names.get(flow.spec().dst()));
            int dscp = flow.spec().dscp() < 0 ? from.dataDscp() : flow.spec().dscp();
            int data = from.priorities().classes().ofDscp().get(dscp);
            int notice = to.priorities().classes().ofDscp().get(to.answerDscp());
            if (data == notice
                    && from.rules() != null
                    && !to.echo()
                    && to.priorities().notifies()) {
                flows++;
                shared = data;
            }
        }
        if (flows > 0 && hosts.notifications() > 0) {
            say(
                    "cnp-in-data-class",
                    "hosts",
                    "notifications of " + Count.of(flows, "flow") + " are in class " + shared
                            + ", that of the data: they wait behind what they are to slow down;"
                            + " another hosts.answer_priority (cnp_dscp of a NIC), strict at the switches");
        }
    }

    /** Frames of a lossless class found no room: headroom is too small, or the far end does not stop. */
    private void loss(int sw, int port, String what) {
        FabricPlan plan = wiring.plan();
        CableSpec cable = wiring.cable(sw, port);
        int given = plan.ports(plan.topology().switches().get(sw)).of(cable).headroom();
        int frame = network.longestFrame();
        int needed = Headroom.needed(cable, plan.framing(), frame);
        if (wiring.switches().get(sw).storms() > 0) {
            say(
                    "watchdog",
                    wiring.portName(sw, port),
                    what
                            + ": a port was paused for longer than detect_ms, and the watchdog dropped what was to go there");
            return;
        }
        if (given >= needed) {
            String cure = ": the far end did not stop; see its PFC classes";
            say(
                    "pause-not-obeyed",
                    wiring.portName(sw, port),
                    what + " though headroom of " + given + " B suffices" + cure);
            return;
        }
        long flight = 2 * cable.delayPs() * cable.kbps() / BITS_PS;
        String parts = "both ways of the cable " + flight + " B, frames of " + frame
                + " B, a pause, and the time that IEEE 802.3 gives a sender to stop";
        String text = String.format(
                Locale.ROOT, "%s: headroom short by %d B: %d B of %d (%s)", what, needed - given, given, needed, parts);
        say("headroom", wiring.portName(sw, port), text);
    }

    /** A buffer in which a queue grew without anything that tells a sender. */
    private void thresholds(int sw) {
        FabricSwitch bridge = wiring.switches().get(sw);
        int lossless = lossless(sw);
        long most = 0;
        int fullest = -1;
        long queue = 0;
        int longest = 0;
        long told = 0;
        for (int p = 0; p < bridge.ports(); p++) {
            told += bridge.counters(p).xoffFrames();
            for (int c = 0; c < CLASSES; c++) {
                told += bridge.counters(p).marked(c);
                if ((lossless >> c & 1) == 0) {
                    continue;
                }
                longest = bridge.maxQueued(p, c) > queue ? p : longest;
                queue = Math.max(queue, bridge.maxQueued(p, c));
                fullest = bridge.maxHeld(p, c) > most ? p : fullest;
                most = Math.max(most, bridge.maxHeld(p, c));
            }
        }
        if (fullest >= 0 && told == 0 && queue >= LONG_QUEUE) {
            String text = String.format(
                    Locale.ROOT,
                    "a queue grew to %d B without a mark or a pause: XOFF comes when a port holds %d B of what came in by it, and the fullest, %s, held %d B; "
                            + "a smaller alpha, buffer or Kmin tells senders earlier",
                    queue,
                    bridge.lowestXoff(fullest),
                    wiring.portName(sw, fullest),
                    most);
            say("nobody-told", wiring.portName(sw, longest), text);
        }
    }

    /** Flows that wait for ever since their last packets were lost and no timer runs. */
    private void tails() {
        long timeouts = 0;
        for (Flow flow : hosts.flows()) {
            LightSpec sender =
                    network.light(network.topology().hosts().get(flow.spec().src()));
            boolean begun = flow.acknowledgedBytes() > 0 || flow.retransmissions() > 0;
            timeouts += !flow.done() && !flow.failed() && begun && sender.timeoutPs() == 0 ? 1 : 0;
        }
        if (timeouts > 0 && wiring.framesLost() + dropped() > 0) {
            String text = " flows did not end: frames were lost, and with timeout_us 0 a lost tail is never sent again"
                    + "; InfiniBand waits for 4.096 us x 2^n";
            say("no-timeout", "hosts", timeouts + text);
        }
    }

    private long dropped() {
        long n = 0;
        for (FabricSwitch bridge : wiring.switches()) {
            for (int p = 0; p < bridge.ports(); p++) {
                for (int c = 0; c < CLASSES; c++) {
                    n += bridge.counters(p).dropped(c);
                }
            }
        }
        return n;
    }
}
