package dev.clockwire.pcie.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.pcie.endpoint.DmaRead;
import dev.clockwire.pcie.link.PcieLinkSpec;
import dev.clockwire.sim.KernelMode;
import dev.clockwire.sim.SimSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** When what one writes is there for another: the order of commits, interrupts behind them, and a host that stops. */
class VisibilityTest {
    private static final PcieLinkSpec LINK = PcieLinkSpec.of(4, 16);

    private static Rig rig(KernelMode mode) {
        return new Rig(SimSpec.of(1).withMode(mode), LINK);
    }

    private static byte[] filled(int n, int value) {
        byte[] data = new byte[n];
        Arrays.fill(data, (byte) value);
        return data;
    }

    /** What a read of 2 KiB by one device sees of two writes of another that commit around it. */
    private static String seen(KernelMode mode, long writtenAt) {
        Rig rig = rig(mode);
        long at = rig.bulk.address();
        DmaRead read = rig.read(100_000, at, 2_048, 0, 8);
        rig.write(rig.other, writtenAt, at, filled(2_048, 1));
        rig.write(rig.other, writtenAt + 1, at + 8_192, filled(256, 2)); // the last commit, which somebody waits for
        rig.sim.run(3_000_000);
        StringBuilder pieces = new StringBuilder();
        for (int i = 0; i < 2_048; i += 256) {
            pieces.append(read.into.byteAt(i));
        }
        return pieces.toString();
    }

    /** Reads of a burst are served together, yet each sees the writes that were there at its own time. */
    @Test
    void aBurstOfReadsSeesWritesThatCommitInItsMidst() {
        Set<String> all = new LinkedHashSet<>();
        for (long at = 1_000; at < 250_000; at += 2_100) {
            String piecemeal = seen(KernelMode.EXHAUSTIVE, at);
            assertThat(seen(KernelMode.ACTIVITY, at)).as("written at %d", at).isEqualTo(piecemeal);
            all.add(piecemeal);
        }
        assertThat(all).contains("00000000", "11111111").hasSizeGreaterThan(2);
    }

    /** Of two writes that commit at one time the one through the lower port is first: the other's data stay. */
    @ParameterizedTest
    @EnumSource
    void theHigherPortWinsATie(KernelMode mode) {
        Rig rig = rig(mode);
        long hop = HostSpec.server().nodeHopPs(); // the second device is on the other node
        for (int i = 0; i < 4; i++) {
            long at = rig.real.address() + 64L * i;
            rig.write(200_000 + 100_000L * i, at, filled(64, 1));
            rig.write(rig.other, 200_000 + 100_000L * i - hop, at, filled(64, 2));
        }
        rig.sim.run(5_000_000);
        for (int i = 0; i < 4; i++) {
            assertThat(rig.host.memory().getByte(rig.real.address() + 64L * i)).isEqualTo((byte) 2);
        }
    }

    /** The message is a write of 4 bytes to the address; the handler runs when it could be seen in memory. */
    @ParameterizedTest
    @EnumSource
    void anInterruptRunsOnceItsMessageIsInMemory(KernelMode mode) {
        Rig rig = rig(mode);
        long address = rig.real.address() + 0x100;
        List<String> heard = new ArrayList<>();
        InterruptVector vector = rig.host.addVector(
                "nic0",
                () -> heard.add(rig.sim.now() + " " + rig.host.memory().getInt(rig.real.address()) + " "
                        + rig.host.memory().getInt(address)));
        rig.write(50_000, address, new byte[] {9, 0, 0, 0}); // the vector has no address yet
        rig.sim.run(1_000_000);
        assertThat(heard).isEmpty();
        vector.at(address);
        assertThat(vector.takes(address, 4)).isTrue();
        assertThat(vector.takes(address, 8)).isFalse();
        assertThat(vector.takes(address + 4, 4)).isFalse();
        rig.write(1_100_000, rig.real.address(), new byte[] {7, 0, 0, 0});
        rig.write(1_100_001, address, new byte[] {5, 0, 0, 0});
        rig.write(1_200_000, address + 4, new byte[] {3, 0, 0, 0}); // somebody else's
        rig.sim.run(3_000_000);
        assertThat(heard).hasSize(1);
        assertThat(heard.get(0)).endsWith(" 7 5");
        long wire = LINK.wireBytes(true, 1) * 20L; // less than 1 ns
        long commit = 1_100_000 + LINK.upPs() + HostSpec.server().writePs(Placement.cache(0), 0);
        assertThat(Long.parseLong(heard.get(0).substring(0, heard.get(0).indexOf(' '))))
                .isBetween(commit, commit + 4 * wire);
    }

    @ParameterizedTest
    @EnumSource
    void aHostThatStopsRunsNoMoreSteps(KernelMode mode) {
        Rig rig = rig(mode);
        CpuCore second = rig.host.addCore();
        List<Long> steps = new ArrayList<>();
        CoreProgram program = core -> {
            steps.add(core.now());
            core.charge(10_000);
            core.wake();
        };
        rig.core.run(program);
        second.run(program);
        rig.host.haltAt(45_000);
        rig.sim.run(200_000);
        assertThat(steps)
                .containsExactly(1L, 1L, 10_001L, 10_001L, 20_001L, 20_001L, 30_001L, 30_001L, 40_001L, 40_001L);
        assertThat(rig.core.isHalted() && second.isHalted()).isTrue();
        rig.core.wakeFrom(300_000);
        rig.sim.run(400_000);
        assertThat(steps).hasSize(10);
        assertThat(rig.core.steps()).isEqualTo(5);
    }

    @Test
    void memoryOfManyNodesHasARange() {
        assertThat(new NumaSpec(255, 0).memory()).isEqualTo(255);
        assertThatThrownBy(() -> new NumaSpec(0, 256)).hasMessageContaining("256");
    }
}
