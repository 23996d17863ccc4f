package dev.clockwire.nic.notify;

import dev.clockwire.nic.context.DeviceParts;
import dev.clockwire.nic.context.QpContext;
import dev.clockwire.nic.profile.CongestionSpec;
import dev.clockwire.roce.congestion.NotificationPacing;
import dev.clockwire.roce.transport.ResponderSpec;
import dev.clockwire.roce.wire.Opcode;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.Channel;
import dev.clockwire.sim.Clock;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.Scope;
import dev.clockwire.sim.SimModule;
import dev.clockwire.sim.state.Token;
import org.jspecify.annotations.Nullable;

/**
 * Answers packets that came marked with congestion notifications to their sender (RoCEv2 annex A17: opcode 0x81, BECN, the sender's queue pair,
 * PSN 0). They go straight to the MAC, in a class of their own. Connected queue pairs only: a datagram says nothing of a rate to lower.
 */
public final class NotificationPoint extends SimModule {
    private static final int WINDOW_OVER = 1;

    private final Channel<RocePacket> out;
    private final DeviceParts parts;
    private final CongestionSpec spec;
    private final EventPort marks;
    private final NotificationState s = state(new NotificationState());

    /** Creates the point in front of the MAC. */
    public NotificationPoint(Scope parent, Clock clock, Channel<RocePacket> out, DeviceParts parts) {
        super(parent, "notificationPoint", clock);
        this.out = out.from(this);
        this.parts = parts;
        spec = parts.spec().congestion();
        marks = new EventPort(this, "marks") {
            @Override
            protected void event(int kind, long a, long b, @Nullable Token token) {
                if (kind == WINDOW_OVER) {
                    pacing((int) a).told(now(), spec.cnpIntervalPs());
                    tell((int) a);
                } else {
                    marked((int) a);
                }
            }
        };
    }

    /** Returns the port for marks: a = slot of the queue pair whose packet was marked. */
    public EventPort marks() {
        return marks;
    }

    private NotificationPacing pacing(int q) {
        return spec.notifies() == CongestionSpec.Notify.PORT ? s.ofPort : s.of(q);
    }

    private void marked(int q) {
        s.marked++;
        long at = pacing(q).marked(now(), spec.cnpIntervalPs());
        if (at == now()) {
            tell(q);
        } else if (at != NotificationPacing.TOLD) {
            marks.send(at, WINDOW_OVER, q, 0);
        }
    }

    private void tell(int q) {
        QpContext qp = parts.table().at(q);
        ResponderSpec peer = qp.responder;
        if (qp.closed || peer == null) {
            return; // its connection has ended meanwhile
        }
        RocePacket packet = parts.packets().take();
        packet.reset();
        packet.opcode = Opcode.CNP.code();
        packet.becn = true;
        packet.destQp = peer.destQpn();
        packet.flow.set(qp.flow);
        packet.flow.dscp = spec.cnpDscp();
        packet.flow.ecn = 0;
        packet.tag = clock().edgeAfter(now()) + spec.cnpCycles() - 1;
        s.pipe.add(packet);
        wake();
    }

    @Override
    protected boolean tick(long cycle) {
        if (s.pipe.size() == 0) {
            return false;
        }
        if (s.pipe.first().tag > cycle) {
            wakeAt(s.pipe.first().tag);
            return false;
        }
        if (!out.ready(cycle)) {
            return false;
        }
        RocePacket packet = s.pipe.remove();
        packet.tag = 0;
        s.sent++;
        out.put(cycle, packet);
        return true;
    }

    /** Returns packets that came marked ({@code np_ecn_marked_roce_packets}). */
    public long marked() {
        return s.marked;
    }

    /** Returns notifications sent ({@code np_cnp_sent}). */
    public long sent() {
        return s.sent;
    }
}
