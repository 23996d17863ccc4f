package dev.clockwire.storage.check.monitor;

import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Tells the events of a store to all monitors, and then notes them. With no event nothing is paid. */
public final class Monitors implements ProtocolEvents, State {
    private final Replicas replicas = new Replicas();
    private final Findings findings;
    private final List<ProtocolEvents> all = new ArrayList<>();

    /** Creates the monitors of all invariants. */
    public Monitors() {
        this(EnumSet.allOf(Invariant.class));
    }

    /**
     * Creates the monitors of some invariants.
     *
     * @param watched those that the system promises; one whose versions are clocks does not keep VER-1, say
     */
    public Monitors(Set<Invariant> watched) {
        findings = new Findings(watched);
        all.add(new VersionMonitor(replicas, findings));
        all.add(new PrefixMonitor(replicas, findings));
        all.add(new AgreementMonitor(replicas, findings));
        all.add(new DurabilityMonitor(replicas, findings));
        all.add(new MembershipMonitor(replicas, findings));
        all.add(new SyncMonitor(replicas, findings));
        all.add(new OnceMonitor(replicas, findings));
        all.add(new ReadMonitor(replicas, findings));
        all.add(new PoolMonitor(replicas, findings));
    }

    /** Adds a monitor of a system's own. */
    public void add(Monitor monitor) {
        all.add(monitor);
    }

    /** Returns what is known by the events so far. */
    public Replicas replicas() {
        return replicas;
    }

    /** Returns what was found. */
    public Findings findings() {
        return findings;
    }

    @Override
    public void table(long ps, int chain, long chainVer, List<Integer> nodes, List<TargetState> states) {
        ChainTable next = new ChainTable(chainVer, nodes, states);
        for (int i = 0; i < all.size(); i++) {
            all.get(i).table(ps, chain, chainVer, nodes, states);
        }
        replicas.chain(chain).add(next);
    }

    @Override
    public void adopted(long ps, int node, int chain, long chainVer) {
        for (int i = 0; i < all.size(); i++) {
            all.get(i).adopted(ps, node, chain, chainVer);
        }
        replicas.chain(chain).adopt(node, chainVer);
    }

    @Override
    public void crashed(long ps, int node) {
        for (int i = 0; i < all.size(); i++) {
            all.get(i).crashed(ps, node);
        }
        replicas.crashed(node);
    }

    @Override
    public void headed(long ps, int node, int chain, long chainVer) {
        for (int i = 0; i < all.size(); i++) {
            all.get(i).headed(ps, node, chain, chainVer);
        }
        replicas.chain(chain).head(node, chainVer);
    }

    @Override
    public void admitted(long ps, int node, int chain) {
        for (int i = 0; i < all.size(); i++) {
            all.get(i).admitted(ps, node, chain);
        }
    }

    @Override
    public void executed(long ps, int node, int chain, long key, Request request, long version) {
        for (int i = 0; i < all.size(); i++) {
            all.get(i).executed(ps, node, chain, key, request, version);
        }
        replicas.requests().executed(node, chain, request, version);
    }

    @Override
    public void updated(long ps, int node, int chain, long key, long version) {
        for (int i = 0; i < all.size(); i++) {
            all.get(i).updated(ps, node, chain, key, version);
        }
        int chunk = replicas.chunk(chain, key);
        replicas.copiesWithRoom(node).update(chunk, version);
    }

    @Override
    public void committed(long ps, int node, int chain, long key, long chainVer, long version, long digest) {
        for (int i = 0; i < all.size(); i++) {
            all.get(i).committed(ps, node, chain, key, chainVer, version, digest);
        }
        int chunk = replicas.chunk(chain, key);
        replicas.copiesWithRoom(node).commit(chunk, version, chainVer, digest);
    }

    @Override
    public void replaced(long ps, int node, int chain, long key, long chainVer, long version, long digest) {
        for (int i = 0; i < all.size(); i++) {
            all.get(i).replaced(ps, node, chain, key, chainVer, version, digest);
        }
        set(node, chain, key, chainVer, version, digest);
    }

    @Override
    public void removed(long ps, int node, int chain, long key) {
        for (int i = 0; i < all.size(); i++) {
            all.get(i).removed(ps, node, chain, key);
        }
        if (replicas.serves(node, chain, replicas.adopted(node, chain))) {
            replicas.forgetAcked(replicas.chunk(chain, key));
        }
        set(node, chain, key, 0, 0, 0);
    }

    private void set(int node, int chain, long key, long chainVer, long version, long digest) {
        int chunk = replicas.chunk(chain, key);
        Copies copies = replicas.copiesWithRoom(node);
        copies.update(chunk, version);
        copies.commit(chunk, version, chainVer, digest);
    }

    @Override
    public void acked(long ps, int client, int chain, long key, long chainVer, long version) {
        for (int i = 0; i < all.size(); i++) {
            all.get(i).acked(ps, client, chain, key, chainVer, version);
        }
        replicas.acked(replicas.chunk(chain, key), version);
    }

    @Override
    public void served(long ps, int node, int chain, long key, long version, long digest, long beganPs) {
        for (int i = 0; i < all.size(); i++) {
            all.get(i).served(ps, node, chain, key, version, digest, beganPs);
        }
        int chunk = replicas.chunk(chain, key);
        replicas.copiesWithRoom(node).serve(chunk, version, ps);
    }

    @Override
    public void pooled(long ps, int node, String pool, int free, int most) {
        for (int i = 0; i < all.size(); i++) {
            all.get(i).pooled(ps, node, pool, free, most);
        }
    }

    @Override
    public void quiescent(long ps) {
        for (int i = 0; i < all.size(); i++) {
            all.get(i).quiescent(ps);
        }
    }

    @Override
    public void save(Snapshot out) {
        replicas.save(out);
        findings.save(out);
    }

    @Override
    public void load(Snapshot in) {
        replicas.load(in);
        findings.load(in);
    }
}
