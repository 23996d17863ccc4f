package dev.clockwire.sim.reg;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.sim.Sim;
import dev.clockwire.sim.SimNode;
import dev.clockwire.sim.SimSpec;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** One register with a field of each kind, against a model that goes bit by bit. */
class RegisterProperties {
    private static final Access[] KIND = {Access.RO, Access.RW, Access.WO, Access.RW1C, null};

    /** An access: by hardware, by software with 8 bytes, or by software with either half. */
    record Op(int kind, long value) {}

    @Provide
    Arbitrary<List<Op>> ops() {
        return Combinators.combine(Arbitraries.integers().between(0, 3), Arbitraries.longs())
                .as(Op::new)
                .list()
                .ofMaxSize(20);
    }

    /** Each field is 12 bits wide; the top four bits and those of the null kind are reserved. */
    private static Access kind(int bit) {
        return bit >= 60 ? KIND[4] : KIND[bit / 12];
    }

    @Property(tries = 300)
    void everyBitFollowsItsKind(@ForAll("ops") List<Op> ops) {
        SimNode node = new SimNode(new Sim(SimSpec.of(1)).root(), "n") {};
        RegisterBank bank = new RegisterBank(node, "b", 8, "");
        Register r = bank.reg64(0, "R", "");
        List<Field> fields = List.of(
                r.ro("ro", 0, 12, 0, ""),
                r.rw("rw", 12, 12, 0, ""),
                r.wo("wo", 24, 12, ""),
                r.rw1c("w1c", 36, 12, 0, ""));
        boolean[] model = new boolean[64];
        for (Op op : ops) {
            if (op.kind == 0) {
                for (Field f : fields) {
                    f.set(op.value >>> f.lsb() & 0xFFF);
                }
            } else if (op.kind == 1) {
                bank.write(0, op.value, 8);
            } else {
                bank.write(op.kind == 2 ? 0 : 4, op.kind == 2 ? op.value : op.value >>> 32, 4);
            }
            for (int bit = 0; bit < 64; bit++) {
                boolean x = (op.value >>> bit & 1) != 0;
                boolean touched = op.kind < 2 || (op.kind == 2) == (bit < 32);
                if (touched && kind(bit) != null) {
                    model[bit] = op.kind == 0 ? x : written(kind(bit), model[bit], x);
                }
            }
            long expected = 0;
            for (int bit = 0; bit < 64; bit++) {
                expected |= model[bit] && kind(bit) != Access.WO ? 1L << bit : 0;
            }
            assertThat(bank.read(0, 8)).isEqualTo(expected);
            assertThat(bank.read(0, 4) | bank.read(4, 4) << 32).isEqualTo(expected);
        }
    }

    private static boolean written(Access kind, boolean old, boolean x) {
        return switch (kind) {
            case RO -> old;
            case RW, WO -> x;
            case RW1C -> old && !x;
        };
    }
}
