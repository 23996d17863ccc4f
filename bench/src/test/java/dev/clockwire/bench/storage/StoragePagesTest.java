package dev.clockwire.bench.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.bench.doc.GeneratedPart;
import dev.clockwire.bench.storage.diagram.LadderText;
import dev.clockwire.storage.load.LoadSpec;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** docs/storage-systems.md shows what runs show. */
class StoragePagesTest {
    private static final int SMALL = 4 * Runs.KIB;
    private static final int LARGE = 64 * Runs.KIB;

    private record Picture(String system, LoadSpec.Op op, int size) {}

    private static final List<Picture> PICTURES = List.of(
            new Picture("3fs", LoadSpec.Op.WRITE, LARGE),
            new Picture("3fs-push", LoadSpec.Op.WRITE, LARGE),
            new Picture("3fs-inline", LoadSpec.Op.WRITE, SMALL),
            new Picture("3fs", LoadSpec.Op.READ, LARGE),
            new Picture("daos", LoadSpec.Op.WRITE, SMALL),
            new Picture("daos", LoadSpec.Op.WRITE, LARGE),
            new Picture("daos", LoadSpec.Op.READ, SMALL),
            new Picture("daos", LoadSpec.Op.READ, LARGE),
            new Picture("ceph", LoadSpec.Op.WRITE, LARGE),
            new Picture("ceph", LoadSpec.Op.READ, LARGE));

    /** The page leaves times out: they change with every parameter, messages do not. */
    @Test
    void diagramsAreThoseOfRuns() throws IOException {
        StringBuilder made = new StringBuilder();
        for (Picture p : PICTURES) {
            String text = LadderText.write(
                    Runs.lone(p.system(), p.op(), p.size()).ladder().withoutAsides(), false);
            made.append(String.format(
                    Locale.ROOT,
                    "\n`storage run %s --op %s --size %d --ops 1 --diagram FILE.txt`\n\n```\n%s```\n",
                    p.system(),
                    p.op().name().toLowerCase(Locale.ROOT),
                    p.size(),
                    text.replaceAll(" +\n", "\n")));
        }
        GeneratedPart.check(
                "storage-systems.md",
                "diagrams",
                made.toString(),
                (page, now) -> assertThat(page).isEqualTo(now));
    }
}
