package dev.clockwire.pcie.host;

import dev.clockwire.pcie.link.TlpTrain;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import dev.clockwire.sim.state.Token;
import org.jspecify.annotations.Nullable;

/**
 * What a root port passes on to others: requests for their devices' windows, and the answers. It is built only in hosts that do. Packets keep their
 * order, and take their own time each; answers go on when all of one request are here. There is room for all of them: who sends is not held back.
 */
final class RootPeers implements State {
    private final Host host;
    private final RootPort port;
    private final long passPs;
    private final EventPort passed;
    private long packets;

    /** Creates the way out of a port, and what it needs to find others. */
    RootPeers(Host host, RootPort port, String name, long passPs) {
        this.host = host;
        this.port = port;
        this.passPs = passPs;
        passed = new EventPort(host, name + "Peers") {
            @Override
            protected void event(int kind, long a, long b, @Nullable Token token) {
                if (token instanceof TlpTrain train) {
                    port.leave(train);
                }
            }
        };
        host.sim()
                .stats()
                .reading(
                        host.path() + "." + name + ".peer",
                        "packets",
                        "packets of its device passed on to other root ports",
                        () -> packets);
    }

    /** Returns the port that packets are for, null if they are for this host. */
    @Nullable
    RootPort target(TlpTrain train, int from, int to) {
        RootPort other;
        if (train.type.isCompletion()) {
            other = train.requesterId == RootPort.COMPLETER_ID ? null : host.portOf(train.requesterId);
        } else if (train.type.isMessage() || train.addressType != 0) {
            return null;
        } else {
            int start = train.offset[from];
            other = host.windowAt(train.address + start, train.offset[to] - start);
        }
        return other == port ? null : other;
    }

    /** Passes packets on to another port. */
    void pass(TlpTrain train, int from, int to, RootPort other) {
        if (!train.type.isCompletion()) {
            for (int i = from; i < to; i++) {
                send(other, train, i, i + 1, train.arrival[i]);
            }
            port.passedOn(train, from, to);
        } else if (to == train.count) {
            send(other, train, 0, to, train.arrival[to - 1]);
            port.pool().give(train);
        }
    }

    private void send(RootPort other, TlpTrain train, int from, int to, long at) {
        packets += to - from;
        other.passPeer(at + passPs, other.pool().take().packets(train, from, to));
    }

    /** Takes packets from another port that leave here at a time. */
    void take(long at, TlpTrain train) {
        passed.send(at, 0, 0, 0, train);
    }

    @Override
    public void save(Snapshot out) {
        out.putLong(packets);
    }

    @Override
    public void load(Snapshot in) {
        packets = in.getLong();
    }
}
