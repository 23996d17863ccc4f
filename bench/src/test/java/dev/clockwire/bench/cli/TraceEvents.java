package dev.clockwire.bench.cli;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A Perfetto trace read back: nothing of it shares a line with what has written it. */
final class TraceEvents {
    private static final int PACKET = 1;
    private static final int TRACK_EVENT = 11;
    private static final int TRACK_DESCRIPTOR = 60;
    private static final int END_OF_SLICE = 2;

    private final List<Event> events = new ArrayList<>();
    private final Map<Long, String> tracks = new TreeMap<>();

    /** What starts a slice, or is an instant. */
    record Event(String track, String name, Map<String, String> args, List<Long> flows, List<Long> ends) {
        long number(String arg) {
            return Long.parseLong(args.getOrDefault(arg, "0"));
        }

        String text(String arg) {
            return args.getOrDefault(arg, "");
        }
    }

    private static final class Field {
        final int number;
        final long value;
        final byte[] bytes;

        Field(int number, long value, byte[] bytes) {
            this.number = number;
            this.value = value;
            this.bytes = bytes;
        }

        String text() {
            return new String(bytes, StandardCharsets.UTF_8);
        }
    }

    static TraceEvents of(byte[] trace) {
        TraceEvents all = new TraceEvents();
        for (Field packet : fields(trace)) {
            if (packet.number != PACKET) {
                throw new AssertionError("field " + packet.number + " at the top");
            }
            for (Field f : fields(packet.bytes)) {
                if (f.number == TRACK_DESCRIPTOR) {
                    all.track(f.bytes);
                } else if (f.number == TRACK_EVENT) {
                    all.event(f.bytes);
                }
            }
        }
        return all;
    }

    List<Event> events() {
        return events;
    }

    private void track(byte[] message) {
        long uuid = 0;
        String name = "";
        String parent = "";
        for (Field f : fields(message)) {
            switch (f.number) {
                case 1 -> uuid = f.value;
                case 2 -> name = f.text();
                case 3 ->
                    name = fields(f.bytes).stream()
                            .filter(p -> p.number == 6)
                            .findFirst()
                            .orElseThrow()
                            .text();
                case 5 -> parent = tracks.getOrDefault(f.value, "undeclared") + "/";
                default -> {}
            }
        }
        tracks.put(uuid, parent + name);
    }

    private void event(byte[] message) {
        Map<String, String> args = new TreeMap<>();
        List<Long> flows = new ArrayList<>();
        List<Long> ends = new ArrayList<>();
        String name = "";
        String track = "";
        long type = 0;
        for (Field f : fields(message)) {
            switch (f.number) {
                case 4 -> arg(f.bytes, args);
                case 9 -> type = f.value;
                case 11 -> track = tracks.getOrDefault(f.value, "undeclared");
                case 23 -> name = f.text();
                case 47 -> flows.add(f.value);
                case 48 -> ends.add(f.value);
                default -> throw new AssertionError("field " + f.number + " of an event");
            }
        }
        if (type != END_OF_SLICE) {
            events.add(new Event(track, name, args, flows, ends));
        }
    }

    private static void arg(byte[] message, Map<String, String> to) {
        String name = "";
        String value = "";
        for (Field f : fields(message)) {
            if (f.number == 10) {
                name = f.text();
            } else {
                value = f.number == 4 ? Long.toString(f.value) : f.text();
            }
        }
        to.put(name, value);
    }

    private static List<Field> fields(byte[] message) {
        ByteBuffer in = ByteBuffer.wrap(message).order(ByteOrder.LITTLE_ENDIAN);
        List<Field> fields = new ArrayList<>();
        while (in.hasRemaining()) {
            int key = (int) varint(in);
            byte[] bytes = {};
            long value = 0;
            switch (key & 7) {
                case 0 -> value = varint(in);
                case 1 -> value = in.getLong();
                case 2 -> {
                    bytes = new byte[(int) varint(in)];
                    in.get(bytes);
                }
                default -> throw new AssertionError("wire type " + (key & 7));
            }
            fields.add(new Field(key >>> 3, value, bytes));
        }
        return fields;
    }

    private static long varint(ByteBuffer in) {
        long value = 0;
        for (int shift = 0; ; shift += 7) {
            byte b = in.get();
            value |= (long) (b & 0x7f) << shift;
            if (b >= 0) {
                return value;
            }
        }
    }
}
