package dev.clockwire.bench.validate;

import dev.clockwire.nic.profile.Profile;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Which profile stands for a device, and what a row says about link, slot and host on top of it. */
final class DeviceRules {
    /** Devices by the words that name them, the more special first. */
    private static final List<Map.Entry<String, String>> NAMED = List.of(
            Map.entry("DGX Spark", "cx7-spark"),
            Map.entry("ConnectX-7", "cx7-400g"),
            Map.entry("ConnectX-6", "cx6-200g"),
            Map.entry("ConnectX-5", "cx5-100g"),
            Map.entry("ConnectX-4", "cx4-100g"),
            Map.entry("ConnectX-3", "cx3-40g"));

    private static final String[] INFINIBAND = {"IB", "QDR", "FDR", "EDR", "HDR", "NDR"};
    private static final String[] ETHERNET = {"RoCE", "GbE"};

    /** The 8b/10b rates of InfiniBand: of the signalling rate four fifths are data. */
    private static final double LAST_8B10B = 40;

    private static final Pattern SLOT = Pattern.compile("Gen([1-5]) x(1|2|4|8|16)");

    /** A path MTU; not the port's, nor one that stands in brackets as one of several. */
    private static final Pattern MTU = Pattern.compile("(?<!port )(?<!\\()\\bMTU ?(256|512|1024|2048|4096)\\b");

    private static final Pattern DEPTH_MTU = Pattern.compile("\\bmtu(256|512|1024|2048|4096)\\b");
    private static final Pattern MPS = Pattern.compile("\\bMPS (128|256|512|1024)\\b");
    private static final Pattern MRRS = Pattern.compile("\\bMRRS (128|256|512|1024|2048|4096)\\b");

    private DeviceRules() {}

    /** Returns the name of the profile of a row's device, empty if there is none. */
    static String profileOf(Measurement m) {
        for (var device : NAMED) {
            if (m.nic().contains(device.getKey())) {
                return device.getValue();
            }
        }
        boolean described = Words.any(m.nic(), "mlx5", "BlueField") && !Double.isNaN(m.linkGbps());
        if (!described || !(Words.any(m.nic(), ETHERNET) || Words.any(m.nic(), "BlueField"))) {
            return "";
        }
        return m.linkGbps() <= 100 ? "cx5-100g" : m.linkGbps() <= 200 ? "cx6-200g" : "cx7-400g";
    }

    /** Returns whether the row names the device, so that the profile's host is at least that of such a device. */
    static boolean isNamed(Measurement m) {
        return NAMED.stream().anyMatch(d -> m.nic().contains(d.getKey()));
    }

    /** Returns the profile with what the row states. */
    static Profile of(Measurement m, Source profiles) {
        Profile p = profiles.named(profileOf(m));
        boolean infiniband = Words.any(m.nic(), INFINIBAND);
        boolean ethernet = !infiniband && (Words.any(m.nic(), ETHERNET) || Words.any(m.nic(), "BlueField"));
        if (infiniband || ethernet) {
            p = changed(p, "link.framing", infiniband ? "infiniband" : "ethernet");
        }
        if (!Double.isNaN(m.linkGbps())) {
            boolean coded = infiniband && m.linkGbps() <= LAST_8B10B;
            double data = coded ? m.linkGbps() * 8 / 10 : m.linkGbps();
            p = changed(
                    p,
                    "link.gbps",
                    BigDecimal.valueOf(data).stripTrailingZeros().toPlainString());
        }
        Matcher slot = SLOT.matcher(m.pcie());
        if (slot.matches()) {
            p = changed(p, "pcie.generation", slot.group(1));
            p = changed(p, "pcie.lanes", slot.group(2));
        }
        p = number(p, "link.mtu", MTU, m.note());
        p = number(p, "link.mtu", DEPTH_MTU, m.depth());
        p = number(p, "pcie.mps", MPS, m.note());
        return number(p, "pcie.mrrs", MRRS, m.note());
    }

    private static Profile number(Profile p, String path, Pattern pattern, String text) {
        int n = Words.number(pattern, text);
        return n < 0 ? p : changed(p, path, Integer.toString(n));
    }

    /** Replaces a value only where it differs, so that the profile's text lists what the row has changed. */
    private static Profile changed(Profile p, String path, String value) {
        Profile other = p.with(path, value);
        return other.text(path).equals(p.text(path)) ? p : other;
    }

    /** Where profiles come from: the built-in ones, or those of a fit. */
    interface Source {
        /** Returns the profile of a name. */
        Profile named(String name);
    }
}
