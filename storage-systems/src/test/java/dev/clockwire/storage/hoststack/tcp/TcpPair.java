package dev.clockwire.storage.hoststack.tcp;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.PriorityQueue;

/** Two ends and a wire with a delay, on which things can happen to frames. */
final class TcpPair {
    static final long US = 1_000_000;
    static final long MS = 1000 * US;

    /** What happens to a frame. */
    interface Fate {
        /** Returns the delays with which copies of the frame arrive; none: it is lost. */
        long[] of(int number, boolean fromA, byte[] frame);
    }

    private static final class Flying {
        final long at;
        final long order;
        final boolean toB;
        final byte[] frame;

        Flying(long at, long order, boolean toB, byte[] frame) {
            this.at = at;
            this.order = order;
            this.toB = toB;
            this.frame = frame;
        }
    }

    /** A program at an end: writes what it has, reads what comes. */
    final class End implements TcpUser {
        final TcpConnection tcp;
        private final Segmentation cutter;
        private final Gro gro;
        private final boolean isA;
        private byte[] toSend = {};
        private int written;
        final List<byte[]> got = new ArrayList<>();
        int gotBytes;
        boolean closes;
        boolean reads = true;
        boolean connected;
        String failure = "";
        private final TcpSegment in = new TcpSegment();

        End(boolean isA, TcpSpec spec) {
            this.isA = isA;
            TcpFlow flow = new TcpFlow(
                    isA ? 1 : 2,
                    isA ? 2 : 1,
                    isA ? 0x0A00_0001 : 0x0A00_0002,
                    isA ? 0x0A00_0002 : 0x0A00_0001,
                    isA ? 40_000 : 4420,
                    isA ? 4420 : 40_000);
            cutter = new Segmentation(spec.mss(), true);
            tcp = new TcpConnection(
                    spec,
                    flow,
                    (h, data, n) -> cutter.cut(h, data, n, (f, l) -> transmit(isA, Arrays.copyOf(f, Math.max(60, l)))),
                    this);
            gro = new Gro(spec.gro(), this::segment);
        }

        private void segment(TcpSegment s, byte[] data) {
            if (tcp.phase() == TcpPhase.CLOSED && listening && s.has(TcpSegment.SYN) && !isA) {
                listening = false;
                tcp.accept(s, 7000, now);
            } else if (tcp.phase() == TcpPhase.CLOSED && !s.has(TcpSegment.RST)) {
                byte[] f = new byte[60];
                new TcpSegment().refuse(s).write(f, 0, true);
                transmit(isA, f);
            } else {
                tcp.arrived(s, data, now);
            }
        }

        void frame(byte[] f) {
            if (in.read(f, f.length, false)) {
                gro.add(in, f);
            } else {
                broken++;
            }
        }

        void send(byte[] bytes) {
            toSend = bytes;
            written = 0;
            go();
        }

        void go() {
            if (!connected) {
                return;
            }
            int n = Math.min(tcp.space(), toSend.length - written);
            if (n > 0) {
                tcp.write(toSend, written, n);
                written += n;
            }
            tcp.push(now);
            if (closes && written == toSend.length) {
                tcp.close(now);
            }
        }

        void read() {
            int n = tcp.readable();
            if (n > 0) {
                byte[] b = new byte[n];
                tcp.read(b, 0, n);
                got.add(b);
                gotBytes += n;
            }
        }

        byte[] received() {
            byte[] all = new byte[gotBytes];
            int at = 0;
            for (byte[] b : got) {
                System.arraycopy(b, 0, all, at, b.length);
                at += b.length;
            }
            return all;
        }

        @Override
        public void connected() {
            connected = true;
            go();
        }

        @Override
        public void readable() {
            if (reads) {
                read();
            }
        }

        @Override
        public void writable() {
            go();
        }

        @Override
        public void failed(String why) {
            failure = why;
        }
    }

    final End a;
    final End b;
    final List<byte[]> frames = new ArrayList<>();
    final List<Long> sentAt = new ArrayList<>();
    final List<Boolean> fromA = new ArrayList<>();
    boolean listening = true;
    int broken;
    long now;
    private final PriorityQueue<Flying> wire =
            new PriorityQueue<>((x, y) -> x.at != y.at ? Long.compare(x.at, y.at) : Long.compare(x.order, y.order));
    private final Fate fate;
    private long order;

    TcpPair(TcpSpec specA, TcpSpec specB, Fate fate) {
        this.fate = fate;
        a = new End(true, specA);
        b = new End(false, specB);
    }

    static TcpPair lossless(TcpSpec spec, long delay) {
        return new TcpPair(spec, spec, (n, from, f) -> new long[] {delay});
    }

    private void transmit(boolean isA, byte[] frame) {
        int number = frames.size();
        frames.add(frame.clone());
        sentAt.add(now);
        fromA.add(isA);
        for (long delay : fate.of(number, isA, frame)) {
            wire.add(new Flying(now + delay, order++, isA, frame.clone()));
        }
    }

    /** Runs until a time, or until nothing is to be done. */
    void run(long until) {
        while (true) {
            Flying next = wire.peek();
            long at = Math.min(next == null ? Long.MAX_VALUE : next.at, Math.min(a.tcp.deadline(), b.tcp.deadline()));
            if (at > until || at == Long.MAX_VALUE) {
                return;
            }
            now = Math.max(now, at);
            if (a.tcp.deadline() <= now) {
                a.tcp.expired(now);
            }
            if (b.tcp.deadline() <= now) {
                b.tcp.expired(now);
            }
            // a poll takes all that has come
            while (wire.peek() != null && wire.peek().at <= now) {
                Flying f = wire.remove();
                (f.toB ? b : a).frame(f.frame);
            }
            a.gro.flush();
            b.gro.flush();
        }
    }

    static byte[] bytes(int n, int seed) {
        byte[] b = new byte[n];
        new java.util.Random(seed).nextBytes(b);
        return b;
    }
}
