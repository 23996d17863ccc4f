package dev.clockwire.sim.mem;

import static dev.clockwire.sim.mem.Allocation.Kind.BULK;
import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.sim.state.Snapshot;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Memory against the simplest possible model: an array with one entry per byte. */
class AddressSpaceProperties {
    private static final int LENGTH = 150_000; // three pages

    /** One step: fill, copy or write literal bytes. */
    record Step(int kind, int at, int len, int from, int writer, long sequence) {}

    @Provide
    Arbitrary<List<Step>> steps() {
        Arbitrary<Integer> place = Arbitraries.oneOf(
                Arbitraries.integers().between(0, LENGTH - 1),
                Arbitraries.integers().between(65_500, 65_600),
                Arbitraries.integers().between(0, 40));
        Arbitrary<Integer> size = Arbitraries.oneOf(
                Arbitraries.integers().between(0, 50), Arbitraries.integers().between(0, 70_000));
        return Combinators.combine(
                        Arbitraries.integers().between(0, 2),
                        place,
                        size,
                        place,
                        Arbitraries.integers().between(0, 3),
                        Arbitraries.longs().between(1, 3))
                .as(AddressSpaceProperties::clipped)
                .list()
                .ofMinSize(1)
                .ofMaxSize(30);
    }

    private static Step clipped(int kind, int at, int len, int from, int writer, long sequence) {
        return new Step(kind, at, Math.min(len, LENGTH - Math.max(at, from)), from, writer, sequence);
    }

    @Property(tries = 150)
    void bytesAreThoseOfAReferenceArray(@ForAll("steps") List<Step> steps) {
        AddressSpace memory = new AddressSpace("m", PayloadMode.BYTES);
        long base = memory.allocate("bulk", LENGTH, BULK).address();
        byte[] model = new byte[LENGTH];
        Payload payload = new Payload();
        for (Step s : steps) {
            apply(memory, base, s, payload);
            switch (s.kind) {
                case 0 -> PositionCode.fill(model, s.at, s.len, s.writer, s.sequence, 0);
                case 1 -> System.arraycopy(model, s.from, model, s.at, s.len);
                default -> Arrays.fill(model, s.at, s.at + s.len, (byte) s.sequence);
            }
        }
        byte[] all = new byte[LENGTH];
        memory.getBytes(base, all, 0, LENGTH);
        assertThat(Arrays.mismatch(all, model)).isEqualTo(-1);
        payload.clear();
        memory.read(base, LENGTH, payload);
        assertThat(Arrays.mismatch(Arrays.copyOf(payload.array(), LENGTH), model))
                .isEqualTo(-1);
        for (Step s : steps) {
            if (s.at < LENGTH - 8) {
                long expected = 0;
                for (int i = 7; i >= 0; i--) {
                    expected = (expected << 8) | (model[s.at + i] & 0xFF);
                }
                assertThat(memory.getLong(base + s.at)).isEqualTo(expected);
                assertThat(memory.getInt(base + s.at)).isEqualTo((int) expected);
                assertThat(memory.getShort(base + s.at)).isEqualTo((short) expected);
            }
        }
    }

    @Property(tries = 150)
    void originsAreThoseOfAReferenceList(@ForAll("steps") List<Step> steps) {
        AddressSpace memory = new AddressSpace("m", PayloadMode.SIZES);
        long base = memory.allocate("bulk", LENGTH, BULK).address();
        Origin[] model = new Origin[LENGTH];
        Arrays.fill(model, new Origin(0, 0, 0));
        Payload payload = new Payload();
        for (Step s : steps) {
            apply(memory, base, s, payload);
            Origin[] old = model.clone();
            for (int i = 0; i < s.len; i++) {
                model[s.at + i] = switch (s.kind) {
                    case 0 -> s.writer == 0 ? new Origin(0, 0, 0) : new Origin(s.writer, s.sequence, i);
                    case 1 -> old[s.from + i];
                    default -> new Origin(-1, s.sequence, 0);
                };
            }
        }
        payload.clear();
        memory.read(base, LENGTH, payload);
        assertThat(expand(payload)).isEqualTo(model);
        assertMerged(payload);
    }

    @Property(tries = 150)
    void sizesTellTheSameOriginAsBytes(@ForAll("steps") List<Step> steps) {
        AddressSpace bytes = new AddressSpace("b", PayloadMode.BYTES);
        AddressSpace sizes = new AddressSpace("s", PayloadMode.SIZES);
        long base = bytes.allocate("bulk", LENGTH, BULK).address();
        assertThat(sizes.allocate("bulk", LENGTH, BULK).address()).isEqualTo(base);
        Payload payload = new Payload();
        for (Step s : steps) {
            apply(bytes, base, s, payload);
            apply(sizes, base, s, payload);
        }
        byte[] actual = new byte[LENGTH];
        bytes.getBytes(base, actual, 0, LENGTH);
        payload.clear();
        sizes.read(base, LENGTH, payload);
        byte[] told = new byte[LENGTH];
        int at = 0;
        for (int i = 0; i < payload.pieces(); i++) {
            int n = payload.pieceLength(i);
            if (payload.isBytes(i)) {
                payload.copyTo(at, told, at, n);
            } else {
                PositionCode.fill(told, at, n, payload.writer(i), payload.sequence(i), payload.offset(i));
            }
            at += n;
        }
        assertThat(Arrays.mismatch(told, actual)).isEqualTo(-1);
    }

    @Property(tries = 100)
    void restoredMemoryIsThatOfTheSave(
            @ForAll("steps") List<Step> before, @ForAll("steps") List<Step> after, @ForAll PayloadMode mode) {
        AddressSpace memory = new AddressSpace("m", mode);
        Allocation bulk = memory.allocate("bulk", LENGTH, BULK);
        Payload scratch = new Payload();
        before.forEach(s -> apply(memory, bulk.address(), s, scratch));
        scratch.clear();
        memory.read(bulk.address(), LENGTH, scratch);
        Snapshot snapshot = new Snapshot();
        memory.save(snapshot);
        scratch.save(snapshot);
        snapshot.mark("end");

        Payload other = new Payload();
        after.forEach(s -> apply(memory, bulk.address(), s, other));
        Allocation late = memory.allocate("late", 64, BULK);
        memory.load(snapshot);
        other.load(snapshot);
        snapshot.expectMark("end");

        Payload restored = new Payload();
        memory.read(bulk.address(), LENGTH, restored);
        assertThat(restored.sameContent(scratch)).isTrue();
        assertThat(other.sameContent(scratch)).isTrue();
        assertThat(memory.find(bulk.address(), LENGTH)).isSameAs(bulk);
        assertThat(memory.allocations()).containsExactly(bulk);
        assertThat(memory.allocate("late", 64, BULK).address()).isEqualTo(late.address());
    }

    /** Large allocations have larger pages, and windows in leaves of which most are missing: nobody may see that. */
    @Property(tries = 40)
    void aPlaceInALargeAllocationIsAsOneOfItsOwn(@ForAll("steps") List<Step> steps, @ForAll PayloadMode mode) {
        AddressSpace memory = new AddressSpace("m", mode);
        long small = memory.allocate("small", LENGTH, BULK).address();
        Allocation large = memory.allocate("large", 1L << 30, BULK);
        long inside = large.address() + (256L << 20) - 65_536; // across the border of a leaf, and of a page
        Payload scratch = new Payload();
        for (Step s : steps) {
            apply(memory, small, s, scratch);
            apply(memory, inside, s, scratch);
        }
        assertThat(content(memory, inside).sameContent(content(memory, small))).isTrue();
        Snapshot snapshot = new Snapshot();
        memory.save(snapshot);
        memory.fill(large.address(), large.length(), 0, 0);
        memory.load(snapshot);
        assertThat(content(memory, inside).sameContent(content(memory, small))).isTrue();
        scratch.clear();
        memory.read(inside + LENGTH, 65_536, scratch);
        assertThat(scratch.sameContent(never(mode, 65_536))).isTrue();
    }

    private static Payload content(AddressSpace memory, long base) {
        Payload p = new Payload();
        memory.read(base, LENGTH, p);
        return p;
    }

    private static Payload never(PayloadMode mode, int bytes) {
        Payload p = new Payload();
        if (mode == PayloadMode.SIZES) {
            p.appendExtent(0, 0, 0, bytes);
        } else {
            p.appendZeros(bytes);
        }
        return p;
    }

    private static void apply(AddressSpace memory, long base, Step s, Payload scratch) {
        scratch.clear();
        switch (s.kind) {
            case 0 -> memory.fill(base + s.at, s.len, s.writer, s.sequence);
            case 1 -> {
                memory.read(base + s.from, s.len, scratch);
                memory.write(base + s.at, scratch, 0, s.len);
            }
            default -> {
                byte[] literal = new byte[s.len];
                Arrays.fill(literal, (byte) s.sequence);
                scratch.appendBytes(literal, 0, s.len);
                memory.write(base + s.at, scratch, 0, s.len);
            }
        }
    }

    /** Where one byte comes from; literal bytes are writer -1 with their value as sequence. */
    record Origin(int writer, long sequence, long offset) {}

    private static Origin[] expand(Payload p) {
        Origin[] all = new Origin[p.length()];
        int at = 0;
        for (int i = 0; i < p.pieces(); i++) {
            for (int k = 0; k < p.pieceLength(i); k++, at++) {
                all[at] = p.isBytes(i)
                        ? new Origin(-1, p.byteAt(at), 0)
                        : new Origin(p.writer(i), p.sequence(i), p.writer(i) == 0 ? 0 : p.offset(i) + k);
            }
        }
        return all;
    }

    private static void assertMerged(Payload p) {
        for (int i = 1; i < p.pieces(); i++) {
            boolean same = p.writer(i) == p.writer(i - 1) && p.sequence(i) == p.sequence(i - 1);
            boolean continues = p.writer(i) <= 0 || p.offset(i) == p.offset(i - 1) + p.pieceLength(i - 1);
            assertThat(same && continues)
                    .as("pieces %d and %d of %s", i - 1, i, p)
                    .isFalse();
        }
    }
}
