package dev.clockwire.pcie.fabric;

import dev.clockwire.pcie.link.FlowCredits;
import dev.clockwire.pcie.link.LinkDirection;
import dev.clockwire.pcie.link.LinkEnd;
import dev.clockwire.pcie.link.LinkRate;
import dev.clockwire.pcie.link.PcieLinkSpec;
import dev.clockwire.pcie.link.TlpTrain;
import dev.clockwire.pcie.link.TrainPool;
import dev.clockwire.pcie.tlp.FlowClass;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.error.InvariantViolation;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import dev.clockwire.sim.state.Token;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One port of a switch: the end of a link. What arrives waits for its way through the switch and keeps the credits of this port until
 * its last bit has left at another one.
 */
final class SwitchPort implements LinkEnd, State {
    private final PcieSwitch owner;
    private final int index;
    private final String name;
    private final PcieLinkSpec link;
    private final TrainPool pool;
    private final LinkDirection out;
    private final LinkRate rate;
    private final boolean[] counted = new boolean[FlowClass.COUNT];
    private final EventPort arrivals;
    private final EventPort ready;
    private final EventPort done;
    /** Copies of completions of which more packets are to come. */
    private final List<TlpTrain> open = new ArrayList<>();

    private @Nullable LinkDirection neighbour;

    SwitchPort(PcieSwitch owner, int index, PcieLinkSpec link, TrainPool pool) {
        this.owner = owner;
        this.index = index;
        this.link = link;
        this.pool = pool;
        boolean up = index == SwitchRoutes.UP;
        name = up ? "up" : "down" + index;
        out = new LinkDirection(owner, name, link, up);
        rate = LinkRate.of(link);
        FlowCredits advertised = up ? link.downCredits() : link.upCredits();
        for (FlowClass c : FlowClass.values()) {
            counted[c.index()] = advertised.headers(c) > 0 || advertised.data(c) > 0;
        }
        arrivals = new Arrivals(name);
        ready = new Ready(name);
        done = new Done(name);
        out.announce(new Left(name));
        PcieSwitchSpec spec = owner.spec();
        long longest = linePs(link.wireBytes(true, link.maxPayload() / 4));
        if (spec.cutThrough() && spec.forwardPs() <= longest) {
            throw new ConfigurationException(
                    owner.path(),
                    ConfigurationException.BEFORE_TIME_ZERO,
                    "cut-through with a forwarding latency of " + spec.forwardPs() + " ps: must be above the " + longest
                            + " ps of the longest packet on the link of " + name);
        }
    }

    /** Says who sends to this port. */
    void neighbour(LinkDirection sender) {
        neighbour = sender;
        sender.receiverForwards();
        for (FlowClass c : FlowClass.values()) {
            sender.returnByEvent(c);
        }
    }

    @Override
    public EventPort arrivals() {
        return arrivals;
    }

    @Override
    public LinkDirection transmitter() {
        return out;
    }

    String name() {
        return name;
    }

    TrainPool pool() {
        return pool;
    }

    private long linePs(int bytes) {
        return rate.num() * bytes / rate.den();
    }

    private int wireBytes(TlpTrain train, int i) {
        return link.wireBytes(train.fourDw(i), train.dataDw(i));
    }

    /** Hands a packet to the link. */
    void send(TlpTrain train, int packet) {
        train.announced = true;
        out.submit(train, packet, packet + 1);
    }

    /** Gives the credits of a packet back that this port has done with. */
    void giveBack(int c, int dataUnits) {
        LinkDirection sender = neighbour;
        if (counted[c] && sender != null) {
            sender.creditPort().send(owner.now() + out.delayPs(), c, 1, dataUnits);
        }
    }

    /** Takes packets, each as of its own arrival. */
    private void take(TlpTrain train, int from, int to) {
        for (int i = from; i < to; i++) {
            int way = owner.routes().route(index, train, i);
            SwitchPort target = owner.port(way < 0 ? index : way);
            long at = train.arrival[i] + owner.spec().forwardPs();
            if (owner.spec().cutThrough() && way >= 0) {
                int bytes = wireBytes(train, i);
                long body = linePs(bytes) - linePs(bytes - 4 * train.dataDw(i));
                at -= Math.min(body, target.linePs(target.wireBytes(train, i)));
            }
            int kind = train.flowClass().index();
            if (train.flowClass() != FlowClass.COMPLETION) {
                ready.send(at, kind, 0, way, target.pool.take().packets(train, i, i + 1));
                continue;
            }
            int first = i;
            while (first > 0 && !train.endsRequest(first - 1)) {
                first--;
            }
            ready.send(at, kind, i - first, way, answer(target, train, first, i));
        }
        if (to == train.count) { // packets of it may still be on the line, for somebody to see
            release(train, train.arrival[to - 1]);
        }
    }

    private void release(TlpTrain train, long at) {
        if (at > owner.now()) {
            done.send(at, 0, 0, 0, train);
        } else {
            pool.give(train);
        }
    }

    /** Returns a copy of all completions of a request: they reach the requester in one piece. */
    private TlpTrain answer(SwitchPort target, TlpTrain train, int first, int i) {
        TlpTrain copy = null;
        if (i == first) {
            copy = target.pool.take().packets(train, first, train.requestEnd(first, train.count - 1) + 1);
            open.add(copy);
        }
        int at = open.size() - 1;
        while (copy == null && at >= 0) {
            TlpTrain t = open.get(at);
            if (t.tag[0] == train.tag[i] && t.requesterId == train.requesterId) {
                copy = t;
            } else {
                at--;
            }
        }
        if (copy == null) {
            throw new InvariantViolation(
                    owner.path(), owner.now(), "a completion came before the first of its request");
        }
        if (train.endsRequest(i)) {
            open.remove(at);
        }
        return copy;
    }

    private final class Arrivals extends EventPort {
        Arrivals(String name) {
            super(owner, name + "Arrivals");
        }

        @Override
        protected void event(int kind, long a, long b, @Nullable Token token) {
            if (!(token instanceof TlpTrain train)) {
                throw new InvariantViolation(path(), now(), "something other than TLPs arrived");
            }
            take(train, (int) a, (int) b);
        }
    }

    /** Packets that the switch has looked at and may send on. */
    private final class Ready extends EventPort {
        Ready(String name) {
            super(owner, name + "Ready");
        }

        @Override
        protected void event(int kind, long a, long b, @Nullable Token token) {
            if (token instanceof TlpTrain train) {
                owner.pass(index, (int) b, train, (int) a);
            }
        }
    }

    /** All packets of a train have arrived. */
    private final class Done extends EventPort {
        Done(String name) {
            super(owner, name + "Done");
        }

        @Override
        protected void event(int kind, long a, long b, @Nullable Token token) {
            if (token instanceof TlpTrain train) {
                pool.give(train);
            }
        }
    }

    /** The last bit of a packet of a class has left. */
    private final class Left extends EventPort {
        Left(String name) {
            super(owner, name + "Left");
        }

        @Override
        protected void event(int kind, long a, long b, @Nullable Token token) {
            owner.left(index, kind);
        }
    }

    @Override
    public void save(Snapshot snapshot) {
        snapshot.putInt(open.size());
        for (int i = 0; i < open.size(); i++) {
            snapshot.putToken(open.get(i));
        }
    }

    @Override
    public void load(Snapshot in) {
        open.clear();
        for (int n = in.getInt(); n > 0; n--) {
            if (in.getToken() instanceof TlpTrain t) {
                open.add(t);
            }
        }
    }
}
