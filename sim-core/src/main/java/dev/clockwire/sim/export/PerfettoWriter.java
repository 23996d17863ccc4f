package dev.clockwire.sim.export;

import java.io.IOException;
import java.io.OutputStream;

/**
 * Writes a timeline as a Perfetto trace of TrackEvents, which ui.perfetto.dev opens. Tracks form a tree below processes; slices on one
 * track nest and must not overlap otherwise. Times are given in ps and written in ns, rounded down; args may carry the exact ones.
 * Field numbers are those of Perfetto's {@code trace_packet.proto}, {@code track_event.proto} and {@code track_descriptor.proto}.
 */
public final class PerfettoWriter {
    private static final int SEQUENCE = 1;
    private static final int SLICE_BEGIN = 1;
    private static final int SLICE_END = 2;
    private static final int INSTANT = 3;
    private static final int COUNTER = 4;

    private final OutputStream out;
    private final ProtoBuffer trace = new ProtoBuffer();
    private final ProtoBuffer packet = new ProtoBuffer();
    private final ProtoBuffer message = new ProtoBuffer();
    private final ProtoBuffer inner = new ProtoBuffer();
    private long tracks;
    private int processes;
    private long eventNs;

    /** Creates a writer to a stream, which stays open. */
    public PerfettoWriter(OutputStream out) {
        this.out = out;
    }

    /** Declares a process, the top of a tree of tracks: a host, a switch. Returns its track. */
    public long process(String name) {
        return process(name, "");
    }

    /** Declares a process and the command that made all of them, empty if nobody knows it. */
    public long process(String name, String command) {
        long uuid = ++tracks;
        inner.clear();
        inner.varint(1, ++processes);
        if (!command.isEmpty()) {
            inner.string(2, command);
        }
        inner.string(6, name);
        message.clear();
        message.varint(1, uuid);
        message.message(3, inner);
        descriptor();
        return uuid;
    }

    /** Declares a track below another one and returns it. Tracks of one name and parent are shown as one with several lanes. */
    public long track(long parent, String name) {
        long uuid = ++tracks;
        message.clear();
        message.varint(1, uuid);
        message.string(2, name);
        message.varint(5, parent);
        descriptor();
        return uuid;
    }

    /** Declares a track of a value over time below another one and returns it. */
    public long counterTrack(long parent, String name, String unit) {
        long uuid = ++tracks;
        inner.clear();
        if (!unit.isEmpty()) {
            inner.string(6, unit);
        }
        message.clear();
        message.varint(1, uuid);
        message.string(2, name);
        message.varint(5, parent);
        message.message(8, inner);
        descriptor();
        return uuid;
    }

    /** Starts a slice; args and flows may be added until {@link #write}. */
    public PerfettoWriter begin(long track, long ps, String name) {
        event(SLICE_BEGIN, track, ps);
        message.string(23, name);
        return this;
    }

    /** Ends the innermost slice of a track, to be followed by {@link #write}. */
    public PerfettoWriter end(long track, long ps) {
        event(SLICE_END, track, ps);
        return this;
    }

    /** Marks an instant; args and flows may be added until {@link #write}. */
    public PerfettoWriter instant(long track, long ps, String name) {
        event(INSTANT, track, ps);
        message.string(23, name);
        return this;
    }

    /** Sets the value of a counter track, to be followed by {@link #write}. */
    public PerfettoWriter counter(long track, long ps, long value) {
        event(COUNTER, track, ps);
        message.varint(30, value);
        return this;
    }

    /** Adds an argument to the event. */
    public PerfettoWriter arg(String name, long value) {
        inner.clear();
        inner.string(10, name);
        inner.varint(4, value);
        message.message(4, inner);
        return this;
    }

    /** Adds an argument to the event. */
    public PerfettoWriter arg(String name, double value) {
        inner.clear();
        inner.string(10, name);
        inner.number(5, value);
        message.message(4, inner);
        return this;
    }

    /** Adds an argument to the event. */
    public PerfettoWriter arg(String name, String value) {
        inner.clear();
        inner.string(10, name);
        inner.string(6, value);
        message.message(4, inner);
        return this;
    }

    /** Connects the event with the events of the same flow before and after it by an arrow. */
    public PerfettoWriter flow(long id) {
        message.fixed64(47, id);
        return this;
    }

    /** Connects the event with those of a flow before it: the flow ends here. */
    public PerfettoWriter lastOfFlow(long id) {
        message.fixed64(48, id);
        return this;
    }

    /** Writes the event. */
    public void write() {
        packet.clear();
        packet.varint(8, eventNs);
        packet.varint(10, SEQUENCE);
        packet.message(11, message);
        send();
    }

    private void event(int type, long track, long ps) {
        eventNs = Math.floorDiv(ps, 1000L);
        message.clear();
        message.varint(9, type);
        message.varint(11, track);
    }

    private void descriptor() {
        packet.clear();
        packet.varint(10, SEQUENCE);
        packet.message(60, message);
        send();
    }

    private void send() {
        trace.clear();
        trace.message(1, packet);
        try {
            trace.writeTo(out);
        } catch (IOException e) {
            throw AtomicFile.unwritable("timeline", e);
        }
    }
}
