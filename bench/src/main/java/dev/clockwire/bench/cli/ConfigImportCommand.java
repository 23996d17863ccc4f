package dev.clockwire.bench.cli;

import dev.clockwire.bench.config.ConfigImport;
import dev.clockwire.bench.config.ConfigReport;
import dev.clockwire.bench.config.model.Finding;
import dev.clockwire.bench.text.Count;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code config import FILE...} and {@code config lint FILE...}. */
abstract class ConfigImportCommand extends ClockwireTask {
    @Parameters(
            arity = "1..*",
            paramLabel = "FILE",
            description = "Configuration of switches, hosts and applications, also mixed: H3C Comware commands, SONiC"
                    + " config_db.json, mlnx_qos, cma_roce_tos, ecn files in sysfs, ip link mtu, SPDK JSON and"
                    + " rpc.py, ceph.conf, 3FS TOML; and what concerns a single NIC: mlxconfig, setpci, ethtool,"
                    + " cma_roce_mode.")
    private List<Path> files = List.of();

    @Option(
            names = "--profile",
            paramLabel = "NAME|FILE.yaml",
            defaultValue = "cx7-400g",
            converter = ChosenProfile.Converter.class,
            description = "Hardware before the first line (default: ${DEFAULT-VALUE}).")
    private ChosenProfile profile = ChosenProfile.USUAL;

    @Mixin
    private JsonOption json = new JsonOption();

    ConfigImportCommand(Console console) {
        super(console);
    }

    /** Says everything. */
    @Command(
            name = "import",
            description = "Say what each line does in a simulation, which lines are not known, and what is wrong.")
    static final class Import extends ConfigImportCommand {
        Import(Console console) {
            super(console);
        }

        @Override
        public Integer call() throws IOException {
            ConfigReport report = report("config-import");
            if (!isJson()) {
                report.recognised()
                        .forEach(r -> console()
                                .line(r.file() + ":" + r.line() + ": " + r.text() + "\n    "
                                        + r.effect().strip()));
                report.unknown().forEach(u -> console().line(u.file() + ":" + u.line() + ": not known: " + u.text()));
                report.overrides().forEach(o -> console().line("-P " + o.path() + "=" + o.value()));
                findings(report);
            }
            return isNothing(report) ? ExitCode.CHECK_FAILED : ExitCode.OK;
        }
    }

    /** Says what is wrong; fails on an error. */
    @Command(
            name = "lint",
            description = "Say which lines do something else than they look like; exit code 1 on an error.")
    static final class Lint extends ConfigImportCommand {
        Lint(Console console) {
            super(console);
        }

        @Override
        public Integer call() throws IOException {
            ConfigReport report = report("config-lint");
            if (!isJson()) {
                findings(report);
            }
            boolean wrong =
                    report.findings().stream().anyMatch(f -> f.severity().equals("error"));
            return wrong || isNothing(report) ? ExitCode.CHECK_FAILED : ExitCode.OK;
        }
    }

    ConfigReport report(String name) throws IOException {
        ConfigReport report = ConfigImport.of(files, profile.profile());
        if (isJson()) {
            console().json(new JsonDocument(name).withAll(report));
        }
        return report;
    }

    /** Whether nothing of the files was understood. */
    static boolean isNothing(ConfigReport report) {
        return report.recognised().isEmpty();
    }

    boolean isJson() {
        return json.wanted();
    }

    void findings(ConfigReport report) {
        long known = report.recognised().stream()
                .map(r -> r.file() + ":" + r.line())
                .distinct()
                .count();
        int unknown = report.unknown().size();
        for (Finding f : report.findings()) {
            console().line(f.where() + ": " + f.severity() + " [" + f.rule() + "]: " + f.message());
            console().line("    cure: " + f.cure());
        }
        if (isNothing(report)) {
            console()
                    .line("nothing was understood: the formats are those of Comware, SONiC, NVIDIA's tools, SPDK,"
                            + " Ceph and 3FS");
        }
        console()
                .line(Count.of(known, "line") + " understood, " + unknown + " not known, "
                        + Count.of(report.findings().size(), "finding"));
    }
}
