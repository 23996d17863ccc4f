package dev.clockwire.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.roce.congestion.RateRules;
import dev.clockwire.roce.fabric.Framing;
import dev.clockwire.roce.fabric.bridge.BridgeSpec;
import dev.clockwire.roce.fabric.bridge.BufferSpec;
import dev.clockwire.roce.fabric.bridge.ClassMap;
import dev.clockwire.roce.fabric.bridge.FabricSwitch;
import dev.clockwire.roce.fabric.bridge.MarkSpec;
import dev.clockwire.roce.fabric.bridge.PauseSpec;
import dev.clockwire.roce.fabric.bridge.PortSpec;
import dev.clockwire.roce.fabric.bridge.WatchdogSpec;
import dev.clockwire.roce.fabric.host.LightHost;
import dev.clockwire.roce.fabric.host.LightSpec;
import dev.clockwire.roce.fabric.host.PrioritySpec;
import dev.clockwire.roce.fabric.net.DcbxPlan;
import dev.clockwire.roce.fabric.net.LldpAgent;
import dev.clockwire.roce.fabric.net.LldpSpec;
import dev.clockwire.roce.fabric.net.Network;
import dev.clockwire.roce.fabric.net.NetworkSpec;
import dev.clockwire.roce.fabric.net.Topology;
import dev.clockwire.roce.wire.DcbSettings;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.stats.Stat;
import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The pages of docs/blocks about parts of a fabric, whose parameters are records and no profile's: made from the sources' comments and a registry. */
class FabricSheetPagesTest {
    private static final long KBPS = 100_000_000;

    /**
     * A page.
     *
     * @param specs records that hold its parameters
     * @param counters how the names of its statistics begin in the specimen
     */
    private record Sheet(String page, Class<?> type, List<Class<?>> specs, String counters) {}

    static List<Sheet> sheets() {
        return List.of(
                new Sheet(
                        "fabric-switch",
                        FabricSwitch.class,
                        List.of(
                                BridgeSpec.class,
                                BufferSpec.class,
                                PauseSpec.class,
                                ClassMap.class,
                                WatchdogSpec.class,
                                PortSpec.class,
                                MarkSpec.class),
                        "switch."),
                new Sheet(
                        "light-host",
                        LightHost.class,
                        List.of(LightSpec.class, PrioritySpec.class, RateRules.class),
                        "host0."),
                new Sheet("lldp-agent", LldpAgent.class, List.of(LldpSpec.class), "lldp.host0."));
    }

    private static Sim specimen() {
        Sim sim = new Sim(SimSpec.of(1));
        NetworkSpec spec = new NetworkSpec(
                        Topology.star(2, KBPS, 1_000_000),
                        Framing.ETHERNET,
                        BridgeSpec.of(BufferSpec.of(1 << 20)),
                        cable -> PortSpec.of(0, 0),
                        LightSpec.roce(KBPS * 1000),
                        List.of())
                .withDcbx(new DcbxPlan(LldpSpec.STANDARD, (node, cable) -> DcbSettings.SILENT));
        new Network(sim.root(), spec).register(sim.stats());
        return sim.elaborate();
    }

    @ParameterizedTest
    @MethodSource("sheets")
    void aPageSaysWhatTheCodeSays(Sheet sheet) {
        Page page = new Page("blocks/" + sheet.page() + ".md");
        SourceDoc source = new SourceDoc(sheet.type());
        page.section(
                "block",
                source.ofClass() + "\n\nClass [`" + sheet.type().getName() + "`](../../" + source.file() + ").\n");
        page.section("parameters", parameters(sheet));
        page.section("statistics", statistics(sheet));
        page.assertAgrees();
    }

    private static String parameters(Sheet sheet) {
        Table table = new Table("parameter", "meaning and range");
        for (Class<?> spec : sheet.specs()) {
            SourceDoc doc = new SourceDoc(spec);
            for (RecordComponent c : spec.getRecordComponents()) {
                table.row("`" + spec.getSimpleName() + "." + c.getName() + "`", doc.ofComponent(c.getName()));
            }
        }
        return table.orNone();
    }

    /** Ports and classes are alike: one row for all of them. */
    private static String statistics(Sheet sheet) {
        Table table = new Table("figure", "unit", "meaning");
        Set<String> seen = new TreeSet<>();
        for (Stat stat : specimen().stats().all()) {
            String name = stat.name().replaceAll("\\.port\\d\\.", ".portN.").replaceAll("_prio\\d_", "_prioN_");
            if (stat.name().startsWith(sheet.counters()) && seen.add(name)) {
                table.row("`" + name + "`", stat.unit(), stat.description());
            }
        }
        return table.orNone();
    }

    /** The specimen has a figure of each part, and each figure is on a page. */
    @Test
    void noFigureIsWithoutAPage() {
        for (Stat stat : specimen().stats().all()) {
            String name =
                    stat.name().replaceFirst("host1", "host0").replaceFirst("lldp\\.switch\\.port\\d", "lldp.host0");
            assertThat(sheets().stream().filter(s -> name.startsWith(s.counters())))
                    .as(stat.name())
                    .hasSize(1);
        }
    }
}
