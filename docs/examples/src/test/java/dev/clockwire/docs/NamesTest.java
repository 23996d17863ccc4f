package dev.clockwire.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.profile.Parameters;
import dev.clockwire.sim.trace.StageRegistry;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Classes, parameters and stages that the pages name exist. */
class NamesTest {
    private static final Pattern ROW =
            Pattern.compile("^\\| [^|]+ \\| ([^|]+) \\| (`[A-Z][^|]*) \\|.*$", Pattern.MULTILINE);
    private static final Pattern CLASS = Pattern.compile("`([A-Z]\\w+)[`.]");
    private static final Pattern PACKAGE = Pattern.compile("`((?:nic|nvme|pcie|roce|sim|storage)\\.[\\w.]+)`");
    private static final Pattern PARAMETER = Pattern.compile("`((?:host|pcie|nic|link)\\.[a-z_.]+[a-z])`");
    private static final Pattern STAGE = Pattern.compile("^\\| `([a-z_]+)` \\|.*\\|.*\\|$", Pattern.MULTILINE);

    @Test
    void theWayOfAnOperationNamesClassesThatExist() {
        String page = Page.read(Page.DOCS.resolve("architecture.md"));
        String way = page.substring(page.indexOf("## The way of one operation"), page.indexOf("## Two payload modes"));
        List<String> missing = new ArrayList<>();
        int found = 0;
        Matcher row = ROW.matcher(way);
        while (row.find()) {
            Matcher type = CLASS.matcher(row.group(2));
            while (type.find()) {
                found++;
                if (!exists(row.group(1), type.group(1))) {
                    missing.add(row.group(1) + " " + type.group(1));
                }
            }
        }
        assertThat(missing).isEmpty();
        assertThat(found).isGreaterThan(40);
    }

    private static boolean exists(String packages, String type) {
        Matcher p = PACKAGE.matcher(packages);
        while (p.find()) {
            for (String module :
                    List.of("nic-rtl", "pcie-model", "roce-stack", "sim-core", "nvme-model", "storage-systems")) {
                String file =
                        module + "/src/main/java/dev/clockwire/" + p.group(1).replace('.', '/') + "/" + type + ".java";
                if (Files.exists(Page.ROOT.resolve(file))) {
                    return true;
                }
            }
        }
        return false;
    }

    @Test
    void parametersThatPagesNameExist() {
        for (var page : Page.all()) {
            Matcher m = PARAMETER.matcher(Page.read(page).replaceAll("(?s)<!-- generated.*?<!-- end -->", ""));
            while (m.find()) {
                String name = m.group(1);
                boolean isPackage = name.matches("(pcie|nic|link|host)\\.[a-z]+") || name.matches("link\\.[ab]\\..*");
                if (!isPackage) {
                    assertThat(Parameters.byPath(name).path()).isEqualTo(name);
                }
            }
        }
    }

    @Test
    void stagesOfTheArchitectureAreThoseOfTheDevice() {
        String page = Page.read(Page.DOCS.resolve("architecture.md"));
        StageRegistry stages = new Specimen().lab.sim().stages();
        Matcher m = STAGE.matcher(page.substring(page.indexOf("## Journeys"), page.indexOf("## Trace hash")));
        int before = stages.size();
        int found = 0;
        while (m.find()) {
            stages.id(m.group(1));
            found++;
        }
        assertThat(stages.size()).as("a stage that the device does not know").isEqualTo(before);
        assertThat(found).isEqualTo(18);
    }
}
