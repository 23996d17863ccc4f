package dev.clockwire.docs;

import dev.clockwire.nic.profile.Param;
import dev.clockwire.nic.profile.Parameters;
import dev.clockwire.nic.profile.Profile;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.nic.profile.Setting;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The tables of docs/profiles.md, made from the built-in profiles and from simulated operations. */
class ProfilePagesTest {
    @Test
    void thePageSaysWhatTheProfilesSay() {
        Page page = new Page("profiles.md");
        page.section("profiles", profiles());
        page.section("article-1", articleOne());
        page.section("article-2", articleTwo());
        page.section("values", values());
        page.section("sources", sources());
        page.assertAgrees();
    }

    private static String profiles() {
        Table table = new Table("profile", "what it is");
        for (Profile p : Profiles.all()) {
            table.row("`" + p.name() + "`", p.title() + (p.name().equals(Profiles.DEFAULT) ? " (default)" : ""));
        }
        return table.orNone();
    }

    private static String articleOne() {
        List<String> stages = List.of("doorbell", "wqe_fetch", "parse", "lookup", "payload_dma", "assembly", "tx_mac");
        return StageTable.of("article-1", 65536, stages, 150, 200, 0, 40, 12_000, 80, 200);
    }

    private static String articleTwo() {
        List<String> stages = List.of("doorbell", "wqe_fetch", "lookup", "payload_dma", "assembly+tx_mac", "cqe_write");
        return StageTable.of("article-2", 4096, stages, 300, 200, 50, 450, 100, 200);
    }

    private static String values() {
        List<String> head = new ArrayList<>(List.of("parameter", "unit"));
        Profiles.all().forEach(p -> head.add("`" + p.name() + "`"));
        Table table = new Table(head.toArray(new String[0]));
        for (Param p : Parameters.all()) {
            List<Object> row = new ArrayList<>(List.of("`" + p.path() + "`", p.unit()));
            Profiles.all().forEach(profile -> row.add(profile.text(p.path())));
            table.row(row.toArray());
        }
        return table.orNone();
    }

    private static String sources() {
        Table table = new Table("parameter", "value", "profiles", "confidence", "source");
        for (Param p : Parameters.all()) {
            Map<Setting, List<String>> users = new LinkedHashMap<>();
            for (Profile profile : Profiles.all()) {
                Setting setting = Objects.requireNonNull(profile.settings().get(p.path()));
                users.computeIfAbsent(setting, s -> new ArrayList<>()).add("`" + profile.name() + "`");
            }
            users.forEach((setting, profiles) -> table.row(
                    "`" + p.path() + "`",
                    setting.value(),
                    profiles.size() == Profiles.all().size() ? "all" : String.join(" ", profiles),
                    setting.confidence(),
                    setting.source()));
        }
        return table.orNone();
    }
}
