package dev.clockwire.storage.nvmf.subsystem;

import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.storage.bdev.Bdev;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Namespaces that hosts reach under one name, where they may reach them, and who may. */
public final class Subsystem {
    /** Who claims the block devices of namespaces. */
    public static final String CLAIM = "NVMe-oF Target";

    /** What it is. */
    public enum Kind {
        /** It says where others are. */
        DISCOVERY,
        /** It has namespaces. */
        NVME
    }

    /** Is told of changes. */
    public interface Changes {
        /** Something that the discovery log says has changed: a listener or the allowed hosts. */
        void reachable(Subsystem what);

        /** A host is not allowed by name any more. */
        void refused(Subsystem by, String host);

        /** A namespace has come or gone. */
        void namespaces(Subsystem what, int nsid);
    }

    private final SubsystemSpec spec;
    private final Kind kind;
    private final Changes changes;
    private final @Nullable Namespace[] namespaces;
    private final List<TransportId> listeners = new ArrayList<>();
    private final List<String> hosts = new ArrayList<>();
    private boolean allowAnyHost;

    /** Creates a subsystem without namespaces, listeners and hosts. */
    public Subsystem(SubsystemSpec spec, Kind kind, Changes changes) {
        this.spec = spec;
        this.kind = kind;
        this.changes = changes;
        namespaces = new @Nullable Namespace[spec.maxNamespaces() + 1];
        allowAnyHost = spec.allowAnyHost();
    }

    /** Returns the name. */
    public String nqn() {
        return spec.nqn();
    }

    /** Returns what it was made with. */
    public SubsystemSpec spec() {
        return spec;
    }

    /** Returns what it is. */
    public Kind kind() {
        return kind;
    }

    /**
     * Adds a namespace and claims its device.
     *
     * @throws ConfigurationException if the number is taken or above the largest, there is none left, the device is claimed, or this is no NVM
     *     subsystem
     */
    public Namespace addNamespace(Bdev bdev, NamespaceSpec wanted) {
        if (kind != Kind.NVME) {
            throw new ConfigurationException("subsystem " + nqn() + " has no namespaces: it is for discovery");
        }
        int nsid = wanted.nsid() == 0 ? firstFree() : wanted.nsid();
        if (nsid >= namespaces.length) {
            throw new ConfigurationException(
                    "nsid " + nsid + " of subsystem " + nqn() + " is not in 1.." + (namespaces.length - 1));
        }
        if (namespaces[nsid] != null) {
            throw new ConfigurationException("nsid " + nsid + " of subsystem " + nqn() + " is taken");
        }
        bdev.claim(CLAIM);
        Namespace made = Namespace.of(nqn(), nsid, bdev, wanted);
        namespaces[nsid] = made;
        changes.namespaces(this, nsid);
        return made;
    }

    private int firstFree() {
        int n = 1;
        while (n < namespaces.length && namespaces[n] != null) {
            n++;
        }
        return n;
    }

    /**
     * Takes a namespace away.
     *
     * @throws ConfigurationException if there is none of that number
     */
    public void removeNamespace(int nsid) {
        Namespace old = namespace(nsid);
        if (old == null) {
            throw new ConfigurationException("subsystem " + nqn() + " has no namespace " + nsid);
        }
        old.bdev().release();
        namespaces[nsid] = null;
        changes.namespaces(this, nsid);
    }

    /** Returns a namespace, null if there is none of that number. */
    public @Nullable Namespace namespace(int nsid) {
        return nsid > 0 && nsid < namespaces.length ? namespaces[nsid] : null;
    }

    /** Returns the namespaces by number. */
    public List<Namespace> namespaces() {
        List<Namespace> all = new ArrayList<>();
        for (Namespace n : namespaces) {
            if (n != null) {
                all.add(n);
            }
        }
        return all;
    }

    /** Returns the largest number that a namespace can have. */
    public int lastNsid() {
        return namespaces.length - 1;
    }

    /** Notes an address; the target listens there. */
    public void addListener(TransportId at) {
        if (listeners.contains(at)) {
            throw new ConfigurationException("subsystem " + nqn() + " listens at " + at + " already");
        }
        listeners.add(at);
        changes.reachable(this);
    }

    /**
     * Forgets an address.
     *
     * @throws ConfigurationException if it did not listen there
     */
    public void removeListener(TransportId at) {
        if (!listeners.remove(at)) {
            throw new ConfigurationException("subsystem " + nqn() + " does not listen at " + at);
        }
        changes.reachable(this);
    }

    /** Returns the addresses in the order they came. */
    public List<TransportId> listeners() {
        return List.copyOf(listeners);
    }

    /** Lets hosts in that are not named, or not. */
    public void allowAnyHost(boolean allowed) {
        allowAnyHost = allowed;
        changes.reachable(this);
    }

    /** Returns whether hosts need not be named. */
    public boolean allowsAnyHost() {
        return allowAnyHost;
    }

    /**
     * Names a host that may connect.
     *
     * @throws ConfigurationException if it is named already, or the name is none
     */
    public void addHost(String nqn) {
        SubsystemSpec.requireNqn(nqn);
        if (hosts.contains(nqn)) {
            throw new ConfigurationException("host " + nqn + " is allowed in subsystem " + nqn() + " already");
        }
        hosts.add(nqn);
        changes.reachable(this);
    }

    /**
     * Takes a host's permission; its connections live on.
     *
     * @throws ConfigurationException if it had none
     */
    public void removeHost(String nqn) {
        if (!hosts.remove(nqn)) {
            throw new ConfigurationException("host " + nqn + " is not allowed in subsystem " + nqn());
        }
        changes.reachable(this);
        changes.refused(this, nqn); // also if any host may come: SPDK ends its sessions, too
    }

    /** Returns the hosts that are named, in the order they came. */
    public List<String> hosts() {
        return List.copyOf(hosts);
    }

    /** Returns whether a host may connect. */
    public boolean allows(String host) {
        return allowAnyHost || kind == Kind.DISCOVERY || hosts.contains(host);
    }

    @Override
    public String toString() {
        return nqn();
    }
}
