package dev.clockwire.bench.storage.diagram;

import java.util.Locale;

/** A ladder as a sequence diagram of Mermaid, which code hosts draw. */
public final class LadderMermaid {
    private LadderMermaid() {}

    /** Returns the diagram. */
    public static String write(Ladder ladder) {
        StringBuilder out = new StringBuilder("sequenceDiagram\n");
        ladder.hosts().forEach(h -> out.append("    participant ").append(h).append('\n'));
        for (Ladder.Arrow a : ladder.arrows()) {
            out.append(String.format(
                    Locale.ROOT,
                    "    %s%s%s: %s (%.2f us, trip %d)%n",
                    ladder.hosts().get(a.from()),
                    a.isOfNic() ? "-->>" : "->>",
                    ladder.hosts().get(a.to()),
                    a.label(),
                    a.arrivedUs(),
                    a.trips()));
        }
        return out.toString().replace(System.lineSeparator(), "\n");
    }
}
