package dev.clockwire.pcie.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.pcie.link.PcieLinkSpec;
import dev.clockwire.sim.KernelMode;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.host.HostCost;
import dev.clockwire.sim.mem.AddressSpace;
import dev.clockwire.sim.mem.PayloadMode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CpuCoreTest {
    private static Rig rig(KernelMode mode) {
        return new Rig(SimSpec.of(1).withMode(mode), PcieLinkSpec.of(4, 16));
    }

    @ParameterizedTest
    @EnumSource
    void stepsFollowEachOtherByTheirCost(KernelMode mode) {
        Rig rig = rig(mode);
        List<Long> starts = new ArrayList<>();
        rig.core.run(core -> {
            starts.add(core.now());
            core.charge(100L * (starts.size() + 1));
            if (starts.size() < 3) {
                core.wake();
                core.wake();
            } else if (starts.size() == 3) {
                core.wakeAfter(5_000);
            }
        });
        rig.sim.run(1_000_000);
        assertThat(starts).containsExactly(1L, 201L, 501L, 5_901L);
        assertThat(rig.core.steps()).isEqualTo(4);
        assertThat(rig.core.busyPs()).isEqualTo(200 + 300 + 400 + 500);
        assertThat(rig.sim.stats().value("host0.core0.busy_ps")).isEqualTo(1_400);
        rig.core.wakeFrom(2_000_000);
        rig.sim.run(3_000_000);
        assertThat(starts).hasSize(5).endsWith(2_000_000L);
    }

    @Test
    void everyKindOfWorkHasItsPrice() {
        Rig rig = rig(KernelMode.ACTIVITY);
        CpuSpec prices = CpuSpec.server();
        for (HostCost c : HostCost.values()) {
            long before = rig.core.now();
            rig.core.charge(c, 3);
            assertThat(rig.core.now() - before).isEqualTo(3 * prices.price(c)).isPositive();
        }
        assertThat(rig.core.name()).isEqualTo("host0.core0");
        assertThatThrownBy(() -> new CpuSpec(-1, 0, 0, 0, 0, 0, 0, 0, 0, 0)).hasMessageContaining("MMIO_WRITE -1");
        assertThatThrownBy(() -> new CpuSpec(0, -2, 0, 0, 0, 0, 0, 0, 0, 0)).hasMessageContaining("-2");
    }

    @ParameterizedTest
    @EnumSource
    void workOutsideOfStepsDelaysTheNextStepAndAddsUp(KernelMode mode) {
        Rig rig = rig(mode);
        rig.sim.run(1_000);
        rig.core.charge(50);
        rig.core.charge(50);
        assertThat(rig.core.now()).isEqualTo(1_100);
        List<Long> starts = new ArrayList<>();
        rig.core.run(core -> starts.add(core.now()));
        rig.core.mmioWrite(rig.endpoint.barAddress(0), 5, 4);
        rig.sim.run(1_000_000);
        assertThat(starts).containsExactly(1_100L);
        assertThat(rig.stores.taken).hasSize(1);
        assertThat(rig.core.now()).isEqualTo(1_000_000);
    }

    /** Two cores pass a number to and fro through memory; each sees it at its first poll that can. */
    @ParameterizedTest
    @EnumSource
    void coresSeeEachOthersStores(KernelMode mode) {
        Rig rig = rig(mode);
        CpuCore second = rig.host.addCore();
        long ball = rig.real.address() + 256;
        List<String> turns = new ArrayList<>();
        rig.core.run(player(0, 700, ball, turns));
        second.run(player(1, 700, ball, turns));
        rig.sim.run(50_000);
        assertThat(turns.subList(0, 4)).containsExactly("0@1", "1@1", "0@701", "1@701");
        assertThat(turns).hasSize(2 * (50_000 / 700 + 1));
    }

    @ParameterizedTest
    @EnumSource
    void aStoreOfAHigherCoreIsSeenAtTheNextPoll(KernelMode mode) {
        Rig rig = rig(mode);
        CpuCore second = rig.host.addCore();
        long flag = rig.real.address() + 256;
        List<Long> seen = new ArrayList<>();
        rig.core.run(core -> {
            if (core.memory().getInt(flag) != 0) {
                seen.add(core.now());
            } else {
                core.charge(100);
                core.idle(flag, 4);
            }
        });
        second.run(core -> {
            if (core.steps() == 0) {
                core.wakeAfter(1_000);
            } else {
                core.memory().putInt(flag, 1);
            }
        });
        rig.sim.run(10_000);
        assertThat(seen).containsExactly(1_101L);
        assertThat(rig.core.idleSteps()).isEqualTo(11);
    }

    private static CoreProgram player(int mine, long cost, long ball, List<String> turns) {
        return core -> {
            AddressSpace memory = core.memory();
            core.charge(cost);
            if (memory.getInt(ball) % 2 == mine) {
                turns.add(mine + "@" + (core.now() - cost));
                memory.putInt(ball, memory.getInt(ball) + 1);
                core.wake();
            } else {
                core.idle(ball, 4);
            }
        };
    }

    @ParameterizedTest
    @EnumSource
    void severalRangesAreWatched(KernelMode mode) {
        Rig rig = rig(mode);
        List<Long> seen = new ArrayList<>();
        long base = rig.real.address();
        rig.core.run(core -> {
            int found = 0;
            for (int i = 0; i < 5; i++) {
                found += core.memory().getInt(base + 4096L * i);
            }
            if (found > seen.size()) {
                seen.add(core.now());
            }
            core.charge(1_000);
            for (int i = 0; i < 5; i++) {
                core.idle(base + 4096L * i, 64);
            }
        });
        for (int i = 4; i >= 0; i--) {
            rig.write(100_000 + 300_000L * (5 - i), base + 4096L * i, new byte[] {1, 0, 0, 0});
        }
        rig.write(2_000_000, base + 512, new byte[64]); // nobody waits for it
        rig.sim.run(3_000_000);
        assertThat(seen).hasSize(5);
        assertThat(rig.core.steps()).isEqualTo(3_000);
        assertThat(rig.core.busyPs()).isEqualTo(3_000_000);
    }

    @Test
    void idleWithoutACostPaysForAPoll() {
        Rig rig = rig(KernelMode.ACTIVITY);
        rig.core.run(core -> core.idle(rig.real.address(), 4));
        rig.sim.run(100 * CpuSpec.server().pollPs() + 2);
        assertThat(rig.core.idleSteps()).isEqualTo(101);
    }

    @Test
    void anUnknownProgramIsNotRecorded() {
        Rig rig = rig(KernelMode.ACTIVITY);
        rig.sim.save();
        rig.core.run(core -> {});
        assertThatThrownBy(() -> rig.sim.save())
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("host0.core0");
    }

    @Test
    void placesAndSpecsAreChecked() {
        HostSpec spec = HostSpec.server();
        assertThat(spec.readPs(Placement.dram(1), 0) - spec.readPs(Placement.dram(0), 0))
                .isEqualTo(spec.nodeHopPs());
        assertThat(spec.writePs(Placement.cache(1), 0) - spec.writePs(Placement.cache(1), 1))
                .isEqualTo(spec.nodeHopPs());
        assertThat(spec.withTranslation(7).readPs(Placement.cache(0), 0) - spec.readPs(Placement.cache(0), 0))
                .isEqualTo(7);
        PcieLinkSpec link = PcieLinkSpec.of(4, 16);
        assertThat(spec.withRoundTrip(link, 608_600).roundTripPs(link, Placement.dram(0), 0))
                .isEqualTo(608_600);
        assertThatThrownBy(() -> spec.withRoundTrip(link, 1_000)).hasMessageContaining("1000");
        assertThatThrownBy(() -> spec.withReads(0, 1)).hasMessageContaining("host.cacheReadPs 0");
        assertThatThrownBy(() -> new HostSpec(0, 0, 1, 1, 0, 0, 1, 0, 1, 0)).hasMessageContaining("host.nodes 0");
        assertThatThrownBy(() -> Placement.dram(256)).hasMessageContaining("256");
        Host host = new Host(new Sim(SimSpec.of(1)).root(), "h", spec, CpuSpec.free(), PayloadMode.BYTES);
        assertThatThrownBy(() -> host.attach(rig(KernelMode.ACTIVITY).endpoint, 2))
                .hasMessageContaining("NUMA node of the device 2 is not in 0..1");
    }
}
