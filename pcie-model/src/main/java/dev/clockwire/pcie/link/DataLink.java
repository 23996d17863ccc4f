package dev.clockwire.pcie.link;

import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.SimNode;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import org.jspecify.annotations.Nullable;

/** The data link layer of one end: what it has sent, what it has taken, and the errors it has corrected. */
final class DataLink implements State {
    final Retransmitter retransmitter;
    final LinkErrors errors;

    private final SimNode owner;
    private final String name;
    private final LinkDirection own;
    private final BitErrors damage;
    private final LostUpdates lost;
    private @Nullable LinkReceiver receiver;

    DataLink(SimNode owner, String name, LinkDirection own, PcieLinkSpec link, DataLinkSpec spec, boolean upstream) {
        this.owner = owner;
        this.name = name;
        this.own = own;
        String path = owner.path() + "." + name;
        damage = new BitErrors(spec, !upstream, owner.sim().random(path + ".errors")); // what comes, not what leaves
        errors = new LinkErrors(owner.sim().stats(), path, damage);
        lost = new LostUpdates(owner, name + "Updates", own);
        retransmitter = new Retransmitter(own, owner, name, link, spec, errors, damage);
    }

    /** Returns where the other end is to send packets that the transaction layer takes at a port. */
    EventPort receive(LinkDirection from, EventPort arrivals) {
        LinkReceiver r = new LinkReceiver(owner, name, from, own, arrivals, errors, damage);
        receiver = r;
        return r.port();
    }

    /** Takes a credit update; returns whether it arrived in order, and then gives what earlier ones had said. */
    boolean updated(int flowClass, int headers, int data) {
        if (damage.dllp()) {
            errors.report(LinkError.BAD_DLLP);
            lost.add(flowClass, headers, data);
            return false;
        }
        lost.repair(flowClass);
        return true;
    }

    @Override
    public void save(Snapshot out) {
        retransmitter.save(out);
        errors.save(out);
        damage.save(out);
        lost.save(out);
        if (receiver != null) {
            receiver.save(out);
        }
    }

    @Override
    public void load(Snapshot in) {
        retransmitter.load(in);
        errors.load(in);
        damage.load(in);
        lost.load(in);
        if (receiver != null) {
            receiver.load(in);
        }
    }
}
