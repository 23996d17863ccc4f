package dev.clockwire.sim.mem;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** The sanitizer says of random owners and accesses what a table of single bytes says. */
class OwnershipProperties {
    private static final int BYTES = 96;

    /** What happens next: posts, grants, ends or accesses of some bytes. */
    record Step(int kind, Hold hold, int which, int at, int length) {}

    @Property(tries = 300)
    void aTableOfBytesSaysTheSame(@ForAll("steps") List<Step> steps) {
        AddressSpace memory = new AddressSpace("m", PayloadMode.BYTES);
        MemorySanitizer sanitizer = new MemorySanitizer("m", () -> 0, () -> {}, () -> "");
        memory.sanitize(sanitizer);
        long va = memory.allocate("bytes", BYTES, Allocation.Kind.REAL).address();
        List<Ownership> open = new ArrayList<>();
        List<List<Ownership>> table = new ArrayList<>();
        for (int i = 0; i < BYTES; i++) {
            table.add(new ArrayList<>());
        }
        for (Step s : steps) {
            int n = Math.min(s.length, BYTES - s.at);
            if (s.kind == 0) {
                Hold hold = s.hold;
                Ownership o = hold.isGrant()
                        ? sanitizer.grant(va + s.at, n, hold, Grantee.of("x"))
                        : sanitizer.post(hold, 0, 1, false, "SEND", 0);
                if (!hold.isGrant()) {
                    sanitizer.cover(o, va + s.at, n);
                }
                open.add(o);
                table.subList(s.at, s.at + n).forEach(b -> b.add(o));
            } else if (s.kind == 1 && !open.isEmpty()) {
                Ownership o = open.remove(s.which % open.size());
                sanitizer.release(o, Release.COMPLETED);
                table.forEach(b -> b.remove(o));
            } else if (s.kind > 1) {
                boolean write = s.kind == 3;
                long bad = table.subList(s.at, s.at + n).stream()
                        .filter(b -> b.stream().anyMatch(o -> write || !o.hold.isReadable()))
                        .count();
                sanitizer.clear();
                if (write) {
                    sanitizer.writes(va + s.at, n);
                } else {
                    sanitizer.reads(va + s.at, n);
                }
                long found = sanitizer.findings().stream()
                        .mapToLong(MemoryFinding::length)
                        .sum();
                assertThat(found).isEqualTo(bad);
            }
        }
    }

    @Provide
    Arbitrary<List<Step>> steps() {
        return Combinators.combine(
                        Arbitraries.integers().between(0, 3),
                        Arbitraries.of(Hold.values()),
                        Arbitraries.integers().between(0, 19),
                        Arbitraries.integers().between(0, BYTES - 1),
                        Arbitraries.integers().between(1, 40))
                .as(Step::new)
                .list()
                .ofMaxSize(60);
    }
}
