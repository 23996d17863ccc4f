package dev.clockwire.bench.live;

import dev.clockwire.roce.verbs.Gid;
import dev.clockwire.roce.wire.FrameEncoder;
import dev.clockwire.sim.capture.PcapngWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Lets simulated time follow real time: frames of the outside enter at the present, what the NIC sends leaves when the simulation has come there. A machine that is too slow
 * for that lets simulated time lag behind, which the peer sees as a slow network.
 */
final class LiveRun {
    private static final int IPV4 = 0x0800;
    private static final long IDLE_MILLIS = 2;
    /** Frames taken at once: a flood must not stop simulated time. */
    private static final int BATCH = 64;

    private static final long PS_PER_NS = 1000;
    /** Simulated time never moves further at once, so that a pause of this process is no timeout of the NIC. */
    private static final long LONGEST_STEP_PS = TimeUnit.MILLISECONDS.toNanos(20) * PS_PER_NS;

    private final FramePort port;
    private final Station station;
    private final Gateway gateway;
    private final Consumer<String> events;
    private final @Nullable PcapngWriter capture;
    private final ByteBuffer frame = ByteBuffer.allocate(FramePort.MAX_FRAME);
    private long peerMac = -1;

    /** Creates the run; {@code capture} gets the frames of both directions, interface 0 what comes in, 1 what goes out. */
    LiveRun(FramePort port, Station station, Gateway gateway, Consumer<String> events, @Nullable PcapngWriter capture) {
        this.port = port;
        this.station = station;
        this.gateway = gateway;
        this.events = events;
        this.capture = capture;
    }

    /**
     * Runs until the program is over.
     *
     * @param stop asked now and then: the user wants an end
     * @return false if the user ended it
     */
    boolean run(LiveProgram program, BooleanSupplier stop) throws IOException {
        long before = System.nanoTime();
        while (!program.isOver()) {
            if (stop.getAsBoolean()) {
                return false;
            }
            int taken = 0;
            while (taken < BATCH && port.receive(frame, taken == 0 ? IDLE_MILLIS : 0)) {
                taken++;
                take(program);
            }
            long now = System.nanoTime();
            long step = Math.min((now - before) * PS_PER_NS, LONGEST_STEP_PS);
            before = now;
            station.sim().run(station.sim().now() + Math.max(1, step));
            program.poll();
            leave();
        }
        leave();
        return true;
    }

    private void leave() throws IOException {
        for (ByteBuffer out = gateway.next(); out != null; out = gateway.next()) {
            send(out);
        }
    }

    private void send(ByteBuffer out) throws IOException {
        record(1, out);
        port.send(out);
    }

    private void record(int direction, ByteBuffer data) {
        PcapngWriter file = capture;
        if (file != null) {
            byte[] bytes = new byte[data.limit()];
            data.get(0, bytes);
            file.write(direction, station.sim().now(), bytes, 0, bytes.length, bytes.length);
        }
    }

    private void take(LiveProgram program) throws IOException {
        record(0, frame);
        if (Arp.isArp(frame)) {
            learn(program, Arp.senderIp(frame), Arp.senderMac(frame));
            @Nullable
            ByteBuffer answer = Arp.answer(
                    frame, station.address().ipv4(), station.address().mac());
            if (answer != null) {
                send(answer);
            }
        } else if (isRoce()) {
            learn(program, frame.getInt(26), ((frame.getShort(6) & 0xFFFFL) << 32) | (frame.getInt(8) & 0xFFFF_FFFFL));
            gateway.arrive(frame);
        }
    }

    private boolean isRoce() {
        return frame.limit() >= 42
                && Arp.etherType(frame) == IPV4
                && frame.get(14) == 0x45
                && frame.get(23) == 17
                && frame.getInt(30) == station.address().ipv4()
                && (frame.getShort(36) & 0xFFFF) == FrameEncoder.UDP_PORT;
    }

    private void learn(LiveProgram program, int ip, long mac) {
        if (mac == peerMac) {
            return;
        }
        boolean first = peerMac < 0;
        peerMac = mac;
        station.learn(Gid.ofIpv4(ip), mac);
        if (first) {
            events.accept(String.format(
                    "peer %d.%d.%d.%d at %012x", ip >>> 24, (ip >> 16) & 0xFF, (ip >> 8) & 0xFF, ip & 0xFF, mac));
            program.begin();
        }
    }
}
