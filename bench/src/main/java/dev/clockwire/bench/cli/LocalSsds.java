package dev.clockwire.bench.cli;

import dev.clockwire.bench.device.DeviceText;
import dev.clockwire.nvme.ctrl.NvmeController;
import dev.clockwire.pcie.config.ConfigSpace;
import dev.clockwire.storage.perf.LocalStack;
import dev.clockwire.storage.perf.PerfStack;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options about the configuration space of local SSDs, as {@code setpci} and {@code lspci} have them. */
final class LocalSsds {
    private static final String TITLE =
            "Non-Volatile memory controller: Clockwire simulated SSD (prog-if 02 [NVM Express])";
    private static final int COMMAND = 4;
    private static final int LOW_HALF = 0b0011;
    private static final int MOST = 0xFFFF;

    @Option(
            names = "--setpci",
            paramLabel = "COMMAND=VALUE",
            description =
                    "With --local: what somebody wrote to the command register of each SSD, hexadecimal, before it is"
                            + " attached.")
    private @Nullable String command;

    @Option(
            names = "--lspci",
            description = "With --local: show the SSDs as lspci -vvv does, also if they cannot be attached.")
    private boolean show;

    /** What {@code lspci} shows of one host. */
    record View(String host, String format, List<String> lines) {}

    LocalSsds() {}

    void check(boolean local) {
        if (!local && (command != null || show)) {
            throw CliException.usage("--setpci and --lspci are for --local");
        }
        value();
    }

    private int value() {
        String typed = command;
        if (typed == null) {
            return -1;
        }
        if (!typed.matches("COMMAND=(0x)?[0-9a-fA-F]{1,4}")) {
            throw CliException.usage("--setpci " + typed + ": expected COMMAND=VALUE, such as COMMAND=0x0106");
        }
        return Integer.parseInt(typed.substring(typed.indexOf('=') + 1).replaceFirst("^0x", ""), 16) & MOST;
    }

    /** Writes what was typed. */
    void apply(PerfStack stack) {
        int value = value();
        if (value >= 0 && stack instanceof LocalStack local) {
            local.ssds().forEach(ssd -> space(ssd).write(COMMAND, value, LOW_HALF));
        }
    }

    private static ConfigSpace space(NvmeController ssd) {
        return Objects.requireNonNull(ssd.endpoint().config());
    }

    /** Returns what is to be shown, null for nothing. */
    @Nullable
    View view(PerfStack stack) {
        if (!show || !(stack instanceof LocalStack local)) {
            return null;
        }
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < local.ssds().size(); i++) {
            String address = String.format(Locale.ROOT, "%02x:00.0", i + 1);
            lines.addAll(DeviceText.function(address, TITLE, space(local.ssds().get(i))));
        }
        return new View("host0", "lspci", lines);
    }
}
