package dev.clockwire.storage.hoststack.tcp;

/** The sending half of a connection: what may be sent, what must be sent again, what acknowledgements mean. */
final class TcpSender {
    private static final int LARGEST_WINDOW = 0xFFFF;

    private final TcpSpec spec;
    private final TcpState s;
    private final TcpFlow flow;
    private final TcpOutput output;
    private final TcpSegment headers = new TcpSegment();

    TcpSender(TcpSpec spec, TcpState s, TcpFlow flow, TcpOutput output) {
        this.spec = spec;
        this.s = s;
        this.flow = flow;
        this.output = output;
    }

    /** Sends a segment; everything but a first SYN and a reset tells what was received and how much may come. */
    void send(int seq, int flags, int bytes) {
        headers.flow(flow);
        headers.seq = seq;
        headers.flags = flags;
        boolean syn = (flags & TcpSegment.SYN) != 0;
        if (syn) {
            headers.mss = spec.mss();
            headers.scale = spec.scale();
        }
        if ((flags & TcpSegment.ACK) != 0) {
            headers.ack = s.received.next();
            s.told = headers.ack;
            s.ackAt = TcpState.NEVER;
        }
        headers.window = announce(syn ? 0 : s.receiveScale);
        output.send(headers, s.sendRing, bytes);
    }

    /** Announces a window; its end never goes back. */
    private int announce(int scale) {
        int open = Math.max(s.received.space(), s.phase.isSynchronized() ? s.edge - s.received.next() : 0);
        int window = Math.min(LARGEST_WINDOW, open >> scale);
        s.edge = s.received.next() + (window << scale);
        return window;
    }

    /** Sends an acknowledgement alone; also while old data are sent again it has the number that the peer waits for at most. */
    void ack() {
        s.pureAcks++;
        send(s.max, TcpSegment.ACK, 0);
    }

    /** Sends whatever windows and data allow. */
    void push(long now) {
        while (s.phase.sends() && pushOne(now)) {
            // until nothing more may be sent
        }
        boolean waits = TcpSegment.before(s.next, s.written) && s.una == s.max;
        if (!waits || s.window > 0) {
            s.probeAt = TcpState.NEVER;
        } else if (s.probeAt == TcpState.NEVER) {
            s.probeAt = now + s.roundTrip.rto();
        }
    }

    private boolean pushOne(long now) {
        int left = s.written - s.next;
        if (left <= 0) {
            boolean due = left == 0 && s.finWanted;
            if (due) {
                advance(1, TcpSegment.FIN | TcpSegment.ACK, 0, now);
            }
            return due;
        }
        int flight = s.next - s.una;
        int usable = Math.min(s.window, s.reno.window()) - flight;
        int largest = spec.gsoBytes() < s.mss ? s.mss : spec.gsoBytes() / s.mss * s.mss;
        int n = Math.min(Math.min(left, usable), largest);
        if (n < left && n > s.mss) {
            n -= n % s.mss; // whole segments but for the last one
        }
        boolean silly = n < left && n < s.mss && flight > 0;
        if (n <= 0 || silly) {
            return false;
        }
        advance(n, n == left ? TcpSegment.ACK | TcpSegment.PSH : TcpSegment.ACK, n, now);
        return true;
    }

    private void advance(int length, int flags, int bytes, long now) {
        if (s.next == s.max) {
            s.roundTrip.sent(s.next + length, now);
        } else {
            s.resent++;
        }
        int seq = s.next;
        s.next += length;
        s.max = TcpSegment.before(s.max, s.next) ? s.next : s.max;
        if (s.rtoAt == TcpState.NEVER) {
            s.rtoAt = now + s.roundTrip.rto();
        }
        send(seq, flags, bytes);
    }

    /** Sends the oldest segment again. */
    private void again() {
        s.resent++;
        s.roundTrip.again();
        int n = Math.min(s.mss, s.written - s.una);
        send(s.una, TcpSegment.ACK | (n > 0 ? 0 : TcpSegment.FIN), Math.max(0, n));
    }

    /** Takes an acknowledgement number that is not beyond what was sent; returns whether something new is acknowledged. */
    boolean acked(TcpSegment in, long now) {
        int before = s.window;
        updateWindow(in);
        int bytes = in.ack - s.una;
        if (bytes > 0) {
            s.roundTrip.acked(in.ack, now);
            s.una = in.ack;
            s.next = TcpSegment.before(s.next, s.una) ? s.una : s.next;
            s.retries = 0;
            s.rtoAt = s.una == s.max ? TcpState.NEVER : now + s.roundTrip.rto();
            if (s.reno.acked(bytes, s.una, s.max - s.una)) {
                again();
            }
        } else if (bytes == 0 && s.una != s.max && in.length() == 0 && before == s.window) {
            if (s.reno.duplicate(s.una, s.max)) {
                s.fastResent++;
                again();
            }
        }
        return bytes > 0;
    }

    private void updateWindow(TcpSegment in) {
        boolean newer = TcpSegment.before(s.windowSeq, in.seq)
                || (s.windowSeq == in.seq && !TcpSegment.before(in.ack, s.windowAck));
        if (newer) {
            s.window = in.window << (in.has(TcpSegment.SYN) ? 0 : s.sendScale);
            s.windowSeq = in.seq;
            s.windowAck = in.ack;
        }
    }

    /** The timeout has passed; returns false if it was one too many. */
    boolean timeout(long now) {
        s.timeouts++;
        if (++s.retries > spec.retries()) {
            return false;
        }
        s.roundTrip.expired();
        s.rtoAt = now + s.roundTrip.rto();
        switch (s.phase) {
            case SYN_SENT -> syn(TcpSegment.SYN);
            case SYN_RECEIVED -> syn(TcpSegment.SYN | TcpSegment.ACK);
            default -> {
                s.reno.expired(s.una, s.max);
                s.next = s.una;
                push(now);
            }
        }
        return true;
    }

    private void syn(int flags) {
        s.resent++;
        send(s.una, flags, 0);
    }

    /** Asks a peer whose window is shut: a number that it has must be answered. */
    void probe(long now) {
        s.probeAt = now + s.roundTrip.rto();
        send(s.una - 1, TcpSegment.ACK, 0);
    }
}
