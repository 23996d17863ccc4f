package dev.clockwire.bench.config.comware;

import dev.clockwire.bench.config.model.ImportLog;
import dev.clockwire.bench.config.model.Rule;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Commands that people write and Comware does not have, with those that do what is meant. */
final class ForeignWords {
    private static final Pattern PFC = Pattern.compile("qos pfc enable(?: priority (\\d))?");
    private static final Pattern THRESHOLD =
            Pattern.compile("qos queue pfc priority (\\d) min-threshold (\\d{1,9}) max-threshold (\\d{1,9})");
    private static final Pattern ECN = Pattern.compile(
            "qos ecn queue (?:wred priority )?(\\d) min-threshold (\\d{1,9}) max-threshold (\\d{1,9})(?: drop-threshold \\d{1,9})?");
    private static final Pattern DSCP = Pattern.compile("qos dscp (\\d{1,2}) (?:dot1p|queue) (\\d)");
    private static final Pattern PAUSE = Pattern.compile("flowcontrol.*");

    private ForeignWords() {}

    /** Whether a command is one of those; then it is answered. */
    static boolean refused(List<String> words, ImportLog log) {
        String text = String.join(" ", words);
        if (text.startsWith("dcbx")) {
            refuse(
                    log,
                    0,
                    "DCBX is a part of LLDP",
                    "lldp global enable; interface ...; lldp tlv-enable dot1-tlv dcbx");
        } else if (text.equals("qos ecn enable")) {
            refuse(
                    log,
                    0,
                    "ECN is switched on for each queue of a WRED table",
                    "qos wred queue table T; queue 3 ecn; interface ...; qos wred apply T");
        } else if (PAUSE.matcher(text).matches()) {
            refuse(
                    log,
                    1,
                    "pauses of the whole link are flow-control here, and exclude PFC on the same port",
                    "leave it out; priority-flow-control enable stops a priority only");
        } else {
            return withNumbers(text, log);
        }
        return true;
    }

    private static boolean withNumbers(String text, ImportLog log) {
        Matcher m = PFC.matcher(text);
        if (m.matches()) {
            String c = m.group(1) == null ? "3" : m.group(1);
            refuse(
                    log,
                    Long.parseLong(c),
                    "PFC is switched on for the port, and its priorities are named apart",
                    "priority-flow-control enable; priority-flow-control no-drop dot1p " + c);
            return true;
        }
        m = THRESHOLD.matcher(text);
        if (m.matches()) {
            refuse(
                    log,
                    Long.parseLong(m.group(3)),
                    "a pause has one threshold (XOFF), an offset at which it ends (XON) and headroom, no minimum and"
                            + " maximum",
                    "priority-flow-control dot1p " + m.group(1) + " ingress-buffer dynamic " + m.group(3)
                            + "; priority-flow-control dot1p " + m.group(1)
                            + " ingress-threshold-offset CELLS; priority-flow-control dot1p " + m.group(1)
                            + " headroom CELLS");
            return true;
        }
        m = ECN.matcher(text);
        if (m.matches()) {
            String q = m.group(1);
            refuse(
                    log,
                    Long.parseLong(m.group(2)),
                    "marks have limits in cells and a probability, in a WRED table",
                    "qos wred queue table T; queue " + q
                            + " drop-level 0 low-limit CELLS high-limit CELLS discard-probability 20; queue " + q
                            + " weighting-constant 0; queue " + q + " ecn; interface ...; qos wred apply T");
            return true;
        }
        m = DSCP.matcher(text);
        if (m.matches()) {
            boolean cnp = m.group(1).equals("48");
            refuse(
                    log,
                    Long.parseLong(m.group(1)),
                    "code points are mapped in a table"
                            + (cnp ? "; 48 is the code point of CNPs, which would be in the priority of data" : ""),
                    "qos map-table dscp-dot1p; import " + m.group(1) + " export " + (cnp ? "6" : m.group(2))
                            + "; interface ...; qos trust dscp");
            return true;
        }
        return false;
    }

    private static void refuse(ImportLog log, long number, String message, String cure) {
        log.effect("refused by the switch: no such command");
        log.finding(Rule.NOT_COMWARE, number, message, cure);
    }
}
