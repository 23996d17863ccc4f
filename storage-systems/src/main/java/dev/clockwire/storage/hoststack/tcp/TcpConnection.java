package dev.clockwire.storage.hoststack.tcp;

import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;

/**
 * One end of a TCP connection. Bytes that are written arrive at the other end once and in order, or both ends hear that they do not. It knows
 * no clock: times are arguments, in ps, and {@link #deadline} says when {@link #expired} is to be called.
 */
public final class TcpConnection implements State {
    private static final int FIRST_WINDOW = 65_535;

    private final TcpSpec spec;
    private final TcpFlow flow;
    private final TcpUser user;
    private final TcpState s;
    private final TcpSender sender;

    /** Creates a connection that is closed. */
    public TcpConnection(TcpSpec spec, TcpFlow flow, TcpOutput output, TcpUser user) {
        this.spec = spec;
        this.flow = flow;
        this.user = user;
        s = new TcpState(spec);
        sender = new TcpSender(spec, s, flow, output);
    }

    /** Returns both ends. */
    public TcpFlow flow() {
        return flow;
    }

    /** Returns the state. */
    public TcpPhase phase() {
        return s.phase;
    }

    /** Begins a connection: sends a SYN. */
    public void connect(int iss, long now) {
        begin(iss, TcpPhase.SYN_SENT);
        s.rtoAt = now + s.roundTrip.rto();
        s.roundTrip.sent(s.next, now);
        sender.send(iss, TcpSegment.SYN, 0);
    }

    /** Takes the SYN of a peer that a port which listens has received, and answers. */
    public void accept(TcpSegment syn, int iss, long now) {
        begin(iss, TcpPhase.SYN_RECEIVED);
        peer(syn);
        s.rtoAt = now + s.roundTrip.rto();
        s.roundTrip.sent(s.next, now);
        sender.send(iss, TcpSegment.SYN | TcpSegment.ACK, 0);
    }

    private void begin(int iss, TcpPhase phase) {
        s.phase = phase;
        s.una = iss;
        s.next = iss + 1;
        s.max = iss + 1;
        s.written = iss + 1;
    }

    /** Takes over what a SYN says. */
    private void peer(TcpSegment syn) {
        s.received.begin(syn.seq + 1);
        s.told = syn.seq + 1;
        s.edge = syn.seq + 1;
        boolean scaled = syn.scale != TcpSegment.NONE;
        s.sendScale = scaled ? syn.scale : 0;
        s.receiveScale = scaled ? spec.scale() : 0;
        s.mss = Math.min(spec.mss(), syn.mss == TcpSegment.NONE ? 536 : syn.mss);
        s.window = syn.window;
        s.windowSeq = syn.seq;
        s.windowAck = syn.ack;
        s.reno.begin(s.mss, s.una);
    }

    /** Returns the bytes that may be written now. */
    public int space() {
        return s.sendRing.capacity() - Math.max(0, s.written - s.una);
    }

    /** Appends bytes to the stream, at most {@link #space}; they are sent with {@link #push}. */
    public void write(byte[] from, int off, int length) {
        s.sendRing.put(s.written, from, off, length);
        s.written += length;
    }

    /** Sends what windows allow. */
    public void push(long now) {
        sender.push(now);
    }

    /** Returns the bytes that can be read. */
    public int readable() {
        return s.received.readable(s.finReceived ? s.finSeq : s.received.next());
    }

    /** Returns whether the peer sends no more, and everything was read. */
    public boolean isAtEnd() {
        return s.finReceived && readable() == 0;
    }

    /** Reads bytes of the stream, at most {@link #readable}; tells the peer if that opens the window much. */
    public void read(byte[] to, int off, int length) {
        s.received.read(to, off, length);
        int announced = s.edge - s.received.next();
        // as tcp_cleanup_rbuf: if the window is at most half of what it may be, which is 64 KB at first, and can be
        // doubled
        if (s.phase.isSynchronized()
                && 2 * announced <= Math.min(spec.receiveBytes(), FIRST_WINDOW)
                && s.received.space() >= Math.max(2 * announced, s.mss)) {
            sender.ack();
        }
    }

    /** Sends no more once everything written was sent. */
    public void close(long now) {
        if (s.finWanted) {
            return;
        }
        s.finWanted = true;
        switch (s.phase) {
            case ESTABLISHED -> s.phase = TcpPhase.FIN_WAIT_1;
            case CLOSE_WAIT -> s.phase = TcpPhase.LAST_ACK;
            case SYN_SENT -> over();
            default -> {}
        }
        sender.push(now);
    }

    /** Ends the connection at once and tells the peer. */
    public void abort() {
        if (s.phase != TcpPhase.CLOSED && s.phase != TcpPhase.SYN_SENT) {
            sender.send(s.max, TcpSegment.RST | TcpSegment.ACK, 0);
        }
        over();
    }

    private void over() {
        s.phase = TcpPhase.CLOSED;
        s.rtoAt = TcpState.NEVER;
        s.ackAt = TcpState.NEVER;
        s.probeAt = TcpState.NEVER;
        s.waitUntil = TcpState.NEVER;
    }

    private void fail(String why) {
        over();
        user.failed(why);
    }

    /** Returns the time of the next {@link #expired}, {@code Long.MAX_VALUE} if there is none. */
    public long deadline() {
        return Math.min(Math.min(s.rtoAt, s.ackAt), Math.min(s.probeAt, s.waitUntil));
    }

    /** Does what is due. */
    public void expired(long now) {
        if (now >= s.waitUntil) {
            over();
            return;
        }
        if (now >= s.ackAt) {
            s.delayedAcks++;
            sender.ack();
        }
        if (now >= s.probeAt) {
            sender.probe(now);
        }
        if (now >= s.rtoAt && !sender.timeout(now)) {
            fail("timed out after " + spec.retries() + " retries");
        }
    }

    /** Takes a segment of this flow; its data stand in an array from {@code dataAt} on. */
    public void arrived(TcpSegment in, byte[] frame, long now) {
        switch (s.phase) {
            case CLOSED -> {}
            case SYN_SENT -> answered(in, now);
            default -> numbered(in, frame, now);
        }
    }

    private void answered(TcpSegment in, long now) {
        boolean wrong = in.has(TcpSegment.ACK) && in.ack != s.next;
        if (wrong) {
            return;
        }
        if (in.has(TcpSegment.RST)) {
            if (in.has(TcpSegment.ACK)) {
                fail("connection refused");
            }
            return;
        }
        if (!in.has(TcpSegment.SYN)) {
            return;
        }
        peer(in);
        if (!in.has(TcpSegment.ACK)) {
            s.phase = TcpPhase.SYN_RECEIVED; // both ends have opened
            sender.send(s.una, TcpSegment.SYN | TcpSegment.ACK, 0);
            return;
        }
        established(in, now);
        sender.ack();
        sender.push(now);
    }

    private void established(TcpSegment in, long now) {
        s.roundTrip.acked(in.ack, now);
        s.una = in.ack;
        s.retries = 0;
        s.rtoAt = TcpState.NEVER;
        s.phase = s.finWanted ? TcpPhase.FIN_WAIT_1 : TcpPhase.ESTABLISHED;
        user.connected();
    }

    private void numbered(TcpSegment in, byte[] frame, long now) {
        boolean again = s.phase == TcpPhase.SYN_RECEIVED && in.has(TcpSegment.SYN) && in.seq + 1 == s.received.next();
        if (again && !in.has(TcpSegment.ACK)) {
            sender.send(s.una, TcpSegment.SYN | TcpSegment.ACK, 0);
            return;
        }
        if (!isAcceptable(in)) {
            if (!in.has(TcpSegment.RST)) {
                sender.ack();
            }
            return;
        }
        if (in.has(TcpSegment.RST)) {
            if (s.phase.compareTo(TcpPhase.CLOSING) >= 0) {
                over(); // both ends had said all they wanted to
            } else {
                fail("reset by peer");
            }
            return;
        }
        if (!in.has(TcpSegment.ACK)) {
            return;
        }
        if (in.has(TcpSegment.SYN) && !again) {
            sender.ack(); // RFC 5961: a challenge
            return;
        }
        if (TcpSegment.before(s.max, in.ack)) {
            sender.ack();
            return;
        }
        if (s.phase == TcpPhase.SYN_RECEIVED) {
            if (in.ack != s.next) {
                return;
            }
            established(in, now);
            s.windowSeq = in.seq - 1;
        }
        acked(in, now);
        if (s.phase != TcpPhase.CLOSED) {
            data(in, frame, now);
        }
        sender.push(now);
    }

    /** RFC 9293, section 3.10.7.4: something of it lies in the window. */
    private boolean isAcceptable(TcpSegment in) {
        int next = s.received.next();
        int window = Math.max(s.received.space(), s.edge - next);
        int first = in.seq - next;
        int last = first + Math.max(1, in.length()) - 1;
        if (s.finReceived && in.length() == 0) {
            return first == 0;
        }
        if (window == 0) {
            return in.length() == 0 && first == 0;
        }
        return (first >= 0 && first < window)
                || (in.length() > 0 && last >= 0 && last < window)
                || (first < 0 && last >= window);
    }

    private void acked(TcpSegment in, long now) {
        boolean news = sender.acked(in, now);
        boolean finAcked = s.finWanted && s.una - s.written > 0;
        if (finAcked) {
            switch (s.phase) {
                case FIN_WAIT_1 -> s.phase = TcpPhase.FIN_WAIT_2;
                case CLOSING -> timeWait(now);
                case LAST_ACK -> over();
                default -> {}
            }
        }
        if (news) {
            user.writable();
        }
    }

    private void timeWait(long now) {
        s.phase = TcpPhase.TIME_WAIT;
        s.rtoAt = TcpState.NEVER;
        s.waitUntil = now + spec.timeWaitPs();
    }

    private void data(TcpSegment in, byte[] frame, long now) {
        if (in.length() == 0) {
            return;
        }
        int gained = s.finReceived ? 0 : s.received.take(in.seq, frame, in.dataAt, in.dataBytes);
        if (in.has(TcpSegment.FIN) && !s.finSeen) {
            s.finSeen = true;
            s.finSeq = in.seq + in.dataBytes;
        }
        boolean ends = s.finSeen && !s.finReceived && s.received.next() == s.finSeq;
        if (ends) {
            s.received.skip();
            s.finReceived = true;
            switch (s.phase) {
                case ESTABLISHED -> s.phase = TcpPhase.CLOSE_WAIT;
                case FIN_WAIT_1 -> s.phase = TcpPhase.CLOSING;
                case FIN_WAIT_2 -> timeWait(now);
                default -> {}
            }
        }
        acknowledge(gained == 0 || ends || s.received.hasGap(), now);
        if (gained > 0 || ends) {
            user.readable();
        }
    }

    /** As __tcp_ack_snd_check: at once behind more than one full segment, or if something is out of order. */
    private void acknowledge(boolean atOnce, long now) {
        if (atOnce || spec.delayedAckPs() == 0 || s.received.next() - s.told > s.mss) {
            sender.ack();
        } else {
            s.ackAt = Math.min(s.ackAt, now + spec.delayedAckPs());
        }
    }

    /** Returns the congestion window in bytes. */
    public int congestionWindow() {
        return s.reno.window();
    }

    /** Returns the bytes of the largest segment that is sent. */
    public int segmentBytes() {
        return s.mss;
    }

    /** Returns the timeout in ps. */
    public long rto() {
        return s.roundTrip.rto();
    }

    /** Returns the smoothed round trip in ps, -1 before the first was measured. */
    public long roundTrip() {
        return s.roundTrip.smoothed();
    }

    /** Returns the segments sent again. */
    public long resent() {
        return s.resent;
    }

    /** Returns the timeouts. */
    public long timeouts() {
        return s.timeouts;
    }

    /** Returns the segments sent again behind duplicates. */
    public long fastResent() {
        return s.fastResent;
    }

    /** Returns the acknowledgements without data. */
    public long pureAcks() {
        return s.pureAcks;
    }

    /** Returns the acknowledgements that waited as long as they may. */
    public long delayedAcks() {
        return s.delayedAcks;
    }

    @Override
    public void save(Snapshot out) {
        s.save(out);
    }

    @Override
    public void load(Snapshot in) {
        s.load(in);
    }
}
