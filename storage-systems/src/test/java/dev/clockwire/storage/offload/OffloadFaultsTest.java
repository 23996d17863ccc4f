package dev.clockwire.storage.offload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nvme.format.Opcodes;
import dev.clockwire.sim.KernelMode;
import dev.clockwire.sim.fault.FaultAction;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.sim.fault.FaultRule;
import dev.clockwire.sim.fault.FaultTrigger;
import dev.clockwire.sim.mem.Payload;
import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A bad line below the offload: each command is answered once, nothing that was acknowledged is lost. */
class OffloadFaultsTest {
    private static final int COMMANDS = 90;

    @ParameterizedTest
    @ValueSource(strings = {"drop", "corrupt", "duplicate", "reorder"})
    void nothingIsLostOnABadLine(String what) {
        FaultAction.OnFrame action = switch (what) {
            case "drop" -> new FaultAction.Drop();
            case "corrupt" -> new FaultAction.Corrupt(FaultAction.Corrupt.ANY_BIT);
            case "duplicate" -> new FaultAction.Duplicate();
            default -> new FaultAction.Reorder();
        };
        FaultPlan plan = FaultPlan.of(FaultRule.of(action, new FaultTrigger.Probability(0.02)));
        OffloadRig r = new OffloadRig(true, KernelMode.ACTIVITY, "null", plan).byNic();
        int[] times = new int[COMMANDS];
        Initiator i = r.run(8, COMMANDS, (c, n, va, key) -> {
            byte[] data = new byte[8 * OffloadRig.BLOCK];
            Arrays.fill(data, (byte) (n + 1));
            r.lab.a().host().memory().putBytes(va, data, 0, data.length);
            OffloadTest.read(c, 8L * n, 8, va, key);
            c[0] = (byte) (n % 2 == 0 ? Opcodes.WRITE : Opcodes.READ);
            times[n]++;
        });
        assertThat(i.failures).isEmpty();
        assertThat(i.responses).hasSize(COMMANDS).allMatch(a -> a.status() == 0);
        assertThat(r.lab.faults().get(0).hits()).isPositive();
        assertThat(OffloadTest.block(r).taken()).isEqualTo(COMMANDS);
        assertThat(OffloadTest.block(r).failures()).isZero();
        assertThat(times).containsOnly(1);
        for (int n = 0; n < COMMANDS; n += 2) {
            Payload p = new Payload();
            r.stores.get(0).read(8L * n, 8, p);
            assertThat(p.byteAt(4095)).as("command " + n).isEqualTo((byte) (n + 1));
        }
    }
}
