package dev.clockwire.roce.fabric.host;

import dev.clockwire.roce.congestion.RateMachine;
import dev.clockwire.roce.congestion.RateRules;
import dev.clockwire.roce.fabric.LinkEnd;
import dev.clockwire.roce.fabric.bridge.FrameQueue;
import dev.clockwire.roce.fabric.bridge.PauseState;
import dev.clockwire.roce.wire.PauseFrame;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.Scope;
import dev.clockwire.sim.SimNode;
import dev.clockwire.sim.random.RandomStream;
import dev.clockwire.sim.state.Pool;
import dev.clockwire.sim.state.Token;
import dev.clockwire.sim.stats.StatRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A host that sends and receives flows. Answers go before data; flows take turns, each no faster than its rate allows. A packet costs one
 * event here: the one that says the line is free, or that its rate allows the next.
 */
public final class LightHost extends SimNode {
    private static final long PS_PER_US = 1_000_000;

    private final int number;
    private final LightSpec spec;
    private final LinkEnd end;
    private final Pool<LightFrame> frames;
    private final Pool<PauseFrame> pauses;
    private final PauseState paused;
    private final int answerPriority;
    private final Notifier notifier;
    private final FrameQueue answers = state(new FrameQueue());
    private final List<SendFlow> sending = new ArrayList<>();
    private final List<ReceiveFlow> receiving = new ArrayList<>();
    private final EventPort wake;
    private final EventPort start;
    private final EventPort timer;
    private final EventPort settings;
    private final HostState s = state(new HostState());

    /**
     * Creates a host without flows.
     *
     * @param number its number in the fabric
     * @param end the host's end of its link
     * @param pausesExpire see {@link PauseState}
     */
    public LightHost(
            Scope parent,
            String name,
            int number,
            LightSpec spec,
            LinkEnd end,
            boolean pausesExpire,
            Pool<LightFrame> frames,
            Pool<PauseFrame> pauses) {
        super(parent, name);
        this.number = number;
        this.spec = spec;
        this.end = end;
        s.obeyed = spec.priorities().obeyed();
        answerPriority = spec.priorities().of(spec.answerDscp());
        this.frames = frames;
        this.pauses = pauses;
        paused = state(new PauseState(end.spec().kbps(), pausesExpire));
        end.attach(new EventPort(this, "line") {
            @Override
            protected void event(int kind, long firstBit, long lastBit, @Nullable Token token) {
                if (token instanceof LightFrame frame) {
                    arrive(frame);
                } else if (token instanceof PauseFrame pause) {
                    pause(pause);
                }
            }
        });
        wake = new EventPort(this, "wake") {
            @Override
            protected void event(int kind, long a, long b, @Nullable Token token) {
                if (s.wakeAt == now()) {
                    s.wakeAt = SendFlow.NEVER;
                }
                serve();
            }
        };
        start = new EventPort(this, "start") {
            @Override
            protected void event(int kind, long flow, long b, @Nullable Token token) {
                begin(sending.get((int) flow), (int) flow);
            }
        };
        timer = new EventPort(this, "timer") {
            @Override
            protected void event(int kind, long flow, long b, @Nullable Token token) {
                check(sending.get((int) flow), (int) flow);
            }
        };
        settings = new EventPort(this, "settings") {
            @Override
            protected void event(int kind, long priorities, long b, @Nullable Token token) {
                s.obeyed = (int) priorities;
                serve();
            }
        };
        notifier = new Notifier(this, spec, s);
    }

    /** Returns the port that is told which pauses to obey from now on: a = the priorities, bit n for priority n. */
    public EventPort settings() {
        return settings;
    }

    /** Lets a flow go from one host to another; to be called before elaboration. Returns its sending side. */
    public static SendFlow join(FlowSpec flow, LightHost from, LightHost to) {
        int here = from.sending.size();
        int there = to.receiving.size();
        int hash =
                (int) (RandomStream.mix(RandomStream.hash(flow.name()) ^ (long) flow.src() << 32 ^ flow.dst()) >>> 32);
        int dscp = flow.dscp() < 0 ? from.spec.dataDscp() : flow.dscp();
        RateRules rules = from.spec.rules();
        SendFlow send = new SendFlow(
                flow,
                there,
                hash,
                dscp,
                from.spec.priorities().of(dscp),
                from.spec.payload(),
                from.end.spec().kbps() * 1000,
                rules == null ? null : new RateMachine(rules));
        from.sending.add(from.state(send));
        to.receiving.add(to.state(new ReceiveFlow(from.number, hash, here, send.packets)));
        return send;
    }

    /** Schedules the starts of its flows; to be called once, after elaboration. */
    public void schedule() {
        for (int i = 0; i < sending.size(); i++) {
            start.send(Math.max(sending.get(i).spec.startPs(), now() + 1), 0, i, 0);
        }
    }

    private void begin(SendFlow flow, int place) {
        flow.started = true;
        s.open(place);
        flow.progressAt = now();
        serve();
    }

    private void arrive(LightFrame frame) {
        switch (frame.kind) {
            case LightFrame.DATA -> data(frame);
            case LightFrame.CNP -> {
                notified(sending.get(frame.flow));
                frames.give(frame);
            }
            default -> answered(frame);
        }
        serve();
    }

    private void data(LightFrame frame) {
        ReceiveFlow flow = receiving.get(frame.flow);
        flow.received++;
        if (frame.marked) {
            s.marked++;
            if (!spec.echo() && spec.priorities().notifies()) {
                notifier.marked(flow, frame.flow);
            }
        }
        boolean selective = spec.repeat() == LightSpec.Repeat.SELECTIVE;
        long seq = frame.seq;
        if (seq == flow.expected) {
            advance(flow, selective);
            boolean due = ++flow.sinceAck >= spec.ackEvery()
                    || flow.expected == flow.packets
                    || (frame.marked && spec.echo());
            answer(frame, flow, due ? LightFrame.ACK : -1, 0);
        } else if (seq < flow.expected) {
            flow.duplicates++;
            answer(frame, flow, LightFrame.ACK, 0);
        } else {
            flow.outOfOrder++;
            answer(frame, flow, gap(flow, seq, selective) ? LightFrame.NAK : -1, seq);
        }
    }

    private static void advance(ReceiveFlow flow, boolean selective) {
        long from = flow.expected;
        flow.expected++;
        while (selective && flow.came.has(flow.expected)) {
            flow.expected++;
        }
        flow.came.clear(from, flow.expected);
    }

    /** Something is missing before a packet; returns whether to say so. */
    private boolean gap(ReceiveFlow flow, long seq, boolean selective) {
        if (selective) {
            if (seq - flow.expected >= SeqBits.SPAN) {
                return false;
            }
            flow.came.set(seq);
            return true;
        }
        boolean say = flow.nakedFor != flow.expected || (spec.nakPs() > 0 && now() >= flow.nakAgainAt);
        if (say) {
            flow.nakedFor = flow.expected;
            flow.nakAgainAt = now() + spec.nakPs();
        }
        return say;
    }

    /** Makes a packet its own answer, or forgets it. */
    private void answer(LightFrame frame, ReceiveFlow flow, int kind, long instead) {
        if (kind < 0) {
            frames.give(frame);
            return;
        }
        flow.sinceAck = 0;
        frame.echo = (frame.marked && spec.echo());
        fill(frame, flow, kind);
        frame.beyond = instead;
        frame.before = kind == LightFrame.NAK ? flow.came.before(instead, flow.expected) : 0;
        answers.add(frame, 0, frame.bytes);
    }

    /** Makes a frame an answer to the source of a flow. */
    private void fill(LightFrame frame, ReceiveFlow flow, int kind) {
        frame.journey = 0;
        frame.kind = kind;
        frame.src = number;
        frame.dst = flow.src;
        frame.flow = flow.peer;
        frame.hash = flow.hash;
        frame.seq = flow.expected;
        frame.bytes = spec.answerBytes();
        frame.payload = 0;
        frame.dscp = spec.answerDscp();
        frame.capable = false;
        frame.marked = false;
    }

    /** Sends a notification to the source of a flow that comes in here. */
    void sendNotification(int place) {
        ReceiveFlow flow = receiving.get(place);
        LightFrame frame = frames.take();
        frame.echo = false;
        fill(frame, flow, LightFrame.CNP);
        frame.beyond = 0;
        frame.before = 0;
        flow.cnps++;
        s.cnpsSent++;
        answers.add(frame, 0, frame.bytes);
        serve();
    }

    ReceiveFlow receivingAt(int place) {
        return receiving.get(place);
    }

    private void notified(SendFlow flow) {
        s.cnpsTaken++;
        flow.notifications++;
        if (flow.rate != null) {
            flow.rate.notification(now());
        }
    }

    private void answered(LightFrame frame) {
        SendFlow flow = sending.get(frame.flow);
        if (flow.failed) { // a queue pair in error takes no answers
            frames.give(frame);
            return;
        }
        if (frame.echo) {
            notified(flow);
        }
        if (frame.seq > flow.oldest) {
            flow.came.clear(flow.oldest, frame.seq);
            flow.oldest = frame.seq;
            flow.next = Math.max(flow.next, frame.seq);
            flow.progressAt = now();
            flow.retries = 0;
            if (flow.oldest == flow.packets && flow.doneAt == SendFlow.NEVER) {
                flow.doneAt = now();
                s.close(frame.flow);
            }
        }
        if (frame.kind == LightFrame.NAK && flow.active()) {
            flow.naks++;
            if (spec.repeat() == LightSpec.Repeat.SELECTIVE) {
                if (frame.beyond > flow.oldest) {
                    flow.came.set(frame.beyond);
                    flow.came.setBefore(frame.beyond, frame.before, flow.oldest);
                }
                flow.repairEnd = Math.max(flow.repairEnd, frame.beyond);
            } else {
                flow.next = flow.oldest;
            }
        }
        frames.give(frame);
    }

    private void pause(PauseFrame frame) {
        s.pausesTaken++;
        for (int c = 0; c < PauseFrame.CLASSES; c++) {
            s.stopped[c] += frame.of(c) > 0 ? 1 : 0;
        }
        paused.take(frame, now());
        pauses.give(frame);
        serve();
    }

    /** Sends what may be sent now, and asks to be woken for what may later. */
    private void serve() {
        long now = now();
        if (end.freeAt() > now) {
            if (s.wakeAt > end.freeAt() && (!answers.isEmpty() || s.open > 0)) {
                wakeAt(end.freeAt());
            }
            return;
        }
        int held = paused.settle(now) & s.obeyed;
        if (!answers.isEmpty() && (held >> answerPriority & 1) == 0) {
            send((LightFrame) answers.take());
            if (!answers.isEmpty() || s.open > 0) {
                wakeAt(end.freeAt());
            }
            return;
        }
        pick(now, held);
    }

    private void pick(long now, int held) {
        int n = s.open;
        int from = n == 0 ? 0 : s.first();
        long first = held == 0 ? SendFlow.NEVER : paused.next(held);
        long window = spec.window() == 0 ? 0 : Math.max(1, spec.window() / spec.payload());
        for (int i = 0; i < n; i++) {
            int place = s.active[from + i < n ? from + i : from + i - n];
            SendFlow flow = sending.get(place);
            if ((held >> flow.priority & 1) != 0 || !flow.hasWork(window)) {
                continue;
            }
            long when = flow.eligibleAt(now);
            if (when <= now) {
                s.turn = place + 1;
                send(flow, place);
                return;
            }
            first = Math.min(first, Math.min(when, flow.rateDue()));
        }
        if (first != SendFlow.NEVER) {
            wakeAt(Math.max(first, now + 1));
        }
    }

    private void wakeAt(long at) {
        if (at < s.wakeAt) {
            s.wakeAt = at;
            wake.send(at, 0, 0, 0);
        }
    }

    private void send(SendFlow flow, int place) {
        long packet = flow.takeNext();
        LightFrame frame = frames.take();
        int payload = flow.payloadOf(packet);
        frame.journey = 0;
        frame.kind = LightFrame.DATA;
        frame.src = number;
        frame.dst = flow.spec.dst();
        frame.flow = flow.peer;
        frame.hash = flow.hash;
        frame.seq = packet;
        frame.beyond = 0;
        frame.before = 0;
        frame.bytes = payload + spec.headerBytes();
        frame.payload = payload;
        frame.dscp = flow.dscp;
        frame.capable = true;
        frame.marked = false;
        frame.echo = false;
        flow.sent++;
        if (packet < flow.newest) {
            flow.again++;
        } else {
            flow.newest = packet + 1;
        }
        flow.sentAt = now();
        flow.sentBytes = frame.bytes;
        if (flow.rate != null) {
            flow.rate.sent(now(), frame.bytes);
        }
        if (spec.timeoutPs() > 0 && !flow.timed) {
            flow.timed = true;
            timer.send(now() + spec.timeoutPs(), 0, place, 0);
        }
        s.dataSent++;
        send(frame);
        wakeAt(end.freeAt());
    }

    private void send(LightFrame frame) {
        int lineBytes = end.spec().framing().lineBytes(frame.bytes);
        end.transmit(now(), frame, lineBytes, frame.payload);
    }

    /** A timeout of a flow may be over. */
    private void check(SendFlow flow, int place) {
        flow.timed = false;
        if (!flow.active() || flow.oldest == flow.newest) {
            return;
        }
        if (now() - flow.progressAt >= spec.timeoutPs()) {
            flow.timeouts++;
            if (flow.retries++ >= spec.retries()) {
                flow.failed = true;
                s.close(place);
                return;
            }
            flow.progressAt = now();
            if (spec.repeat() == LightSpec.Repeat.SELECTIVE) {
                flow.repairNext = flow.oldest;
                flow.repairEnd = Math.max(flow.repairEnd, flow.oldest + 1);
            } else {
                flow.next = flow.oldest;
            }
            serve();
        }
        if (!flow.timed) {
            flow.timed = true;
            timer.send(flow.progressAt + spec.timeoutPs(), 0, place, 0);
        }
    }

    /** Returns the sending sides of its flows. */
    public List<SendFlow> flows() {
        return List.copyOf(sending);
    }

    /** Returns the data packets it has sent, repetitions included. */
    public long dataSent() {
        return s.dataSent;
    }

    /** Returns the notifications it has taken, those in acknowledgements included. */
    public long notificationsTaken() {
        return s.cnpsTaken;
    }

    /** Returns the notification packets it has sent. */
    public long notificationsSent() {
        return s.cnpsSent;
    }

    /** Returns the packets that came marked. */
    public long markedTaken() {
        return s.marked;
    }

    /** Returns the pause frames it has taken. */
    public long pausesTaken() {
        return s.pausesTaken;
    }

    /** Returns the time a class has been paused here, in ps. */
    public long pausedPs(int c) {
        return paused.pausedPs(c, now());
    }

    /** Shows what it has done in a registry, under the names that a NIC's driver has for it. */
    public void register(StatRegistry stats) {
        String p = path() + ".";
        stats.reading(p + "port_xmit_packets", "frames", "Data packets sent, repetitions included", this::dataSent);
        stats.reading(p + "np_ecn_marked_roce_packets", "frames", "Packets that came marked", this::markedTaken);
        stats.reading(p + "np_cnp_sent", "frames", "Notifications sent as packets", this::notificationsSent);
        stats.reading(p + "rp_cnp_handled", "frames", "Notifications taken, also in answers", this::notificationsTaken);
        for (int c = 0; c < PauseFrame.CLASSES; c++) {
            int k = c;
            stats.reading(
                    p + "rx_prio" + c + "_pause", "frames", "Times the switch stopped the class", () -> s.stopped[k]);
            stats.reading(
                    p + "rx_prio" + c + "_pause_duration",
                    "us",
                    "Time that the class was paused",
                    () -> pausedPs(k) / PS_PER_US);
        }
        stats.reading(p + "packet_seq_err", "frames", "Negative acknowledgements taken", () -> sum(SendFlow::naks));
        stats.reading(
                p + "local_ack_timeout_err",
                "timeouts",
                "Acknowledgement timers that ran out",
                () -> sum(SendFlow::timeouts));
        stats.reading(p + "retransmits", "frames", "Packets sent again", () -> sum(SendFlow::retransmissions));
    }

    private long sum(ToLongFunction<SendFlow> figure) {
        return sending.stream().mapToLong(figure).sum();
    }
}
