package dev.clockwire.nvme.ctrl;

import dev.clockwire.nvme.media.MediaProfiles;
import dev.clockwire.nvme.media.MediaSpec;
import dev.clockwire.pcie.link.PcieLinkSpec;
import dev.clockwire.sim.error.ConfigurationException;
import java.util.List;

/**
 * What an SSD is.
 *
 * @param model model number, up to 40 characters
 * @param serial serial number, up to 20 characters
 * @param link PCIe link it is made for
 * @param media how long it takes
 * @param namespaces one or more, numbered from 1
 * @param ioQueues I/O queue pairs, 1 to 1023
 * @param entries largest queue, 2 to 65536
 * @param commands that it works on at a time, 1 to 65536
 * @param fetches reads of submission entries that it has under way, 1 to 64
 * @param dataReads MRd packets that it has under way for data, 1 to 1024
 * @param transferPages most pages of 4 KiB that a command moves, a power of two, 0 = any number
 * @param enablePs from CC.EN to CSTS.RDY, 1 ps to 10 s
 * @param mediaPs from there until the medium can be used, 0 to 10 s; 0 = it is ready with the controller
 * @param memory that others reach, such as a controller memory buffer
 */
public record NvmeSpec(
        String model,
        String serial,
        PcieLinkSpec link,
        MediaSpec media,
        List<NamespaceSpec> namespaces,
        int ioQueues,
        int entries,
        int commands,
        int fetches,
        int dataReads,
        int transferPages,
        long enablePs,
        long mediaPs,
        MemorySpec memory) {
    private static final long MAX_PS = 10_000_000_000_000L;
    private static final long MS = 1_000_000_000L;
    private static final int MODEL = 40;
    private static final int SERIAL = 20;

    /** Checks the ranges. */
    public NvmeSpec {
        namespaces = List.copyOf(namespaces);
        range("length of the model's name", model.length(), 1, MODEL);
        range("length of the serial number", serial.length(), 1, SERIAL);
        range("number of namespaces", namespaces.size(), 1, 1024);
        range("I/O queues", ioQueues, 1, 1023);
        range("entries of a queue", entries, 2, 1 << 16);
        range("commands at a time", commands, 1, 1 << 16);
        range("fetches at a time", fetches, 1, 64);
        range("reads of data at a time", dataReads, 1, 1024);
        range("pages of a transfer", transferPages, 0, 1 << 20);
        range("time to become ready in ps", enablePs, 1, MAX_PS);
        range("time of the medium to become ready in ps", mediaPs, 0, MAX_PS);
        if (transferPages != 0 && Integer.bitCount(transferPages) != 1) {
            throw new ConfigurationException("pages of a transfer " + transferPages + ": must be a power of two");
        }
    }

    private static void range(String what, long value, long low, long high) {
        if (value < low || value > high) {
            throw new ConfigurationException("SSD: " + what + " " + value + " is not in " + low + ".." + high);
        }
    }

    /** Returns an SSD of 64 GiB on four lanes of generation 4, or 3 for the medium of 2017. */
    public static NvmeSpec of(String media) {
        MediaSpec spec = MediaProfiles.named(media);
        int generation = media.equals("p4800x") ? 3 : 4;
        return new NvmeSpec(
                "Clockwire " + media,
                "CW0001",
                PcieLinkSpec.of(generation, 4),
                spec,
                List.of(new NamespaceSpec(512, 1L << 27)),
                127,
                1024,
                1024,
                4,
                32,
                32,
                MS,
                0,
                MemorySpec.NONE);
    }

    /** Returns a copy with other namespaces. */
    public NvmeSpec withNamespaces(List<NamespaceSpec> other) {
        Draft d = new Draft(this);
        d.namespaces = other;
        return d.done();
    }

    /** Returns a copy with other media. */
    public NvmeSpec withMedia(MediaSpec other) {
        Draft d = new Draft(this);
        d.media = other;
        return d.done();
    }

    /** Returns a copy that works on other numbers of commands, and has other largest queues. */
    public NvmeSpec withDepth(int largestQueue, int atATime) {
        Draft d = new Draft(this);
        d.entries = largestQueue;
        d.commands = atATime;
        return d.done();
    }

    /** Returns a copy with a controller memory buffer. */
    public NvmeSpec withControllerMemory(long bytes) {
        return withMemory(new MemorySpec(bytes, memory.pmrBytes(), memory.speed()));
    }

    /** Returns a copy with a persistent memory region. */
    public NvmeSpec withPersistentMemory(long bytes) {
        return withMemory(new MemorySpec(memory.cmbBytes(), bytes, memory.speed()));
    }

    /** Returns a copy with other memory. */
    public NvmeSpec withMemory(MemorySpec other) {
        Draft d = new Draft(this);
        d.memory = other;
        return d.done();
    }

    /**
     * Returns a copy whose medium takes longer to become ready than its controller. As of NVMe 2.0 a host chooses by CC.CRIME what CSTS.RDY waits
     * for; what needs the medium too early ends with Namespace Not Ready.
     */
    public NvmeSpec withMediaReady(long ps) {
        Draft d = new Draft(this);
        d.mediaPs = ps;
        return d.done();
    }

    /** What copies change. */
    private static final class Draft {
        private final NvmeSpec from;
        private MediaSpec media;
        private List<NamespaceSpec> namespaces;
        private int entries;
        private int commands;
        private long mediaPs;
        private MemorySpec memory;

        Draft(NvmeSpec from) {
            this.from = from;
            media = from.media;
            namespaces = from.namespaces;
            entries = from.entries;
            commands = from.commands;
            mediaPs = from.mediaPs;
            memory = from.memory;
        }

        NvmeSpec done() {
            return new NvmeSpec(
                    from.model,
                    from.serial,
                    from.link,
                    media,
                    namespaces,
                    from.ioQueues,
                    entries,
                    commands,
                    from.fetches,
                    from.dataReads,
                    from.transferPages,
                    from.enablePs,
                    mediaPs,
                    memory);
        }
    }
}
