package dev.clockwire.bench.config;

import dev.clockwire.bench.config.text.ConfigLine;
import dev.clockwire.pcie.config.ConfigSpace;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * {@code setpci -s SLOT REG[+OFFSET][.WIDTH][=VALUE[:MASK]]}. The write goes into the configuration space of the simulated NIC; what
 * changed there is what the line does. Numbers are hexadecimal, as in pciutils.
 */
final class SetpciFormat implements ConfigFormat {
    private static final Pattern REGISTER = Pattern.compile(
            "([A-Za-z_][A-Za-z_0-9]*|[0-9a-fA-F]{1,3})(?:\\+([0-9a-fA-F]+))?(?:\\.([bBwWlL]))?(?:@\\d+)?(?:=(.*))?");
    private static final Pattern VALUE =
            Pattern.compile("(?:0[xX])?([0-9a-fA-F]{1,8})(?::(?:0[xX])?([0-9a-fA-F]{1,8}))?");
    private static final Pattern SLOT = Pattern.compile(
            "(?:(?:([0-9a-fA-F]{1,8}|\\*)?:)?([0-9a-fA-F]{1,2}|\\*)?:)?([0-9a-fA-F]{1,2}|\\*)?(?:\\.[0-7*]?)?");
    private static final Pattern ID = Pattern.compile(
            "(?:[0-9a-fA-F]{1,4}|\\*)?:(?:[0-9a-fA-F]{1,4}|\\*)?(?::[0-9a-fA-F*]{0,4}(?::[0-9a-fA-F*]{0,2})?)?");
    private static final int EXPRESS_CONTROL = ConfigSpace.EXPRESS + 8;

    /** Offset and width in bytes of pciutils' register names; capabilities at the places of the simulated NIC. */
    private static final Map<String, int[]> NAMES = new TreeMap<>();

    static {
        NAMES.put("VENDOR_ID", new int[] {0, 2});
        NAMES.put("DEVICE_ID", new int[] {2, 2});
        NAMES.put("COMMAND", new int[] {4, 2});
        NAMES.put("STATUS", new int[] {6, 2});
        NAMES.put("REVISION", new int[] {8, 1});
        NAMES.put("CACHE_LINE_SIZE", new int[] {0xC, 1});
        NAMES.put("LATENCY_TIMER", new int[] {0xD, 1});
        for (int bar = 0; bar < 6; bar++) {
            NAMES.put("BASE_ADDRESS_" + bar, new int[] {0x10 + 4 * bar, 4});
        }
        NAMES.put("INTERRUPT_LINE", new int[] {0x3C, 1});
        NAMES.put("CAP_EXP", new int[] {ConfigSpace.EXPRESS, 4});
        NAMES.put("CAP_MSIX", new int[] {ConfigSpace.MSIX, 4});
        NAMES.put("CAP_PM", new int[] {0x40, 4});
        NAMES.put("ECAP_AER", new int[] {ConfigSpace.AER, 4});
    }

    @Override
    public String name() {
        return "setpci";
    }

    @Override
    public boolean knows(ConfigLine line) {
        return line.program().equals("setpci");
    }

    @Override
    public void apply(ConfigLine line, ConfigTarget target) {
        int registers = 0;
        for (int i = 1; i < line.words().size(); i++) {
            String word = line.words().get(i);
            if (word.equals("-s") || word.equals("-d")) {
                String device = line.option(word, "");
                i++;
                if (!(word.equals("-s") ? SLOT : ID).matcher(device).matches()) {
                    throw line.bad(i, word.equals("-s") ? "a slot, [[DOMAIN:]BUS:]DEVICE[.FUNCTION]" : "VENDOR:DEVICE");
                }
            } else if (!word.startsWith("-")) {
                register(line, i, target);
                registers++;
            }
        }
        if (registers == 0) {
            throw line.bad(line.words().size(), "a register");
        }
    }

    private static void register(ConfigLine line, int word, ConfigTarget target) {
        Matcher m = REGISTER.matcher(line.words().get(word));
        if (!m.matches()) {
            throw line.bad(word, "REGISTER[+OFFSET][.WIDTH][=VALUE[:MASK]]");
        }
        int[] named = NAMES.get(m.group(1).toUpperCase(Locale.ROOT));
        boolean hex = m.group(1).matches("[0-9a-fA-F]{1,3}");
        if (named == null && !hex) {
            throw line.bad(word, "a register of " + String.join(", ", NAMES.keySet()));
        }
        int offset = (named == null ? Integer.parseInt(m.group(1), 16) : named[0])
                + (m.group(2) == null ? 0 : Integer.parseInt(m.group(2), 16));
        int width = m.group(3) == null ? (named == null ? 1 : named[1]) : width(m.group(3));
        if (offset % width != 0 || offset + width > 4096) {
            throw line.bad(word, "an offset below 1000 that is a multiple of " + width);
        }
        String text = m.group(4);
        if (text == null) {
            target.effect(String.format(Locale.ROOT, "reads %d B at 0x%x", width, offset));
            return;
        }
        Matcher v = VALUE.matcher(text);
        if (!v.matches()) {
            throw line.bad(word, "a hexadecimal value");
        }
        long all = (1L << (8 * width)) - 1;
        long value = Long.parseLong(v.group(1), 16);
        long mask = v.group(2) == null ? all : Long.parseLong(v.group(2), 16);
        if (value > all || mask > all) {
            throw line.bad(word, "a value of " + width + " bytes");
        }
        write(target, offset, width, value, mask);
    }

    private static int width(String letter) {
        return switch (letter.toLowerCase(Locale.ROOT)) {
            case "b" -> 1;
            case "w" -> 2;
            default -> 4;
        };
    }

    private static void write(ConfigTarget target, int offset, int width, long value, long mask) {
        ConfigSpace config = target.config();
        Map<String, String> before = target.lspci();
        int shift = 8 * (offset & 3);
        long old = (config.read(offset & ~3) & 0xFFFF_FFFFL) >>> shift;
        long written = (old & ~mask) | (value & mask);
        config.write(offset & ~3, (int) (written << shift), ((1 << width) - 1) << (offset & 3));
        Map<String, String> after = target.lspci();
        List<String> changes = new ArrayList<>();
        after.forEach((name, now) -> {
            String was = before.get(name);
            if (!now.equals(was)) {
                changes.add(name + " " + was + " -> " + now);
            }
        });
        target.effect(changes.isEmpty() ? "changes nothing" : String.join(", ", changes));
        judge(target, offset, value, mask == (1L << (8 * width)) - 1, before, after, changes.isEmpty());
    }

    private static void judge(
            ConfigTarget target,
            int offset,
            long value,
            boolean whole,
            Map<String, String> before,
            Map<String, String> after,
            boolean nothing) {
        if (lost(before, after, "Control.Mem") || lost(before, after, "Control.BusMaster")) {
            target.finding(
                    "setpci-stops-device",
                    "error",
                    value,
                    "clears Memory Space and Bus Master: the device answers no MMIO and sends no DMA and no interrupts",
                    "setpci COMMAND=0006:0006; relaxed ordering is bit 4 of device control: setpci"
                            + " CAP_EXP+08.w=0010:0010");
        }
        size(target, "MaxPayload", "pcie.mps", target.config().maxPayload(), before, after);
        size(target, "MaxReadReq", "pcie.mrrs", target.config().maxReadRequest(), before, after);
        if (offset == EXPRESS_CONTROL && whole && !nothing) {
            target.finding(
                    "setpci-device-control-whole",
                    "warning",
                    value,
                    "writes all of device control: MaxPayload is " + after.get("DevCtl.MaxPayload")
                            + " B, MaxReadReq " + after.get("DevCtl.MaxReadReq") + " B, relaxed ordering "
                            + ("+".equals(after.get("DevCtl.RlxdOrd")) ? "on" : "off") + " now",
                    "with a mask only what is meant changes: MaxReadReq is CAP_EXP+08.w=n000:7000, relaxed ordering"
                            + " 0010:0010");
        } else if (nothing) {
            target.finding(
                    "setpci-no-effect",
                    "note",
                    value,
                    "the bits are set already, read-only or not there",
                    "read it back with setpci or lspci -vvv");
        }
    }

    /** A size goes into the register whatever it is; the device does no more than it can. */
    private static void size(
            ConfigTarget target,
            String name,
            String path,
            int inForce,
            Map<String, String> before,
            Map<String, String> after) {
        String now = after.get("DevCtl." + name);
        if (now == null || now.equals(before.get("DevCtl." + name))) {
            return;
        }
        String most = Integer.toString(inForce);
        target.override(path, most);
        if (!now.equals(most)) {
            target.finding(
                    "setpci-more-than-supported",
                    "warning",
                    Long.parseLong(now),
                    name + " of " + now + " B is more than the device can do: it uses " + most + " B",
                    name + " of " + most + " B is the most; lspci -vvv shows DevCap");
        }
    }

    private static boolean lost(Map<String, String> before, Map<String, String> after, String flag) {
        return plus(before.get(flag)) && !plus(after.get(flag));
    }

    private static boolean plus(@Nullable String sign) {
        return "+".equals(sign);
    }
}
