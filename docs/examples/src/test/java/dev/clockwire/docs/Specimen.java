package dev.clockwire.docs;

import dev.clockwire.examples.Peer;
import dev.clockwire.nic.driver.EthernetSpec;
import dev.clockwire.nic.driver.NicEthernet;
import dev.clockwire.nic.lab.Lab;
import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.roce.transport.WrOpcode;
import dev.clockwire.roce.verbs.ReceiveBatch;
import dev.clockwire.roce.verbs.SendBatch;
import dev.clockwire.roce.wire.Frame;
import dev.clockwire.sim.Connection;
import dev.clockwire.sim.Wire;
import dev.clockwire.sim.state.Token;
import dev.clockwire.sim.trace.Tap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A lab with every block, and what was seen in its channels while it worked. */
final class Specimen {
    private static final int BYTES = 8192;

    final Lab lab;
    private final Map<String, String> carried = new TreeMap<>();
    private final Peer a;
    private final Peer b;

    Specimen() {
        lab = Lab.twoHosts(
                Profiles.named("cx7-400g")
                        .with("nic.lookup.eec_cycles", "1")
                        .with("nic.eth.queues", "1")
                        .with("nic.ecn.notify", "qp")
                        .with("host.iommu.enabled", "true"),
                LabSpec.of(1));
        lab.sim().wires().forEach(this::watch);
        lab.endOfA().tapDepartures((ps, end, frame) -> mark(frame));
        a = new Peer(lab, lab.a(), BYTES);
        b = new Peer(lab, lab.b(), BYTES);
        a.connect(b);
        b.connect(a);
        work();
        broadcast();
    }

    /** A frame between the Ethernet queues. */
    private void broadcast() {
        NicEthernet from = lab.await(lab.a().openEthernet(EthernetSpec.of(1), q -> {}));
        lab.await(lab.b().openEthernet(EthernetSpec.of(1), q -> {}));
        for (int i = 0; i < 6; i++) {
            lab.a().host().memory().putByte(a.address() + i, (byte) 0xFF);
        }
        from.send(0, a.address(), 100);
        from.ring(0);
        lab.sim().run(lab.sim().now() + 20_000_000);
    }

    /** As a switch with a long queue does. */
    private static void mark(Token token) {
        if (token instanceof Frame frame) {
            frame.markCongestion();
        }
    }

    private void watch(Wire wire) {
        carried.put(wire.path(), "");
        wire.tap(new Tap() {
            @Override
            public void put(long cycle, long ps, long bits, @Nullable Token token) {
                carried.put(
                        wire.path(), token == null ? "long" : token.getClass().getSimpleName());
            }

            @Override
            public void take(long cycle, long ps, long bits, @Nullable Token token) {}
        });
    }

    /** A WRITE by BlueFlame, then a WRITE, a READ and a SEND that are fetched. */
    private void work() {
        ReceiveBatch receives = new ReceiveBatch(1, 1);
        receives.add().sges().add(b.address(), BYTES, b.region().lkey());
        b.qp().postReceive(receives);
        post(WrOpcode.RDMA_WRITE);
        post(WrOpcode.RDMA_WRITE, WrOpcode.RDMA_READ, WrOpcode.SEND);
        lab.sim().run(lab.sim().now() + 20_000_000);
    }

    private void post(WrOpcode... opcodes) {
        SendBatch batch = new SendBatch(opcodes.length, 1);
        for (WrOpcode opcode : opcodes) {
            a.prepare(batch.add(), opcode, BYTES, b);
        }
        a.qp().postSend(batch);
    }

    /** Returns the connections of a part, by name. */
    List<Connection> connections(String path) {
        return lab.sim().connections().stream()
                .filter(c -> c.from().equals(path) || c.to().equals(path))
                .toList();
    }

    /** Returns what was seen in a channel, on either host; empty if nothing was. */
    String carried(String path) {
        String other = path.replaceFirst("^host0", "host1");
        String seen = carried.getOrDefault(path, "");
        return seen.isEmpty() ? carried.getOrDefault(other, "") : seen;
    }
}
