package dev.clockwire.bench.config.lint;

import dev.clockwire.bench.config.model.ClassKey;
import dev.clockwire.bench.config.model.DeviceConfig;
import dev.clockwire.bench.config.model.PortConfig;
import dev.clockwire.bench.config.model.PortKey;
import dev.clockwire.bench.config.model.Rule;
import dev.clockwire.bench.config.model.Setting;
import java.util.Set;

/** Which priorities have PFC, and which traffic is in them. */
final class PriorityRules {
    private static final int CODE_POINTS = 64;
    private static final int CONTROL = 1 << 0 | 1 << 6 | 1 << 7;
    private static final int MOST = 2;

    private final Book book;
    private final DeviceConfig device;
    private final PortConfig port;
    private final int lossless;
    private final String name;

    PriorityRules(Book book, DeviceConfig device, PortConfig port) {
        this.book = book;
        this.device = device;
        this.port = port;
        lossless = device.lossless(port);
        name = Lint.name(device, port);
    }

    void check(Set<Integer> data, Set<Integer> cnps) {
        enabled();
        if (lossless != 0) {
            number();
            trust();
            traffic();
            shared();
            pause();
            receiveBuffers();
        }
        for (int dscp : data) {
            lossy(dscp);
        }
        for (int dscp : cnps) {
            notifications(dscp, data);
        }
    }

    private String at(ClassKey key, int c) {
        Setting s = port.get(key, c);
        return s == null ? port.where() : s.where();
    }

    private String atPfc() {
        for (int c = 0; c < PortConfig.CLASSES; c++) {
            if ((lossless >> c & 1) != 0) {
                return at(ClassKey.LOSSLESS, c);
            }
        }
        return port.where();
    }

    /** A switch needs both: the port's mode and the priorities. */
    private void enabled() {
        if (device.kind() != DeviceConfig.Kind.COMWARE) {
            return;
        }
        Setting mode = port.get(PortKey.PFC_MODE);
        boolean on = mode != null && mode.on();
        int named = 0;
        for (int c = 0; c < PortConfig.CLASSES; c++) {
            named |= port.on(ClassKey.LOSSLESS, c) ? 1 << c : 0;
        }
        if (named != 0 && !on) {
            int c = Integer.numberOfTrailingZeros(named);
            book.find(
                    Rule.PFC_NOT_ENABLED,
                    at(ClassKey.LOSSLESS, c),
                    c,
                    name + ": priorities " + Lint.names(named) + " are to be lossless, but PFC is off",
                    "priority-flow-control enable");
        } else if (named == 0 && mode != null && on) {
            book.find(
                    Rule.PFC_NOT_ENABLED,
                    mode.where(),
                    0,
                    name + ": PFC is on, but for no priority",
                    "priority-flow-control no-drop dot1p 3");
        }
    }

    private void number() {
        int count = Integer.bitCount(lossless);
        if (count > MOST) {
            book.find(
                    Rule.PFC_ON_MANY,
                    atPfc(),
                    count,
                    name + ": PFC on priorities " + Lint.names(lossless) + "; each takes headroom on every port",
                    "one priority for data: 3");
        } else if ((lossless & CONTROL) != 0) {
            int c = Integer.numberOfTrailingZeros(lossless & CONTROL);
            book.find(
                    Rule.PFC_ON_CONTROL,
                    at(ClassKey.LOSSLESS, c),
                    c,
                    name + ": PFC on priority " + c,
                    "3, 4 or 5 for data");
        }
    }

    private void trust() {
        Setting trust = port.get(PortKey.TRUST);
        int c = (int) port.whole(PortKey.PORT_PRIORITY, 0);
        if (!device.trustsDscp(port) && (lossless >> c & 1) == 0) {
            String by = trust != null && trust.on() ? "the VLAN tag decides" : "nothing in the packet decides";
            String cure = switch (device.kind()) {
                case HOST -> "mlnx_qos -i " + port.name() + " --trust=dscp";
                case COMWARE -> "interface " + port.name() + "; qos trust dscp";
                case SONIC -> "\"dscp_to_tc_map\": \"AZURE\" in PORT_QOS_MAP";
            };
            book.find(
                    Rule.TRUST_NOT_DSCP,
                    trust == null ? atPfc() : trust.where(),
                    c,
                    name + ": " + by + " about the priority, so that RoCE v2 without a tag is in priority " + c
                            + ", not in " + Lint.names(lossless),
                    cure);
        }
    }

    private void traffic() {
        int reached = 0;
        for (int d = 0; d < CODE_POINTS; d++) {
            reached |= 1 << device.classOf(port, d);
        }
        for (int p = 0; p < PortConfig.CLASSES && !device.trustsDscp(port); p++) {
            reached |= port.whole(PortKey.TRUST, 0) == 1 ? 1 << device.classOfTag(port, p) : 0;
        }
        int lonely = lossless & ~reached;
        if (lonely != 0 && (device.trustsDscp(port) || port.whole(PortKey.TRUST, 0) == 1)) {
            int c = Integer.numberOfTrailingZeros(lonely);
            book.find(
                    Rule.PFC_WITHOUT_TRAFFIC,
                    at(ClassKey.LOSSLESS, c),
                    c,
                    name + ": PFC on priority " + c + ", to which nothing is mapped",
                    "map the DSCP of data to " + c + ", or take its PFC away");
        }
    }

    /** Priorities that share a traffic class or queue are paused together. */
    private void shared() {
        for (int c = 0; c < PortConfig.CLASSES; c++) {
            if ((lossless >> c & 1) == 0) {
                continue;
            }
            Setting mine = port.get(ClassKey.TC, c);
            int others = 0;
            for (int o = 0; o < PortConfig.CLASSES; o++) {
                Setting other = port.get(ClassKey.TC, o);
                boolean isSet = device.isSwitch() ? mine != null || other != null : mine != null && other != null;
                boolean same = o != c && isSet && device.queueOf(port, o) == device.queueOf(port, c);
                others |= same && (lossless >> o & 1) == 0 ? 1 << o : 0;
                mine = mine == null && same ? other : mine;
            }
            if (others != 0 && mine != null) {
                boolean host = !device.isSwitch();
                book.find(
                        host ? Rule.TC_SHARED : Rule.QUEUE_SHARED,
                        mine.where(),
                        c,
                        name + ": priorities " + Lint.names(others) + " without PFC are in the "
                                + (host ? "traffic class " : "queue ") + device.queueOf(port, c) + " of priority " + c,
                        "a " + (host ? "traffic class" : "queue") + " for priority " + c + " alone");
            }
        }
    }

    private void pause() {
        Setting global = port.get(PortKey.GLOBAL_PAUSE);
        if (global != null && global.on()) {
            book.find(
                    Rule.GLOBAL_PAUSE_WITH_PFC,
                    global.where(),
                    lossless,
                    name + ": pauses of the whole link, and PFC on " + Lint.names(lossless),
                    device.isSwitch() ? "undo flow-control" : "ethtool -A " + port.name() + " rx off tx off");
        }
    }

    private void receiveBuffers() {
        for (int c = 0; c < PortConfig.CLASSES; c++) {
            Setting buffer = port.get(ClassKey.RECEIVE, c);
            if (device.isSwitch() || (lossless >> c & 1) == 0 || buffer == null) {
                continue;
            }
            Setting bytes = port.get(ClassKey.RECEIVE_BYTES, (int) buffer.whole());
            if (bytes != null && bytes.whole() == 0) {
                book.find(
                        Rule.RECEIVE_BUFFER_SMALL,
                        bytes.where(),
                        c,
                        name + ": priority " + c + " fills receive buffer " + buffer.whole() + ", which has 0 B",
                        "--buffer_size with room for it, more than its XOFF threshold");
            }
            for (int o = 0; o < PortConfig.CLASSES; o++) {
                Setting other = port.get(ClassKey.RECEIVE, o);
                if (other != null && (lossless >> o & 1) == 0 && other.whole() == buffer.whole()) {
                    book.find(
                            Rule.RECEIVE_BUFFER_SMALL,
                            Rule.PFC_ON_MANY.severity(),
                            buffer.where(),
                            o,
                            name + ": priority " + o + " without PFC fills receive buffer " + buffer.whole()
                                    + " of priority " + c,
                            "--prio2buffer with a buffer for priority " + c + " alone");
                }
            }
        }
    }

    private void lossy(int dscp) {
        int c = device.classOf(port, dscp);
        if (lossless == 0 || !device.trustsDscp(port) || (lossless >> c & 1) != 0) {
            return;
        }
        Setting mapped = port.ofDscp(dscp);
        book.find(
                Rule.DATA_CLASS_LOSSY,
                mapped == null ? atPfc() : mapped.where(),
                dscp,
                name + ": DSCP " + dscp + " of RDMA traffic is in priority " + c + "; PFC is on "
                        + Lint.names(lossless),
                "map DSCP " + dscp + " to " + Integer.numberOfTrailingZeros(lossless) + ", or send type of service "
                        + (Integer.numberOfTrailingZeros(lossless) << 5));
    }

    private void notifications(int cnp, Set<Integer> data) {
        if (lossless == 0 || !device.trustsDscp(port)) {
            return;
        }
        int c = device.classOf(port, cnp);
        boolean together = (lossless >> c & 1) != 0;
        for (int d : data) {
            together |= device.classOf(port, d) == c;
        }
        Setting mapped = port.ofDscp(cnp);
        if (together) {
            book.find(
                    Rule.CNP_IN_DATA_CLASS,
                    mapped == null ? atPfc() : mapped.where(),
                    cnp,
                    name + ": DSCP " + cnp + " of CNPs is in priority " + c + ", with data",
                    "DSCP " + cnp + " to priority 6, strict");
        } else if (device.isSwitch()) {
            Setting strict = port.get(ClassKey.STRICT, device.queueOf(port, c));
            if (strict != null && !strict.on()) {
                book.find(
                        Rule.CNP_NOT_STRICT,
                        strict.where(),
                        c,
                        name + ": CNPs (DSCP " + cnp + ", priority " + c + ") take turns with others",
                        "strict priority for queue " + device.queueOf(port, c));
            }
        }
    }
}
