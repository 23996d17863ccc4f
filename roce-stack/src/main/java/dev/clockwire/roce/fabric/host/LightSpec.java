package dev.clockwire.roce.fabric.host;

import dev.clockwire.roce.congestion.RateRules;
import dev.clockwire.sim.error.ConfigurationException;
import org.jspecify.annotations.Nullable;

/**
 * What all light endpoints of a fabric have in common.
 *
 * @param payload bytes of payload in a full packet, 1 to 9000
 * @param headerBytes bytes in front of and behind the payload, as captured, 0 to 256
 * @param answerBytes bytes of an acknowledgement or a notification, as captured, 1 to 256
 * @param ackEvery packets between acknowledgements that nothing else asks for, 1 to 65536; the last of a flow is always acknowledged
 * @param dataDscp code point of data
 * @param answerDscp code point of acknowledgements and notifications
 * @param rules how a flow's rate obeys congestion; null = never
 * @param echo every acknowledgement says whether its packet was marked; else notifications are packets of their own
 * @param cnpPs least time between notifications of a flow (or port), 0 = one for each mark
 * @param cnpPerPort one interval for all flows into a host
 * @param cnpLatencyPs from a mark's arrival to its notification
 * @param repeat what is sent again after a loss
 * @param nakPs least time between two NAKs for the same packet, 0 = one only
 * @param timeoutPs without progress for so long a flow sends again from the oldest packet that is not acknowledged; 0 = never
 * @param retries timeouts in a row until the flow fails
 * @param window bytes under way at most, 0 = any
 * @param priorities what its priorities do
 */
public record LightSpec(
        int payload,
        int headerBytes,
        int answerBytes,
        int ackEvery,
        int dataDscp,
        int answerDscp,
        @Nullable RateRules rules,
        boolean echo,
        long cnpPs,
        boolean cnpPerPort,
        long cnpLatencyPs,
        Repeat repeat,
        long nakPs,
        long timeoutPs,
        int retries,
        long window,
        PrioritySpec priorities) {
    private static final long MAX_PS = 10_000_000_000_000L;
    private static final long US = 1_000_000;
    private static final int MAX_PAYLOAD = 9000;
    private static final int MAX_OTHER = 256;
    private static final int MAX_DSCP = 63;

    /** What is sent again after a loss. */
    public enum Repeat {
        /** Everything from the lost packet on. */
        GO_BACK_N,
        /** The lost packet. */
        SELECTIVE
    }

    /** Checks the ranges. */
    public LightSpec {
        range("payload of a packet", payload, 1, MAX_PAYLOAD);
        range("header bytes", headerBytes, 0, MAX_OTHER);
        range("bytes of an answer", answerBytes, 1, MAX_OTHER);
        range("packets of an acknowledgement", ackEvery, 1, 1 << 16);
        range("DSCP of data", dataDscp, 0, MAX_DSCP);
        range("DSCP of answers", answerDscp, 0, MAX_DSCP);
        range("time between notifications in ps", cnpPs, 0, MAX_PS);
        range("latency of a notification in ps", cnpLatencyPs, 0, MAX_PS);
        range("time between NAKs in ps", nakPs, 0, MAX_PS);
        range("acknowledgement timeout in ps", timeoutPs, 0, MAX_PS);
        range("retries", retries, 0, 7);
        range("window in bytes", window, 0, 1L << 40);
    }

    /** Endpoints with the standard priorities. */
    @SuppressWarnings("checkstyle:ParameterNumber") // what an endpoint is
    public LightSpec(
            int payload,
            int headerBytes,
            int answerBytes,
            int ackEvery,
            int dataDscp,
            int answerDscp,
            @Nullable RateRules rules,
            boolean echo,
            long cnpPs,
            boolean cnpPerPort,
            long cnpLatencyPs,
            Repeat repeat,
            long nakPs,
            long timeoutPs,
            int retries,
            long window) {
        this(
                payload,
                headerBytes,
                answerBytes,
                ackEvery,
                dataDscp,
                answerDscp,
                rules,
                echo,
                cnpPs,
                cnpPerPort,
                cnpLatencyPs,
                repeat,
                nakPs,
                timeoutPs,
                retries,
                window,
                PrioritySpec.STANDARD);
    }

    private static void range(String what, long value, long low, long high) {
        if (value < low || value > high) {
            throw new ConfigurationException(what + " " + value + " is not in " + low + ".." + high);
        }
    }

    /**
     * Returns endpoints of RoCE with MTU 1024: 74 bytes around the payload (Ethernet 14, IPv4 20, UDP 8, BTH 12, RETH 16, ICRC 4), an
     * acknowledgement of 62; data in class 3, answers in class 6; the paper's DCQCN; go-back-N, timeout 2.1 ms (code 9), 7 retries.
     */
    public static LightSpec roce(long lineRate) {
        return new LightSpec(
                1024,
                74,
                62,
                1,
                26,
                48,
                RateRules.paper(lineRate),
                false,
                50 * US,
                false,
                0,
                Repeat.GO_BACK_N,
                0,
                2_097 * US,
                7,
                0);
    }

    /** Returns a copy with other rules, null = rates that obey nothing. */
    public LightSpec withRules(@Nullable RateRules other) {
        Draft d = new Draft(this);
        d.rules = other;
        return d.done();
    }

    /** Returns a copy that recovers from losses otherwise. */
    public LightSpec withRepeat(Repeat other, long nak, long timeout, int tries) {
        Draft d = new Draft(this);
        d.repeat = other;
        d.nakPs = nak;
        d.timeoutPs = timeout;
        d.retries = tries;
        return d.done();
    }

    /** Returns a copy with other notifications. */
    public LightSpec withNotifications(boolean inAcks, long interval, boolean perPort, long latency) {
        Draft d = new Draft(this);
        d.echo = inAcks;
        d.cnpPs = interval;
        d.cnpPerPort = perPort;
        d.cnpLatencyPs = latency;
        return d.done();
    }

    /** Returns a copy with other payload in a full packet. */
    public LightSpec withPayload(int bytes) {
        Draft d = new Draft(this);
        d.payload = bytes;
        return d.done();
    }

    /** Returns a copy with other code points and priorities. */
    public LightSpec withPriorities(int data, int answers, PrioritySpec other) {
        Draft d = new Draft(this);
        d.dataDscp = data;
        d.answerDscp = answers;
        d.priorities = other;
        return d.done();
    }

    /** All components; the one place that knows their order. */
    private static final class Draft {
        private final LightSpec from;
        private int payload;
        private int dataDscp;
        private int answerDscp;
        private @Nullable RateRules rules;
        private boolean echo;
        private long cnpPs;
        private boolean cnpPerPort;
        private long cnpLatencyPs;
        private Repeat repeat;
        private long nakPs;
        private long timeoutPs;
        private int retries;
        private PrioritySpec priorities;

        Draft(LightSpec from) {
            this.from = from;
            payload = from.payload;
            dataDscp = from.dataDscp;
            answerDscp = from.answerDscp;
            rules = from.rules;
            echo = from.echo;
            cnpPs = from.cnpPs;
            cnpPerPort = from.cnpPerPort;
            cnpLatencyPs = from.cnpLatencyPs;
            repeat = from.repeat;
            nakPs = from.nakPs;
            timeoutPs = from.timeoutPs;
            retries = from.retries;
            priorities = from.priorities;
        }

        LightSpec done() {
            return new LightSpec(
                    payload,
                    from.headerBytes,
                    from.answerBytes,
                    from.ackEvery,
                    dataDscp,
                    answerDscp,
                    rules,
                    echo,
                    cnpPs,
                    cnpPerPort,
                    cnpLatencyPs,
                    repeat,
                    nakPs,
                    timeoutPs,
                    retries,
                    from.window,
                    priorities);
        }
    }
}
