package dev.clockwire.pcie.link;

import dev.clockwire.pcie.tlp.CompletionStatus;
import dev.clockwire.pcie.tlp.FlowClass;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.Scope;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.SimNode;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.state.Token;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One direction between two nodes: submit what the test says when it says, note what arrives. */
final class OneWay {
    final Sim sim;
    final LinkDirection direction;
    final List<String> arrived = new ArrayList<>();
    final List<Integer> headersInUse = new ArrayList<>();
    private final EventPort input;

    OneWay(SimSpec spec, PcieLinkSpec link, boolean upstream) {
        sim = new Sim(spec);
        Sender sender = new Sender(sim.root());
        direction = new LinkDirection(sender, "link", link, upstream);
        direction.receiverHolds(10_000);
        input = sender.input(direction);
        direction.connect(new Receiver(sim.root()).port());
    }

    void at(long time, TlpTrain train) {
        input.send(time, 0, 0, 0, train);
    }

    static TlpTrain write(long address, int bytes) {
        TlpTrain t = new TlpTrain().writes(address, bytes, 256, 1);
        t.data.appendZeros(bytes);
        return t;
    }

    static TlpTrain read(long address, int bytes, int tag) {
        TlpTrain t = new TlpTrain().reads(address, 1);
        t.addRead(bytes, tag);
        return t;
    }

    static TlpTrain completion(long address, int bytes, int tag) {
        TlpTrain t = new TlpTrain().completions(address, bytes, 256, 0, 1, tag);
        t.data.appendZeros(bytes);
        return t;
    }

    static TlpTrain refusal(int tag) {
        return new TlpTrain().refusal(CompletionStatus.UR, 4, 0, 1, tag);
    }

    private static final class Sender extends SimNode {
        Sender(Scope parent) {
            super(parent, "sender");
        }

        EventPort input(LinkDirection direction) {
            state(direction);
            return new EventPort(this, "input") {
                @Override
                protected void event(int kind, long a, long b, @Nullable Token token) {
                    if (token instanceof TlpTrain t) {
                        direction.submit(t);
                    }
                }
            };
        }
    }

    private final class Receiver extends SimNode {
        Receiver(Scope parent) {
            super(parent, "receiver");
        }

        EventPort port() {
            return new EventPort(this, "port") {
                @Override
                protected void event(int kind, long a, long b, @Nullable Token token) {
                    if (token instanceof TlpTrain t) {
                        for (int i = (int) a; i < b; i++) {
                            arrived.add(t.type + " " + Long.toHexString(t.address + t.offset[i]) + " " + t.arrival[i]);
                        }
                        headersInUse.add(direction.headersInUse(FlowClass.POSTED));
                    }
                }
            };
        }
    }

    List<String> order() {
        return arrived.stream().map(s -> s.substring(0, s.lastIndexOf(' '))).toList();
    }

    static long time(String arrival) {
        return Long.parseLong(arrival.substring(arrival.lastIndexOf(' ') + 1));
    }
}
