package dev.clockwire.bench.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.bench.storage.diagram.Ladder;
import dev.clockwire.bench.storage.diagram.LadderFile;
import dev.clockwire.bench.storage.diagram.LadderMermaid;
import dev.clockwire.bench.storage.diagram.LadderSvg;
import dev.clockwire.bench.storage.diagram.LadderText;
import dev.clockwire.nic.lab.MessageTap.Kind;
import dev.clockwire.storage.load.LoadSpec;
import java.io.StringReader;
import java.nio.file.Path;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.xml.sax.InputSource;

/** Diagrams show what the wire carried, in its order. */
class LadderTest {
    private static final List<String> CHAIN = List.of("client0", "node0", "node1", "node2");

    /** Down the chain each replica is asked, reads, and asks the next; answers come back one behind the other. */
    @Test
    void aPulledWriteGoesDownTheChainAndBack() {
        StorageRun.Drawn run = Runs.lone("3fs", LoadSpec.Op.WRITE, 64 * Runs.KIB);
        Ladder ladder = run.ladder().withoutAsides();
        assertThat(ladder.hosts()).isEqualTo(CHAIN);
        assertThat(ladder.arrows().stream().map(Ladder.Arrow::kind))
                .containsExactly(
                        Kind.SEND,
                        Kind.READ,
                        Kind.READ_RESPONSE,
                        Kind.SEND,
                        Kind.READ,
                        Kind.READ_RESPONSE,
                        Kind.SEND,
                        Kind.READ,
                        Kind.READ_RESPONSE,
                        Kind.SEND,
                        Kind.SEND,
                        Kind.SEND);
        assertThat(ladder.arrows().stream().map(Ladder.Arrow::trips))
                .as("each waits for the one before")
                .containsExactly(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12);
        double before = 0;
        for (Ladder.Arrow a : ladder.arrows()) {
            assertThat(a.leftUs()).isGreaterThan(before);
            before = a.arrivedUs();
        }
        assertThat(ladder.endUs())
                .as("the answer is read, and was asked for a little behind the beginning")
                .isGreaterThan(before)
                .isGreaterThanOrEqualTo(run.result().latency().max() / 1e6);
    }

    /** The three replicas of DAOS read from the client, not from each other, and the leader waits for the slowest. */
    @Test
    void everyReplicaOfDaosReadsFromTheClient() {
        Ladder ladder = Runs.lone("daos", LoadSpec.Op.WRITE, 64 * Runs.KIB).ladder();
        int client = ladder.hosts().indexOf("client0");
        assertThat(ladder.arrows().stream()
                        .filter(a -> a.kind() == Kind.READ)
                        .map(a -> ladder.hosts().get(a.from()))
                        .sorted())
                .containsExactly("node0", "node1", "node2");
        assertThat(ladder.arrows().stream().filter(a -> a.kind() == Kind.READ).map(Ladder.Arrow::to))
                .containsOnly(client);
        assertThat(ladder.arrows().get(ladder.arrows().size() - 1).trips()).isEqualTo(6);
        assertThat(ladder.arrows().stream()
                        .filter(a -> a.trips() == 2 && a.kind() == Kind.SEND)
                        .count())
                .as("dispatched at the same time")
                .isEqualTo(2);
    }

    @Test
    void everyFormHasEveryMessage() throws Exception {
        Ladder ladder = Runs.lone("3fs-push", LoadSpec.Op.WRITE, 64 * Runs.KIB).ladder();
        String svg = LadderSvg.write(ladder);
        String text = LadderText.write(ladder, true);
        String mermaid = LadderMermaid.write(ladder);
        for (Ladder.Arrow a : ladder.arrows()) {
            assertThat(svg).contains(a.label() + " (" + a.trips() + ")");
            assertThat(text).contains(" " + a.label() + " ");
            assertThat(mermaid)
                    .contains(ladder.hosts().get(a.from()) + (a.isOfNic() ? "-->>" : "->>")
                            + ladder.hosts().get(a.to()) + ": " + a.label());
        }
        assertThat(text.lines().count()).isEqualTo(ladder.arrows().size() + 3L);
        assertThat(text).contains("ACK of WRITE").contains("RDMA WRITE: chunk, 65536 B");
        var parsed =
                DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(svg)));
        assertThat(parsed.getDocumentElement().getTagName()).isEqualTo("svg");
    }

    /** What belongs to no operation is grey in a diagram, and can be left out. */
    @Test
    void heartbeatsAreBeside() {
        LoadSpec load = LoadSpec.of(LoadSpec.Op.WRITE, 4096, 60, 1);
        Ladder all = new StorageRun(Runs.spec("3fs", load, 1)).draw().ladder();
        assertThat(all.arrows()).anyMatch(a -> a.aside() && a.label().contains("credit"));
        assertThat(all.withoutAsides().arrows()).noneMatch(Ladder.Arrow::aside);
    }

    @Test
    void theNameOfAFileTellsItsForm() {
        assertThat(LadderFile.of(Path.of("a.b.svg"))).isEqualTo(LadderFile.SVG);
        assertThat(LadderFile.of(Path.of("x.mmd"))).isEqualTo(LadderFile.MMD);
        assertThatThrownBy(() -> LadderFile.of(Path.of("x.png"))).hasMessageContaining(".svg, .txt or .mmd");
    }
}
