package dev.clockwire.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.profile.Param;
import dev.clockwire.nic.profile.Parameters;
import dev.clockwire.nic.profile.Profile;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.sim.Connection;
import dev.clockwire.sim.stats.Stat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The tables of docs/blocks, made from a running device, the catalogue of parameters and the sources' comments. */
class DatasheetPagesTest {
    private static final Specimen SPECIMEN = new Specimen();
    private static final Map<String, String> INLETS = Map.of(
            "mmio",
            "MmioWrite",
            "stores",
            "MmioWrite",
            "replies",
            "DmaRead",
            "written",
            "DmaWrite",
            "buffer",
            "RocePacket",
            "frames",
            "EthFrame");

    static List<Datasheet> sheets() {
        return Datasheet.ALL;
    }

    @ParameterizedTest
    @MethodSource("sheets")
    void aPageSaysWhatTheCodeSays(Datasheet sheet) {
        Page page = new Page("blocks/" + sheet.page() + ".md");
        SourceDoc source = new SourceDoc(sheet.type());
        page.section(
                "block",
                source.ofClass() + "\n\nClass [`" + sheet.type().getName() + "`](../../" + source.file() + ").\n");
        if (!sheet.paths().isEmpty() && sheet.paths().get(0).contains(".nic.")) {
            page.section("ports", ports(sheet));
        }
        page.section("parameters", parameters(sheet));
        page.section("statistics", statistics(sheet, source));
        page.assertAgrees();
    }

    private static String ports(Datasheet sheet) {
        Table table = new Table("port", "direction", "other end", "carries", "kind", "capacity", "visible after");
        for (String path : sheet.paths()) {
            for (Connection c : SPECIMEN.connections(path)) {
                boolean in = c.to().equals(path);
                String other = in ? c.from() : c.to();
                String at = sheet.paths().size() > 1 ? " (of `" + last(path) + "`)" : "";
                table.row(
                        "`" + last(c.path()) + "`" + at,
                        in ? "in" : "out",
                        other.isEmpty() ? "events" : "`" + last(other) + "`",
                        "`" + carries(c) + "`",
                        c.kind(),
                        c.capacity(),
                        c.latency() + (c.latency() == 1 ? " edge" : " edges"));
            }
        }
        return table.orNone();
    }

    private static String carries(Connection c) {
        if (c.from().isEmpty()) {
            return Objects.requireNonNull(INLETS.get(last(c.path())), c.path());
        }
        String seen = SPECIMEN.carried(c.path());
        return c.kind().equals("LongChannel") ? "long" : seen.isEmpty() ? fail(c) : seen;
    }

    private static String fail(Connection c) {
        throw new AssertionError("nothing went through " + c.path() + ": let the specimen do something that uses it");
    }

    private static String last(String path) {
        return path.substring(path.lastIndexOf('.') + 1);
    }

    private static String parameters(Datasheet sheet) {
        Profile profile = Profiles.named(Profiles.DEFAULT);
        Table table = new Table("parameter", "allowed", "`" + profile.name() + "`", "meaning");
        for (String path : sheet.parameters()) {
            Param p = Parameters.byPath(path);
            table.row("`" + path + "`", p.allowed(), profile.text(path) + unit(p), p.meaning());
        }
        return table.orNone();
    }

    private static String unit(Param p) {
        return p.unit().isEmpty() ? "" : " " + p.unit();
    }

    private static String statistics(Datasheet sheet, SourceDoc source) {
        Table table = new Table("figure", "unit", "meaning");
        for (Stat stat : SPECIMEN.lab.sim().stats().all()) {
            if (sheet.counts(stat.name())) {
                table.row("`" + stat.name().replaceFirst("^host0\\.", "") + "`", stat.unit(), stat.description());
            }
        }
        for (String method : sheet.figures()) {
            table.row("`" + sheet.type().getSimpleName() + "." + method + "()`", "", source.ofMethod(method));
        }
        return table.orNone();
    }

    /** What no datasheet claims is shown in the index, so that a new parameter or statistic needs no change here. */
    @Test
    void theIndexShowsTheRest() {
        Page page = new Page("blocks/README.md");
        Table parameters = new Table("parameter", "allowed", "meaning");
        for (Param p : Parameters.all()) {
            long sheets = Datasheet.ALL.stream()
                    .filter(d -> d.parameters().contains(p.path()))
                    .count();
            assertThat(sheets).as("datasheets of " + p.path()).isLessThan(2);
            if (sheets == 0) {
                parameters.row("`" + p.path() + "`", p.allowed(), p.meaning());
            }
        }
        page.section("other parameters", parameters.orNone());
        Table statistics = new Table("figure", "unit", "meaning");
        for (Stat stat : SPECIMEN.lab.sim().stats().all()) {
            long sheets =
                    Datasheet.ALL.stream().filter(d -> d.counts(stat.name())).count();
            assertThat(sheets).as("datasheets of " + stat.name()).isLessThan(2);
            boolean other = stat.name().startsWith("host1.") || stat.name().startsWith("link.b.");
            if (sheets == 0 && !other) {
                statistics.row("`" + stat.name().replaceFirst("^host0\\.", "") + "`", stat.unit(), stat.description());
            }
        }
        page.section("other statistics", statistics.orNone());
        page.assertAgrees();
    }

    @Test
    void everyBlockOfTheDeviceHasADatasheet() {
        TreeSet<String> blocks = new TreeSet<>();
        for (Connection c : SPECIMEN.lab.sim().connections()) {
            List.of(c.from(), c.to()).stream()
                    .filter(p -> p.startsWith("host0."))
                    .forEach(blocks::add);
        }
        assertThat(Datasheet.ALL.stream().flatMap(d -> d.paths().stream()))
                .as("parts in Datasheet.ALL")
                .containsAll(blocks);
    }
}
