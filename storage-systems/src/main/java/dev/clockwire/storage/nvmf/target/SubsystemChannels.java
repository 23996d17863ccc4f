package dev.clockwire.storage.nvmf.target;

import dev.clockwire.storage.bdev.BdevChannel;
import dev.clockwire.storage.nvmf.subsystem.Namespace;
import dev.clockwire.storage.nvmf.subsystem.Subsystem;
import dev.clockwire.storage.reactor.IoChannel;
import org.jspecify.annotations.Nullable;

/** A poll group's channels to the namespaces of a subsystem, opened at their first use. */
final class SubsystemChannels {
    private final PollGroup group;
    private final Subsystem subsystem;
    private final @Nullable IoChannel<BdevChannel>[] byNsid;

    @SuppressWarnings({"unchecked", "rawtypes"}) // arrays know no type arguments
    SubsystemChannels(PollGroup group, Subsystem subsystem) {
        this.group = group;
        this.subsystem = subsystem;
        byNsid = new IoChannel[subsystem.lastNsid() + 1];
    }

    Subsystem subsystem() {
        return subsystem;
    }

    /** Returns the channel to a namespace, null if there is no namespace of this number. */
    @Nullable
    BdevChannel channel(int nsid) {
        if (nsid < 1 || nsid >= byNsid.length) {
            return null;
        }
        IoChannel<BdevChannel> open = byNsid[nsid];
        if (open != null) {
            return open.context();
        }
        Namespace n = subsystem.namespace(nsid);
        if (n == null) {
            return null;
        }
        IoChannel<BdevChannel> made = group.thread().channels().get(n.bdev());
        byNsid[nsid] = made;
        return made.context();
    }

    boolean isOpen(int nsid) {
        return byNsid[nsid] != null;
    }

    /** A namespace is another one, or none: its channel goes when the I/Os that are under way have ended. */
    void forget(int nsid) {
        IoChannel<BdevChannel> open = byNsid[nsid];
        if (open != null) {
            byNsid[nsid] = null;
            group.later(() -> close(open));
        }
    }

    private void close(IoChannel<BdevChannel> old) {
        if (old.context().outstanding() + old.context().waiting() > 0) {
            group.later(() -> close(old));
        } else {
            group.thread().channels().put(old);
        }
    }
}
