package dev.clockwire.nic.rx;

import dev.clockwire.nic.context.DeviceParts;
import dev.clockwire.nic.context.QpContext;
import dev.clockwire.nic.ether.EthFrame;
import dev.clockwire.nic.ether.EthSteering;
import dev.clockwire.nic.format.Eqe;
import dev.clockwire.nic.mac.TxMac;
import dev.clockwire.nic.profile.RateSpec;
import dev.clockwire.roce.fabric.LinkEnd;
import dev.clockwire.roce.fabric.bridge.PauseState;
import dev.clockwire.roce.transport.PartitionKey;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.wire.Encapsulation;
import dev.clockwire.roce.wire.Opcode;
import dev.clockwire.roce.wire.PauseFrame;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.Channel;
import dev.clockwire.sim.Clock;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.Inlet;
import dev.clockwire.sim.Scope;
import dev.clockwire.sim.SimModule;
import dev.clockwire.sim.state.Token;
import org.jspecify.annotations.Nullable;

/**
 * Takes packets off the line, checks them in the order of the standard (ICRC, version, queue pair, service, state, partition
 * and queue key) and sorts them into requests and responses. What fails is dropped in silence and counted.
 */
public final class RxParser extends SimModule {
    /** Packets the receive buffer holds. */
    public static final int BUFFER = 1 << 16;

    /** The upper three bits of an opcode name its service. */
    private static final int SERVICE_SHIFT = 5;

    private static final int CONGESTION = 3;
    private static final int HOLD_BYTES = 512 << 10;
    private static final int RELEASE_BYTES = 256 << 10;

    private final Inlet<RocePacket> line;
    private final EventPort port;
    private final EventPort stall;
    private final Channel<RocePacket> requests;
    private final Channel<RocePacket> responses;
    private final DeviceParts parts;
    private final int latency;
    private final RxState s = state(new RxState());
    private @Nullable EventPort sender;
    private @Nullable EthSteering ethernet;
    private long pauseDelayPs;
    private final EventPort again;
    private @Nullable ReceivePauses held;
    private @Nullable EventPort mac;
    private @Nullable EventPort marks;

    /** Creates the receiver between the line and the engines. */
    public RxParser(
            Scope parent, Clock clock, Channel<RocePacket> requests, Channel<RocePacket> responses, DeviceParts parts) {
        super(parent, "rxParser", clock);
        this.requests = requests.from(this);
        this.responses = responses.from(this);
        this.parts = parts;
        boolean elsewhere =
                parts.spec().icm().qpc() != null && parts.spec().icm().qpcShared();
        latency = parts.spec().rxParseCycles() + (elsewhere ? 0 : parts.spec().rxLookupCycles());
        line = new Inlet<>(this, "buffer", BUFFER, parts.spec().rxCrossingCycles());
        port = new EventPort(this, "line") {
            @Override
            protected void event(int kind, long a, long b, @Nullable Token token) {
                if (token instanceof RocePacket packet) {
                    if (ethernet == null || !ethernet.takes(packet, now())) {
                        receive(packet);
                    }
                } else if (token instanceof EthFrame frame) {
                    arrived(frame);
                } else if (token instanceof PauseFrame pause) {
                    paused(pause);
                } else if (kind == LinkEnd.LINK_DOWN || kind == LinkEnd.LINK_UP) {
                    s.linkDown = kind == LinkEnd.LINK_DOWN;
                    parts.control().happened(Eqe.PORT_CHANGE, s.linkDown ? Eqe.Port.DOWN : Eqe.Port.ACTIVE);
                }
            }
        };
        again = new EventPort(this, "again") {
            @Override
            protected void event(int kind, long a, long b, @Nullable Token token) {
                sayAgain();
            }
        };
        stall = new EventPort(this, "stall") {
            @Override
            protected void event(int kind, long a, long b, @Nullable Token token) {
                s.nextEntry = Math.max(s.nextEntry, clock().edgeAfter(now() + a));
                wake();
            }
        };
    }

    /**
     * Lets the receiver hold the sender at the other end of the line while too much waits in the buffer.
     *
     * @param mac the pause port of the sender's MAC
     * @param delayPs time from the decision until the sender knows, in ps
     */
    public void holds(EventPort mac, long delayPs) {
        sender = mac;
        pauseDelayPs = delayPs;
    }

    /** Lets pause frames go between line and MAC, and pauses the far end before the buffer is full; to be called before elaboration. */
    public void pausesAt(TxMac transmitter) {
        mac = transmitter.pause();
        held = state(new ReceivePauses(parts.spec().congestion()));
    }

    /** Tells a notification point of packets that came marked; to be called before elaboration. */
    public void marksAt(EventPort point) {
        marks = point;
    }

    /** A port without flow control overhears pauses. */
    private void paused(PauseFrame frame) {
        EventPort transmitter = mac;
        if (transmitter == null) {
            parts.pauses().give(frame);
        } else {
            transmitter.send(now() + 1, TxMac.TAKEN, 0, 0, frame);
        }
    }

    private void say(int classes, int quanta) {
        EventPort transmitter = mac;
        if (classes == 0 || transmitter == null) {
            return;
        }
        s.pauses += quanta > 0 ? 1 : 0;
        transmitter.send(now() + 1, TxMac.SAY, classes, quanta);
    }

    private void stop(ReceivePauses state, int classes) {
        say(classes, PauseFrame.MAX_QUANTA);
        if (classes != 0 && !state.refreshing) {
            state.refreshing = true;
            again.send(now() + refreshPs(), 0, 0, 0);
        }
    }

    /** A pause is said again after half of its time. */
    private long refreshPs() {
        return PauseState.quantaPs(PauseFrame.MAX_QUANTA, parts.spec().rate().lineRate() / 1000) / 2;
    }

    private void sayAgain() {
        ReceivePauses state = held;
        if (state == null || state.held() == 0) {
            if (state != null) {
                state.refreshing = false;
            }
            return;
        }
        say(state.held(), PauseFrame.MAX_QUANTA);
        again.send(now() + refreshPs(), 0, 0, 0);
    }

    private void pause(boolean on) {
        EventPort far = sender;
        if (far != null && s.paused != on) {
            s.paused = on;
            s.pauses += on ? 1 : 0;
            far.send(now() + pauseDelayPs, 0, on ? 1 : 0, 0);
        }
    }

    /** Returns how often the sender at the other end of the line was held ({@code tx_global_pause}). */
    public long pauses() {
        return s.pauses;
    }

    /** Returns the port of a fault: the receiver takes nothing out of its buffer for {@code a} ps. */
    public EventPort stall() {
        return stall;
    }

    /** Returns whether there is a link, as far as this end knows. */
    public boolean linkUp() {
        return !s.linkDown;
    }

    /** Returns where the link delivers packets, at their last bit. */
    public EventPort port() {
        return port;
    }

    /** Sends what is not RDMA's to the Ethernet queues; to be called before elaboration. */
    public void ethernet(EthSteering steering) {
        ethernet = steering;
    }

    /** A frame without Ethernet queues is nobody's. */
    private void arrived(EthFrame frame) {
        RocePacket packet = ethernet == null ? null : ethernet.roce(frame, now());
        if (packet != null) {
            receive(packet);
        }
    }

    private void receive(RocePacket packet) {
        int room = parts.spec().congestion().bufferBytes();
        if (line.space() == 0 || (room > 0 && s.bytes + packet.wireBytes() > room)) {
            s.overruns++;
            parts.packets().give(packet);
        } else {
            s.bytes += packet.wireBytes();
            line.write(packet);
            ReceivePauses state = held;
            if (state != null) {
                stop(state, state.arrived(packet.flow.dscp, packet.wireBytes()));
            }
            if (s.bytes > HOLD_BYTES) {
                pause(true);
            }
        }
    }

    /** Returns packets that found the receive buffer full ({@code rx_discards_phy}). */
    public long overruns() {
        return s.overruns;
    }

    /** Returns packets of the other version of RoCE, which are among those that were dropped. */
    public long otherVersion() {
        return s.wrongRoce;
    }

    /** Returns how many packets had a wrong ICRC. */
    public long icrcErrors() {
        return s.icrcErrors;
    }

    /** Returns how many packets were dropped because of version, queue pair, state or keys. */
    public long dropped() {
        return s.wrongVersion + s.wrongQp + s.wrongState + s.wrongAddress + s.wrongRoce + s.wrongPkey + s.wrongQkey;
    }

    @Override
    protected boolean tick(long cycle) {
        boolean did = false;
        if (line.valid(cycle) && s.pipe.size() <= latency && cycle >= s.nextEntry) {
            RocePacket packet = line.take(cycle);
            s.bytes -= packet.wireBytes();
            ReceivePauses state = held;
            if (state != null) {
                say(state.left(packet.flow.dscp, packet.wireBytes()), 0);
            }
            if (s.bytes < RELEASE_BYTES) {
                pause(false);
            }
            packet.tag = cycle + latency - 1;
            s.nextEntry = cycle + parts.spec().beats(packet.wireBytes());
            s.pipe.add(packet);
            did = true;
        }
        if (s.pipe.size() > 0 && s.pipe.first().tag <= cycle) {
            did |= pass(s.pipe.first(), cycle);
        }
        return more(cycle + 1, did) || rest(did);
    }

    /** Whether the next cycle may have work; asks for the later one that has. What finds its output full waits for a take. */
    private boolean more(long next, boolean did) {
        boolean more = false;
        if (s.pipe.size() > 0) {
            long due = s.pipe.first().tag;
            if (due >= next) {
                wakeAt(due);
            } else {
                more = did;
            }
        }
        if (line.valid(next) && s.pipe.size() <= latency) {
            if (s.nextEntry > next) {
                wakeAt(s.nextEntry);
            } else {
                more = true;
            }
        }
        return more;
    }

    private boolean pass(RocePacket packet, long cycle) {
        if (!accepted(packet)) {
            s.pipe.remove();
            parts.packets().give(packet);
            return true;
        }
        boolean toSender = packet.isResponse() || packet.opcode == Opcode.CNP.code();
        Channel<RocePacket> out = toSender ? responses : requests;
        if (!out.ready(cycle)) {
            return false;
        }
        s.pipe.remove();
        packet.tag = 0;
        if (marks != null && packet.flow.ecn == CONGESTION) {
            tell(marks, packet);
        }
        int stage = parts.journal().rxParseOf(packet);
        parts.journal().stamp(packet.journey, stage, packet.psn, now(), clock().edgeTime(cycle + 1));
        out.put(cycle, packet);
        return true;
    }

    private void tell(EventPort point, RocePacket packet) {
        QpContext qp = parts.table().qp(packet.destQp);
        if (qp != null && qp.type != QpType.UD) {
            point.send(now() + 1, 0, qp.slot, 0);
        }
    }

    private static boolean isOfService(RocePacket packet, QpContext qp) {
        return packet.opcode >> SERVICE_SHIFT == qp.type.service().bits();
    }

    /** Whether a queue pair has a reaction point, for which notifications of congestion are. */
    private boolean takesNotices(QpContext qp) {
        return parts.spec().rate().dcqcn() != RateSpec.Dcqcn.OFF && qp.type != QpType.UD;
    }

    /** Returns notifications of congestion that no reaction point takes ({@code rp_cnp_ignored}). */
    public long notificationsIgnored() {
        return s.cnpIgnored;
    }

    /** The checks; counts the one that fails. A packet that waits for its output is checked again, which counts nothing. */
    private boolean accepted(RocePacket packet) {
        if (!packet.icrcOk) {
            s.icrcErrors++;
            return false;
        }
        QpContext qp = parts.table().qp(packet.destQp);
        if (packet.tver != 0) {
            s.wrongVersion++;
            return false;
        }
        boolean notice = packet.opcode == Opcode.CNP.code();
        if (qp == null || qp.closed || !(notice ? takesNotices(qp) : isOfService(packet, qp))) {
            s.wrongQp++;
            s.cnpIgnored += notice ? 1 : 0;
            return false;
        }
        if ((packet.isResponse() || notice) ? !qp.state.acceptsResponses() : !qp.state.acceptsRequests()) {
            s.wrongState++;
            return false;
        }
        if (packet.flow.encapsulation == Encapsulation.GRH != parts.spec().roceV1()) {
            s.wrongRoce++;
            return false;
        }
        boolean addressed =
                qp.type == QpType.UD ? parts.port().isDestinationOf(packet.flow) : packet.flow.isBackOf(qp.flow);
        if (!addressed) {
            s.wrongAddress++;
            return false;
        }
        if (!PartitionKey.matches(packet.pkey, RocePacket.DEFAULT_PKEY)) {
            s.wrongPkey++;
            return false;
        }
        if (qp.type == QpType.UD && packet.qkey != qp.qkey) {
            s.wrongQkey++;
            return false;
        }
        return true;
    }
}
