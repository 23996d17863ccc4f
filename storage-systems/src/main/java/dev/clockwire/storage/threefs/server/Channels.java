package dev.clockwire.storage.threefs.server;

import dev.clockwire.storage.threefs.rpc.Message;
import dev.clockwire.storage.threefs.rpc.Status;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What became of the last request of each channel of each client: a request that comes again is answered from here, not carried out twice. In memory
 * only, as in 3FS: a node that restarts has forgotten it.
 */
class Channels {
    private final Map<String, Entry> entries = new TreeMap<>();

    /** One channel. */
    static final class Entry {
        private long sequence;
        private long request;
        private boolean locked;
        private @Nullable Message result;
    }

    /** Returns the channel of a request, made if it is new. */
    Entry of(Message m) {
        return entries.computeIfAbsent(m.chain + "/" + m.client + "/" + m.channel, k -> new Entry());
    }

    /**
     * Begins a request, and locks its channel.
     *
     * @return null if it is to be carried out, else how it is answered
     */
    @Nullable
    Message begin(Entry e, Message m) {
        if (e.locked) {
            return new Message().answers(m, Status.CHANNEL_IS_LOCKED);
        }
        if (m.sequence < e.sequence) {
            return new Message().answers(m, Status.DUPLICATE_UPDATE);
        }
        Message done = e.result;
        if (m.sequence == e.sequence && m.request == e.request && done != null && done.status == Status.OK) {
            if (m.updateVer == 0 || m.updateVer == done.updateVer) {
                Message again = new Message().answers(m, Status.OK);
                again.updateVer = done.updateVer;
                again.commitVer = done.commitVer;
                again.commitChainVer = done.commitChainVer;
                again.checksum = done.checksum;
                return again;
            }
        }
        e.sequence = m.sequence;
        e.request = m.request;
        e.result = null;
        e.locked = true;
        return null;
    }

    /** Ends a request, and unlocks its channel. */
    void end(Entry e, @Nullable Message result) {
        e.locked = false;
        e.result = result;
    }
}
