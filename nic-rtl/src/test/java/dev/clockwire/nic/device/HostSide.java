package dev.clockwire.nic.device;

import dev.clockwire.pcie.endpoint.DmaRead;
import dev.clockwire.pcie.endpoint.DmaWrite;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.Inlet;
import dev.clockwire.sim.Probe;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.SimModule;
import dev.clockwire.sim.SimNode;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import dev.clockwire.sim.state.Token;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The host's memory as a lone block sees it: 1 MB pieces that answer late and in any order, and take writes at once. */
final class HostSide extends SimNode {
    private static final int DEEP = 3;

    private final Probe probe = new Probe(this, "writes");
    private final Map<String, Inlet<?>> inlets = new HashMap<>();
    private final List<String> written = new ArrayList<>();
    private final Counts counts = state(new Counts());
    /** Fills what is read. */
    private Content content = (address, out, writes) -> {};

    /** What stands in memory, as a function of the address. */
    interface Content {
        /**
         * Fills bytes.
         *
         * @param writes so far to each piece of 1 MB
         */
        void read(long address, byte[] out, long[] writes);
    }

    private static final class Counts implements State {
        final long[] writes = new long[64];

        @Override
        public void save(Snapshot out) {
            out.putLongs(writes);
        }

        @Override
        public void load(Snapshot in) {
            in.getLongs(writes);
        }
    }

    HostSide(Sim sim) {
        super(sim.root(), "host");
    }

    void holds(Content what) {
        content = what;
    }

    /** Lets a block's answers come to it in a second simulation too: those under way know only the first one's inlets. */
    void answers(SimModule block) {
        find(block, DEEP);
    }

    private void find(Object in, int deep) {
        for (Class<?> c = in.getClass(); c.getName().startsWith("dev.clockwire.nic."); c = c.getSuperclass()) {
            find(in, c, deep);
        }
    }

    private void find(Object in, Class<?> c, int deep) {
        try {
            for (Field f : c.getDeclaredFields()) {
                boolean nics = f.getType().getName().startsWith("dev.clockwire.nic.");
                if (f.getType() == Inlet.class
                        || (nics && deep > 0 && !f.getType().isEnum())) {
                    f.setAccessible(true);
                    Object value = f.get(in);
                    if (value instanceof Inlet<?> inlet) {
                        inlets.put(inlet.path(), inlet);
                    } else if (value != null) {
                        find(value, deep - 1);
                    }
                }
            }
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }

    @SuppressWarnings("unchecked") // an inlet of the same path carries the same
    private <T extends Token> Inlet<T> here(@Nullable Inlet<T> inlet) {
        return (Inlet<T>)
                Objects.requireNonNull(inlets.get(Objects.requireNonNull(inlet).path()));
    }

    /** Returns what was written below an address, in order. */
    List<String> written(long from, long to) {
        return written.stream()
                .filter(w -> Arrays.stream(w.split(" "))
                        .limit(1)
                        .mapToLong(Long::parseLong)
                        .allMatch(a -> a >= from && a < to))
                .toList();
    }

    EventPort reads(String client) {
        EventPort answer = new EventPort(this, client + "Answers") {
            @Override
            protected void event(int kind, long a, long b, @Nullable Token token) {
                DmaRead read = (DmaRead) Objects.requireNonNull(token);
                byte[] bytes = new byte[read.length];
                content.read(read.address, bytes, counts.writes);
                read.into.appendBytes(bytes, 0, bytes.length);
                here(read.reply).write(read);
            }
        };
        return new EventPort(this, client + "Reads") {
            @Override
            protected void event(int kind, long a, long b, @Nullable Token token) {
                DmaRead read = (DmaRead) Objects.requireNonNull(token);
                answer.send(now() + 50_000 + read.address * 7919 % 300_000, 0, 0, 0, read);
            }
        };
    }

    EventPort writes(String client) {
        return new EventPort(this, client + "Writes") {
            @Override
            protected void event(int kind, long a, long b, @Nullable Token token) {
                DmaWrite write = (DmaWrite) Objects.requireNonNull(token);
                long sum = 0;
                for (int i = 0; i < write.length; i++) {
                    sum = sum * 31 + write.data.byteAt(write.offset + i);
                }
                probe.fold(now(), write.length, write.address + sum);
                counts.writes[(int) (write.address >>> 20) & 63]++;
                written.add(write.address + " " + write.length + " " + sum);
                if (write.done != null) {
                    here(write.done).write(write);
                }
            }
        };
    }
}
