package dev.clockwire.bench.config;

import dev.clockwire.bench.config.model.ImportLog;
import dev.clockwire.bench.config.model.Rule;
import dev.clockwire.bench.device.LspciReader;
import dev.clockwire.bench.device.LspciText;
import dev.clockwire.nic.lab.Lab;
import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profile;
import dev.clockwire.pcie.config.ConfigSpace;
import dev.clockwire.sim.error.ConfigurationException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The simulated NIC that lines are applied to, and what is said about them. */
final class ConfigTarget {
    private static final int SPACE = 4096;
    private static final String ORDERING = "nic.pci_wr_ordering";

    private final Profile profile;
    private final Lab lab;
    private final Map<String, String> overrides = new TreeMap<>();
    private @Nullable ImportLog log;

    ConfigTarget(Profile profile) {
        this.profile = profile;
        lab = Lab.twoHosts(profile, LabSpec.of(1));
    }

    void begin(ImportLog to) {
        log = to;
    }

    private ImportLog log() {
        ImportLog now = log;
        if (now == null) {
            throw new IllegalStateException("no line is being applied");
        }
        return now;
    }

    /** Says what the line does. */
    void effect(String words) {
        log().effect(words);
    }

    /** Adds a finding on the line. */
    void finding(String rule, String severity, long number, String message, String cure) {
        log().finding(Rule.of(rule), severity, log().where(), number, message, cure);
    }

    /** Changes a value of the profile. */
    void override(String path, String value) {
        overrides.put(path, value);
    }

    /** Leaves a value as the profile has it. */
    void keep(String path) {
        overrides.remove(path);
    }

    /** Returns a switch of the hardware before the first line. */
    boolean flag(String path) {
        return profile.flag(path);
    }

    /** Returns why the simulated NIC cannot have a value; null if it can. */
    @Nullable
    String refusal(String path, String value) {
        try {
            profile.with(path, value);
            return null;
        } catch (ConfigurationException e) {
            return e.getMessage();
        }
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

    /** Returns what lines have changed: without its bit in device control no request has the relaxed ordering attribute, whoever asks. */
    List<ConfigReport.ProfileValue> overrides() {
        String usual = profile.text(ORDERING);
        if (!"+".equals(lspci().get("DevCtl.RlxdOrd"))
                && overrides.getOrDefault(ORDERING, usual).equals("force_relax")) {
            overrides.put(ORDERING, "per_mkey");
        }
        List<ConfigReport.ProfileValue> all = new ArrayList<>();
        overrides.forEach((path, value) -> all.add(new ConfigReport.ProfileValue(path, value)));
        return all;
    }
}
