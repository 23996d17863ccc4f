package dev.clockwire.bench.config;

import java.util.Map;
import java.util.TreeMap;

/**
 * The firmware parameters of the DCQCN reaction point of port 1, and what the simulated NIC has of each. Names, units and defaults: dumps of
 * eight cards and the vendor's page of DCQCN parameters; ranges: the widths of the fields in an old public header of the tool, and shares
 * and exponents that have a meaning.
 */
final class ReactionPointKeys {
    private static final String AT = "nic.dcqcn.";
    private static final int MOST_RATE = 1_000_000;
    private static final int MOST_US = (1 << 17) - 1;

    /** All of them, by name. */
    static final Map<String, Key> ALL = new TreeMap<>(Map.ofEntries(
            key("DCE_TCP_G_P1", "1/1024 that alpha keeps each update", 0, 1024, "dce_tcp_g"),
            key("DCE_TCP_RTT_P1", "us between updates of alpha", 1, MOST_US, ""),
            key("INITIAL_ALPHA_VALUE_P1", "1/1024, alpha at the first CNP", 0, 1023, "initial_alpha_value"),
            key("RPG_GD_P1", "log2: a cut takes rate x alpha / 2^N", 0, 15, "rpg_gd"),
            key("RPG_MIN_DEC_FAC_P1", "% that a cut leaves at least", 0, 100, "rpg_min_dec_fac"),
            key("RPG_MIN_RATE_P1", "Mb/s below which no cut goes", 0, MOST_RATE, "rpg_min_rate"),
            key("RPG_MAX_RATE_P1", "Mb/s at which the limiter is released, 0: port speed", 0, MOST_RATE, ""),
            key("RATE_TO_SET_ON_FIRST_CNP_P1", "Mb/s set by the first CNP, 0: none", 0, MOST_RATE, ""),
            key(
                    "RATE_REDUCE_MONITOR_PERIOD_P1",
                    "us, at most one cut in each",
                    1,
                    MOST_US,
                    "rate_reduce_monitor_period"),
            key("RPG_TIME_RESET_P1", "us between rate increases", 0, MOST_US, "rpg_time_reset"),
            key("RPG_BYTE_RESET_P1", "bytes between rate increases, 0: off", 0, 32_767, "byte_counter"),
            key("RPG_THRESHOLD_P1", "increases until fast recovery ends", 0, 31, "rpg_threshold"),
            key("RPG_AI_RATE_P1", "Mb/s of an additive increase", 0, MOST_RATE, "rpg_ai_rate"),
            key("RPG_HAI_RATE_P1", "Mb/s of a hyper increase", 0, MOST_RATE, "rpg_hai_rate"),
            key("CLAMP_TGT_RATE_P1", "every cut lowers the target", 0, 1, "clamp_tgt_rate"),
            key(
                    "CLAMP_TGT_RATE_AFTER_TIME_INC_P1",
                    "a cut lowers the target after an increase by time",
                    0,
                    1,
                    "clamp_tgt_rate_after_time_inc")));

    private ReactionPointKeys() {}

    private static Map.Entry<String, Key> key(String name, String meaning, long least, long most, String parameter) {
        return Map.entry(name, new Key(meaning, least, most, parameter));
    }

    /**
     * One parameter.
     *
     * @param meaning with its unit
     * @param least smallest value that the tool takes
     * @param most largest
     * @param parameter of the profile, behind {@code nic.dcqcn.}; empty if the simulated NIC has none
     */
    record Key(String meaning, long least, long most, String parameter) {
        /** Whether the tool takes a value. */
        boolean takes(long value) {
            return value >= least && value <= most;
        }

        /** Says what a line does, and sets the parameter. */
        void apply(String name, long value, ConfigTarget target) {
            if (!takes(value)) {
                target.effect("refused by the tool: " + name + " is from " + least + " to " + most);
                target.finding(
                        "bad-value",
                        "error",
                        value,
                        name + " (" + meaning + ") is from " + least + " to " + most + ": nothing of it is set",
                        name + "=" + Math.max(least, Math.min(most, value)));
                return;
            }
            target.effect(name + " = " + value + " (" + meaning + "), in force after a reset of the firmware");
            if (parameter.isEmpty()) {
                fixed(name, value, target);
            } else {
                set(name, value, target);
            }
        }

        private void set(String name, long value, ConfigTarget target) {
            String path = AT + parameter;
            String text = name.startsWith("CLAMP") ? Boolean.toString(value == 1) : Long.toString(value);
            String refusal = target.refusal(path, text);
            if (refusal != null) {
                target.keep(path);
                target.finding(
                        "reaction-point-not-simulated", "warning", value, "is not simulated: " + refusal, "-P " + path);
                return;
            }
            target.override(path, text);
            if (name.startsWith("RPG_BYTE_RESET")) {
                target.finding(
                        "byte-reset-is-of-the-paper",
                        "note",
                        value,
                        "counts in the paper's reaction point only (" + path
                                + "): the vendor's increases by time here, as in the public model of it",
                        "-P nic.rate.dcqcn=paper");
            }
        }

        /** What the simulated NIC has one value of. */
        private void fixed(String name, long value, ConfigTarget target) {
            long only = name.startsWith("DCE_TCP_RTT") ? 1 : 0;
            if (value != only) {
                target.finding(
                        "reaction-point-not-simulated",
                        "warning",
                        value,
                        "is not simulated: the NIC behaves as with " + name + "=" + only + ", the default",
                        name + "=" + only);
            }
        }
    }
}
