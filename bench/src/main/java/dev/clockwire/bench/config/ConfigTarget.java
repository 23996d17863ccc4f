package dev.clockwire.bench.config;

import dev.clockwire.bench.device.LspciReader;
import dev.clockwire.bench.device.LspciText;
import dev.clockwire.nic.lab.Lab;
import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profile;
import dev.clockwire.pcie.config.ConfigSpace;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The simulated NIC that lines are applied to, and what is said about them. */
final class ConfigTarget {
    private static final int SPACE = 4096;

    private final Lab lab;
    private final Map<String, String> overrides = new TreeMap<>();
    private final List<ConfigReport.Recognised> recognised = new ArrayList<>();
    private final List<ConfigReport.Finding> findings = new ArrayList<>();
    private @Nullable ConfigLine line;
    private String format = "";

    ConfigTarget(Profile profile) {
        lab = Lab.twoHosts(profile, LabSpec.of(1));
    }

    void begin(ConfigLine of, String kind) {
        line = of;
        format = kind;
    }

    private ConfigLine line() {
        ConfigLine now = line;
        if (now == null) {
            throw new IllegalStateException("no line is being applied");
        }
        return now;
    }

    /** Says what the line does. */
    void effect(String words) {
        ConfigLine now = line();
        recognised.add(new ConfigReport.Recognised(now.file(), now.number(), now.text(), format, words));
    }

    /** Adds a finding on the line. */
    void finding(String rule, String severity, long number, String message, String cure) {
        findings.add(new ConfigReport.Finding(rule, severity, line().where(), number, message, cure));
    }

    /** Changes a value of the profile. */
    void override(String path, String value) {
        overrides.put(path, value);
    }

    /** Returns the configuration space of the NIC. */
    ConfigSpace config() {
        return lab.a().nic().config();
    }

    /** Returns what {@code lspci -vvv} says of the NIC now, by line and name. */
    Map<String, String> lspci() {
        byte[] bytes = new byte[SPACE];
        for (int at = 0; at < SPACE; at++) {
            bytes[at] = (byte) (config().read(at & ~3) >>> (8 * (at & 3)));
        }
        List<String> lines = new ArrayList<>();
        LspciText.print("nic", "", bytes, n -> 0, lines::add);
        return LspciReader.flags(lines);
    }

    List<ConfigReport.Recognised> recognised() {
        return recognised;
    }

    List<ConfigReport.Finding> findings() {
        return findings;
    }

    List<ConfigReport.ProfileValue> overrides() {
        List<ConfigReport.ProfileValue> all = new ArrayList<>();
        overrides.forEach((path, value) -> all.add(new ConfigReport.ProfileValue(path, value)));
        return all;
    }
}
