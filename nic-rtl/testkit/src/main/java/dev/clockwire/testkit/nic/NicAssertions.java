package dev.clockwire.testkit.nic;

import dev.clockwire.nic.lab.FabricLab;
import dev.clockwire.nic.lab.Lab;
import dev.clockwire.nic.lab.LabHost;
import dev.clockwire.nic.lab.StarLab;
import dev.clockwire.roce.verbs.WorkCompletion;

/**
 * Assertions about labs, in AssertJ's manner; import them statically beside AssertJ's own and those of {@code SimAssertions}. Their errors
 * name the host.
 */
public final class NicAssertions {
    private NicAssertions() {}

    /** Starts an assertion about the end of a work request. */
    public static CompletionAssert assertThat(WorkCompletion completion) {
        return new CompletionAssert(completion, "");
    }

    /** Starts an assertion about one side of a pair. */
    public static SideAssert assertThat(Pair.Side side) {
        return new SideAssert(side);
    }

    /** Starts an assertion about the packets on the line. */
    public static FrameAssert assertThat(FrameLog frames) {
        return FrameAssert.of(frames);
    }

    /** Starts an assertion about bytes in the memory of a host. */
    public static BytesAssert assertThatMemory(LabHost host, long address, int length) {
        byte[] found = new byte[length];
        host.host().memory().getBytes(address, found, 0, length);
        return new BytesAssert(found, host.name(), address);
    }

    /** Starts an assertion about who accessed the memory of two hosts; see {@link MemoryAssert}. */
    public static MemoryAssert assertThatMemory(Lab lab) {
        return MemoryAssert.assertThatMemory(lab);
    }

    /** Starts an assertion about who accessed the memory of a star of hosts. */
    public static MemoryAssert assertThatMemory(StarLab lab) {
        return MemoryAssert.assertThatMemory(lab);
    }

    /** Starts an assertion about who accessed the memory of the hosts of a fabric. */
    public static MemoryAssert assertThatMemory(FabricLab lab) {
        return MemoryAssert.assertThatMemory(lab);
    }
}
