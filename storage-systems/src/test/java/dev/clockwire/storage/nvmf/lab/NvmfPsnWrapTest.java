package dev.clockwire.storage.nvmf.lab;

import static dev.clockwire.storage.nvmf.lab.NvmfFaultsTest.spec;
import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.roce.verbs.Numbering;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.fault.FaultAction;
import dev.clockwire.sim.fault.FaultDirection;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.sim.fault.FaultRule;
import dev.clockwire.sim.fault.FaultTrigger;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Connections that begin to count shortly before 2^24: PSNs wrap in the middle of the load, in both directions. */
class NvmfPsnWrapTest {
    private static final int LAST = 0xFF_FFFF;

    /** Counts as usual, but for the first PSN. */
    private record Shortly(Numbering usual, int before) implements Numbering {
        @Override
        public int nextQpn() {
            return usual.nextQpn();
        }

        @Override
        public int nextKey() {
            return usual.nextKey();
        }

        @Override
        public int firstPsn(int drawn) {
            return LAST - before;
        }
    }

    /** Faults hit frames all over the load, those around the wrap among them. */
    @ParameterizedTest
    @CsvSource({"false,none", "true,none", "false,drop", "true,drop", "false,duplicate", "false,reorder", "false,delay"
    })
    void theyWrap(boolean soft, String what) {
        for (int before : new int[] {3, 40, 77}) {
            NvmfLabSpec usual = spec(soft, faults(what));
            NvmfLab made = new NvmfLab(usual.withLab(usual.lab()
                    .withNumbering(
                            new Shortly(Numbering.counting(), before), new Shortly(Numbering.counting(), before + 5))));
            TreeSet<Integer> ended = new TreeSet<>();
            TreeSet<Integer> began = new TreeSet<>();
            made.lab().tapFrames((ps, end, frame) -> {
                if (frame instanceof RocePacket p && p.destQp > 1) {
                    int connection = p.destQp << 1 | ((int) p.flow.srcLo & 1);
                    if (p.psn == LAST) {
                        ended.add(connection);
                    } else if (p.psn == 0 && ended.contains(connection)) {
                        began.add(connection);
                    }
                }
            });
            VerifyLoad load = new VerifyLoad(made, 2, 8, 24);
            load.start();
            made.await(load::isOver, "the end of the load");
            load.checkStore();
            assertThat(load.wrong).isEmpty();
            assertThat(load.failures).isZero();
            assertThat(load.verified).isEqualTo(8 * 24);
            assertThat(load.controller.losses()).as(load.controller.failure()).isZero();
            assertThat(began).as("directions of two I/O queues that wrapped").hasSizeGreaterThanOrEqualTo(4);
        }
    }

    private static FaultPlan faults(String what) {
        FaultAction action = switch (what) {
            case "drop" -> new FaultAction.Drop();
            case "duplicate" -> new FaultAction.Duplicate();
            case "reorder" -> new FaultAction.Reorder();
            case "delay" -> new FaultAction.Delay();
            default -> null;
        };
        if (action == null) {
            return FaultPlan.NONE;
        }
        List<Long> numbers = new ArrayList<>();
        for (long n = 60; n < 400; n += 13) {
            numbers.add(n);
        }
        return FaultPlan.of(
                FaultRule.of(action, new FaultTrigger.Frames(numbers)).in(FaultDirection.BOTH));
    }
}
