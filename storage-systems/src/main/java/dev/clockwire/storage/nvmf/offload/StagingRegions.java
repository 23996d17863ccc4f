package dev.clockwire.storage.nvmf.offload;

import dev.clockwire.roce.verbs.Completion;
import dev.clockwire.roce.verbs.MemoryRegion;
import dev.clockwire.roce.verbs.ProtectionDomain;
import java.util.ArrayList;
import java.util.List;

/** The memory that data pass through, registered in each domain: once if it is the host's, for each SSD if it is theirs. */
final class StagingRegions {
    private final OffloadSsds ssds;
    private final Runnable changed;
    private final List<Region> regions = new ArrayList<>();

    private record Region(ProtectionDomain pd, int number, Completion<MemoryRegion> registered) {}

    /** Keeps none; {@code changed} is told when there is one more of an SSD. */
    StagingRegions(OffloadSsds ssds, Runnable changed) {
        this.ssds = ssds;
        this.changed = changed;
    }

    /** Returns that for an SSD, which is registered when it is first asked for. */
    Completion<MemoryRegion> of(ProtectionDomain pd, int disk) {
        int number = ssds.isInHost() ? 0 : disk;
        for (Region r : regions) {
            if (r.pd() == pd && r.number() == number) {
                return r.registered();
            }
        }
        Completion<MemoryRegion> made = ssds.register(pd, disk);
        regions.add(new Region(pd, number, made));
        if (!ssds.isInHost()) {
            made.whenDone(r -> changed.run());
        }
        return made;
    }

    /** A domain goes. */
    void leave(ProtectionDomain pd) {
        for (Region r : List.copyOf(regions)) {
            if (r.pd() == pd) {
                regions.remove(r);
                r.registered().whenDone(MemoryRegion::close);
            }
        }
    }
}
