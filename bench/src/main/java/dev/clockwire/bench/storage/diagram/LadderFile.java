package dev.clockwire.bench.storage.diagram;

import dev.clockwire.sim.error.ConfigurationException;
import java.nio.file.Path;
import java.util.Locale;

/** What a ladder is written as, told by the end of the file's name. */
public enum LadderFile {
    /** Plain text. */
    TXT,
    /** A picture. */
    SVG,
    /** A sequence diagram of Mermaid. */
    MMD;

    /**
     * Returns what a file of a name holds.
     *
     * @throws ConfigurationException if its end says nothing
     */
    public static LadderFile of(Path file) {
        String name = file.toString();
        for (LadderFile f : values()) {
            if (name.endsWith("." + f.name().toLowerCase(Locale.ROOT))) {
                return f;
            }
        }
        throw new ConfigurationException("diagram " + file + ": the name must end with .svg, .txt or .mmd");
    }

    /** Returns the content. */
    public String write(Ladder ladder) {
        return switch (this) {
            case TXT -> LadderText.write(ladder, true);
            case SVG -> LadderSvg.write(ladder);
            case MMD -> LadderMermaid.write(ladder);
        };
    }
}
