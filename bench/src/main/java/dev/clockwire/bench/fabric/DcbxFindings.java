package dev.clockwire.bench.fabric;

import dev.clockwire.bench.fabric.FabricResult.Finding;
import dev.clockwire.roce.fabric.LinkEnd;
import dev.clockwire.roce.fabric.net.CableSpec;
import dev.clockwire.roce.fabric.net.DcbExchange.Difference;
import dev.clockwire.roce.fabric.net.LldpAgent;
import dev.clockwire.roce.fabric.net.Wiring;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** What has come of DCBX on the cables of a fabric. Cables of which there is the same to say are one finding. */
final class DcbxFindings {
    private static final String SAME = "; the same settings at both ends, or one end that is willing";
    private static final int SHOWN = 3;

    private final Wiring wiring;
    /** Where, by what is said. */
    private final Map<Said, List<String>> said = new TreeMap<>();

    private record Said(String rule, String text) implements Comparable<Said> {
        @Override
        public int compareTo(Said other) {
            int c = rule.compareTo(other.rule);
            return c == 0 ? text.compareTo(other.text) : c;
        }
    }

    private DcbxFindings(Wiring wiring) {
        this.wiring = wiring;
    }

    static List<Finding> of(Wiring wiring) {
        DcbxFindings f = new DcbxFindings(wiring);
        for (int i = 0; i < wiring.links().size(); i++) {
            f.look(i);
        }
        List<Finding> found = new ArrayList<>();
        f.said.forEach((what, where) -> {
            String more = where.size() > SHOWN ? " and " + (where.size() - SHOWN) + " more" : "";
            String places = String.join(", ", where.subList(0, Math.min(SHOWN, where.size()))) + more;
            found.add(new Finding(what.rule, places, what.text));
        });
        return found;
    }

    private void look(int i) {
        LldpAgent a = wiring.agent(i, 0);
        LldpAgent b = wiring.agent(i, 1);
        CableSpec cable = wiring.plan().topology().cables().get(i);
        if (a == null && b == null) {
            return;
        }
        String where = cable.a() + "-" + cable.b();
        if (a == null || b == null) {
            String mute = a == null ? cable.a() : cable.b();
            String text = "the far end does not speak LLDP: a willing end keeps its own settings; "
                    + "lldp tlv-enable dot1-tlv dcbx on a switch, mlnx_qos -d fw on a host";
            say("dcbx-silent", where + " (" + mute + ")", text);
            return;
        }
        heard(a, where, cable.a(), wiring.links().get(i).b());
        heard(b, where, cable.b(), wiring.links().get(i).a());
        List<Difference> left = a.neighbour() == null ? b.differences() : a.differences();
        if (!left.isEmpty()) {
            String words =
                    String.join(", ", left.stream().map(DcbxFindings::words).toList());
            say("dcbx-mismatch", where, "after the exchange the two ends still differ: " + words + SAME);
        }
    }

    /** An end that knows nothing of the other, though that speaks: its frames were lost, or are too far apart. */
    private void heard(LldpAgent agent, String where, String node, LinkEnd far) {
        if (agent.neighbour() != null) {
            return;
        }
        boolean aged = agent.aged() > 0;
        String text = aged
                ? "the neighbour's time to live was over before it spoke again: settings are those of before the exchange"
                : "no LLDP frame has come in: settings are those of before the exchange";
        String lost = far.framesLost() == 0 ? "" : "; the cable loses frames";
        say(aged ? "dcbx-expired" : "dcbx-unheard", where + " (" + node + ")", text + lost);
    }

    private void say(String rule, String where, String text) {
        said.computeIfAbsent(new Said(rule, text), t -> new ArrayList<>()).add(where);
    }

    private static String words(Difference difference) {
        return difference.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
