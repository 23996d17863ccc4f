package dev.clockwire.testkit.nic;

import dev.clockwire.nic.lab.FabricLab;
import dev.clockwire.nic.lab.Lab;
import dev.clockwire.nic.lab.LabSanitizer;
import dev.clockwire.nic.lab.StarLab;
import dev.clockwire.sim.mem.MemoryFinding;
import java.util.List;

/**
 * What tests say of who accessed the memory of a lab that was built {@code withSanitizer(true)}:
 * {@code assertThatMemory(lab).hasNoLateAccess()}.
 */
public final class MemoryAssert {
    private static final int SHOWN = 8;

    private final LabSanitizer sanitizer;

    private MemoryAssert(LabSanitizer sanitizer) {
        this.sanitizer = sanitizer;
    }

    /** Starts an assertion about two hosts. */
    public static MemoryAssert assertThatMemory(Lab lab) {
        return new MemoryAssert(lab.sanitizer());
    }

    /** Starts an assertion about a star of hosts. */
    public static MemoryAssert assertThatMemory(StarLab lab) {
        return new MemoryAssert(lab.sanitizer());
    }

    /** Starts an assertion about the hosts of a fabric. */
    public static MemoryAssert assertThatMemory(FabricLab lab) {
        return new MemoryAssert(lab.sanitizer());
    }

    /** Says that nobody accessed what belonged to somebody else; the error names the first who did. */
    public void hasNoLateAccess() {
        if (sanitizer.count() > 0) {
            throw new AssertionError("expected no access to memory that is somebody else's, found " + text());
        }
    }

    /** Says that there was one finding, and returns it. */
    public MemoryFinding hasOneLateAccess() {
        if (sanitizer.count() != 1) {
            throw new AssertionError("expected one access to memory that is somebody else's, found " + text());
        }
        return sanitizer.findings().get(0);
    }

    private String text() {
        List<MemoryFinding> all = sanitizer.findings();
        StringBuilder text = new StringBuilder(String.valueOf(sanitizer.count()));
        all.stream().limit(SHOWN).forEach(f -> text.append("\n  ").append(f));
        return text.append(all.size() > SHOWN ? "\n  ..." : "").toString();
    }
}
