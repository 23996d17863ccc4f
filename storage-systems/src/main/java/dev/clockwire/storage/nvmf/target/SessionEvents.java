package dev.clockwire.storage.nvmf.target;

import dev.clockwire.nvme.fabrics.DiscoveryLog;
import dev.clockwire.nvme.format.NvmeStatus;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Asynchronous event requests that wait for an event, and events that wait for one. A kind is told once until its log page is read. */
final class SessionEvents {
    /** Requests that a host may have waiting. */
    static final int LIMIT = 4;

    static final int NAMESPACE_LOG = 0x04;
    private static final int NOTICE = 2;
    private static final int NAMESPACE = 1 << 8;
    private static final int DISCOVERY = 1 << 31;
    private static final int DISCOVERY_INFO = 0xF0;
    private static final int MOST_NAMESPACES = 1024;

    private final Controller controller;
    private final @Nullable NvmfRequest[] waiting = new @Nullable NvmfRequest[LIMIT];
    private final int[] changed = new int[MOST_NAMESPACES];
    private int count;
    private int changedCount;
    private boolean namespaceDue;
    private boolean namespaceTold;
    private boolean discoveryDue;
    private boolean discoveryTold;

    SessionEvents(Controller controller) {
        this.controller = controller;
    }

    void request(NvmfRequest r) {
        if (count == LIMIT) {
            r.refuse(NvmeStatus.EVENT_LIMIT);
            return;
        }
        waiting[count++] = r;
        tell();
    }

    /** A namespace has come or gone; all of them if too many have. */
    void namespaceChanged(int nsid) {
        if (changedCount < MOST_NAMESPACES) {
            changed[changedCount++] = nsid;
        }
        namespaceDue = (controller.features().events() & NAMESPACE) != 0;
        tell();
    }

    void discoveryChanged() {
        discoveryDue = (controller.features().events() & DISCOVERY) != 0;
        tell();
    }

    private void tell() {
        if (namespaceDue && !namespaceTold && count > 0) {
            namespaceDue = false;
            namespaceTold = true;
            end(NOTICE | NAMESPACE_LOG << 16);
        }
        if (discoveryDue && !discoveryTold && count > 0) {
            discoveryDue = false;
            discoveryTold = true;
            end(NOTICE | DISCOVERY_INFO << 8 | DiscoveryLog.PAGE << 16);
        }
    }

    private void end(int result) {
        NvmfRequest r = waiting[--count];
        waiting[count] = null;
        if (r != null) {
            r.result = result & 0xFFFF_FFFFL;
            r.end(0);
        }
    }

    /** A log page was read: its event may come again. */
    void read(int page) {
        if (page == NAMESPACE_LOG) {
            namespaceTold = false;
            changedCount = 0;
        } else if (page == DiscoveryLog.PAGE) {
            discoveryTold = false;
        }
        tell();
    }

    /** Returns the namespaces that have come or gone since their log was read, in ascending order. */
    int[] changedNamespaces() {
        int[] copy = Arrays.copyOf(changed, changedCount);
        Arrays.sort(copy);
        return copy;
    }

    /** Ends a request that waits; returns whether there was one of this number. */
    boolean abort(int cid) {
        for (int i = 0; i < count; i++) {
            NvmfRequest r = waiting[i];
            if (r != null && r.cmd.cid() == cid) {
                System.arraycopy(waiting, i + 1, waiting, i, count - i - 1);
                waiting[--count] = null;
                r.end(NvmeStatus.ABORTED);
                return true;
            }
        }
        return false;
    }

    /** The admin queue goes: those that wait end without being answered. */
    void drop() {
        while (count > 0) {
            NvmfRequest r = waiting[--count];
            waiting[count] = null;
            if (r != null) {
                r.end(NvmeStatus.ABORTED_SQ_DELETED);
            }
        }
    }
}
