package dev.clockwire.storage.nvmf.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.roce.soft.SoftSpec;
import dev.clockwire.sim.fault.FaultAction;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.sim.fault.FaultRule;
import dev.clockwire.sim.fault.FaultTrigger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Target and initiator keep off memory that is not theirs, also when frames are lost; and being watched changes no trace. */
class NvmfSanitizerTest {
    @ParameterizedTest
    @CsvSource({"false,false", "true,false", "false,true", "true,true"})
    void nobodyTouchesWhatIsNotHis(boolean soft, boolean lossy) {
        FaultPlan faults = lossy
                ? FaultPlan.of(FaultRule.of(new FaultAction.Drop(), new FaultTrigger.Probability(0.003)))
                : FaultPlan.NONE;
        LabSpec spec = LabSpec.of(1).withFaults(faults).withSoft(soft ? SoftSpec.usual() : null);
        VerifyLoad watched = NvmfFaultsTest.run(NvmfFaultsTest.spec(spec.withSanitizer(true)), 6, bdev -> bdev);
        assertThat(watched.verified).isPositive();
        assertThat(watched.lab.lab().sanitizer().findings()).isEmpty();
        VerifyLoad plain = NvmfFaultsTest.run(NvmfFaultsTest.spec(spec), 6, bdev -> bdev);
        assertThat(plain.lab.lab().sim().traceHash())
                .isEqualTo(watched.lab.lab().sim().traceHash());
    }

    /** The NIC that serves I/O by itself has work that nobody posted. */
    @Test
    void norDoesTheOffload() {
        LabSpec lab = LabSpec.of(1).withSanitizer(true);
        VerifyLoad load = OffloadedTargetTest.run(OffloadedTargetTest.spec(lab, 64), 6, bdev -> bdev);
        assertThat(OffloadedTargetTest.nic(load).block().taken()).isPositive();
        assertThat(load.lab.lab().sanitizer().findings()).isEmpty();
    }
}
