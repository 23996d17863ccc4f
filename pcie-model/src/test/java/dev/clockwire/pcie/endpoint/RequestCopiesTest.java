package dev.clockwire.pcie.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.pcie.tlp.CompletionStatus;
import dev.clockwire.sim.mem.Payload;
import dev.clockwire.sim.state.Token;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Copies of requests, which snapshots keep: nothing is forgotten, nothing is shared; and what their digests tell apart. */
class RequestCopiesTest {
    private static List<Field> fields(Token t) {
        List<Field> all = new ArrayList<>();
        for (Field f : t.getClass().getDeclaredFields()) {
            if (!Modifier.isStatic(f.getModifiers()) && !f.isSynthetic()) {
                all.add(f);
            }
        }
        return all;
    }

    /** Gives every field another value than a new token has; ports and inlets stay empty. */
    private static void fill(Token t) throws IllegalAccessException {
        int next = 3;
        for (Field f : fields(t)) {
            next++;
            if (f.getType() == int.class) {
                f.setInt(t, next);
            } else if (f.getType() == long.class) {
                f.setLong(t, 1_000L + next);
            } else if (f.getType() == boolean.class) {
                f.setBoolean(t, true);
            } else if (f.getType() == CompletionStatus.class) {
                f.set(t, CompletionStatus.CA);
            } else if (f.getType() == DmaError.class) {
                f.set(t, DmaError.POISONED);
            } else if (f.get(t) instanceof Payload p) {
                p.appendBytes(new byte[] {1, 2, 3}, 0, 3);
            } else if (f.get(t) instanceof byte[] bytes) {
                bytes[2] = 77;
            }
        }
    }

    private static Object content(Object value) {
        if (value instanceof Payload p) {
            byte[] bytes = new byte[p.length()];
            p.copyTo(0, bytes, 0, bytes.length);
            return bytes;
        }
        return value;
    }

    private static void copiesAll(Token t, Token copy) throws IllegalAccessException {
        for (Field f : fields(t)) {
            assertThat(content(f.get(copy))).as(f.getName()).isEqualTo(content(f.get(t)));
            if (f.get(t) instanceof Payload || f.get(t) instanceof byte[]) {
                assertThat(f.get(copy)).as(f.getName()).isNotSameAs(f.get(t));
            }
        }
        assertThat(copy.digest()).isEqualTo(t.digest());
    }

    @Test
    void aCopyHasAllOfIt() throws IllegalAccessException {
        DmaRead read = new DmaRead();
        fill(read);
        copiesAll(read, read.copy());
        DmaWrite write = new DmaWrite();
        fill(write);
        copiesAll(write, write.copy());
        MmioWrite store = new MmioWrite();
        fill(store);
        copiesAll(store, store.copy());
    }

    @Test
    void digestsTellPlacesAndLengthsApart() {
        Set<Long> reads = new HashSet<>();
        Set<Long> writes = new HashSet<>();
        Set<Long> stores = new HashSet<>();
        for (int place = 0; place < 8; place++) {
            for (int length = 1; length <= 8; length++) {
                DmaRead r = new DmaRead();
                r.address = 0x1000 + 8L * place;
                r.length = length;
                reads.add(r.digest());
                DmaWrite w = new DmaWrite();
                w.address = r.address;
                w.length = length;
                writes.add(w.digest());
                for (int bar = 0; bar < 6; bar++) {
                    MmioWrite m = new MmioWrite();
                    m.offset = r.address;
                    m.length = length;
                    m.bar = bar;
                    stores.add(m.digest());
                }
            }
        }
        assertThat(reads).hasSize(64);
        assertThat(writes).hasSize(64);
        assertThat(stores).hasSize(6 * 64);
    }
}
