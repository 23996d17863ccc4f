package dev.clockwire.roce.verbs;

import dev.clockwire.roce.transport.WcStatus;
import dev.clockwire.sim.mem.Hold;
import dev.clockwire.sim.mem.Ownership;
import dev.clockwire.sim.mem.Release;
import java.util.ArrayList;
import java.util.List;

/** The receives of a queue whose buffers the device owns. */
final class PostedReceives {
    private final PostedMemory memory;
    private final int number;
    private final boolean shared;
    private final List<Receive> posted = new ArrayList<>();

    private record Receive(long wrId, Ownership owner) {}

    PostedReceives(PostedMemory memory, int number, boolean shared) {
        this.memory = memory;
        this.number = number;
        this.shared = shared;
    }

    boolean isShared() {
        return shared;
    }

    boolean isEmpty() {
        return posted.isEmpty();
    }

    void post(ReceiveEntry wr) {
        Ownership owner = memory.sanitizer().post(Hold.DEVICE_WRITES, memory.device(), number, shared, "RECV", wr.wrId);
        memory.cover(owner, wr.sges());
        posted.add(new Receive(wr.wrId, owner));
    }

    /** Those of a shared queue complete in any order: the number that the program gave says which. */
    void completed(WorkCompletion wc) {
        int i = 0;
        while (i < posted.size() && posted.get(i).wrId != wc.wrId) {
            i++;
        }
        if (i < posted.size()) {
            Release how = wc.status == WcStatus.SUCCESS ? Release.COMPLETED : Release.FAILED;
            memory.sanitizer().release(posted.remove(i).owner, how);
        }
    }

    /** The queue was emptied. */
    void reset() {
        posted.forEach(r -> memory.sanitizer().release(r.owner, Release.RESET));
        posted.clear();
    }
}
