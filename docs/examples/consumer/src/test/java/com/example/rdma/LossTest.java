package com.example.rdma;

import static dev.clockwire.testkit.SimAssertions.assertThat;
import static dev.clockwire.testkit.nic.NicAssertions.assertThat;

import dev.clockwire.roce.transport.WcStatus;
import dev.clockwire.roce.transport.WrOpcode;
import dev.clockwire.roce.wire.Opcode;
import dev.clockwire.sim.KernelMode;
import dev.clockwire.sim.fault.FaultAction;
import dev.clockwire.sim.fault.FaultDirection;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.sim.fault.FaultRule;
import dev.clockwire.sim.fault.FaultTrigger;
import dev.clockwire.testkit.SimTest;
import dev.clockwire.testkit.nic.FrameLog;
import dev.clockwire.testkit.nic.LabMaker;
import dev.clockwire.testkit.nic.Pair;
import dev.clockwire.testkit.nic.Posts;
import java.util.List;

/** A scenario in which something goes wrong. */
class LossTest {
    @SimTest(modes = KernelMode.ACTIVITY)
    void aLostPacketIsSentAgain(LabMaker labs) {
        FaultRule second = FaultRule.of(new FaultAction.Drop(), new FaultTrigger.Frames(List.of(2L)))
                .in(FaultDirection.FORWARD);
        Pair pair = labs.pair(spec -> spec.withFaults(FaultPlan.of(second)));
        FrameLog frames = FrameLog.of(pair.lab);
        new Posts(pair.a, pair.b).post(WrOpcode.RDMA_WRITE, 3000); // three packets of 1024 bytes and less
        assertThat(pair.next(pair.a)).isSuccess();
        assertThat(frames)
                .from("host0")
                .hasCount(Opcode.RC_RDMA_WRITE_FIRST, 1)
                .hasCount(Opcode.RC_RDMA_WRITE_MIDDLE, 2)
                .hasCount(Opcode.RC_RDMA_WRITE_LAST, 2);
        assertThat(pair.lab.sim().stats())
                .has("host0.nic.packet_seq_err", 1)
                .has("host1.nic.out_of_sequence", 1)
                .hasZero("*.local_ack_timeout_err");
    }

    @SimTest(modes = KernelMode.ACTIVITY, maxCycles = 10_000_000_000L)
    void aCableThatStaysOutEndsTheWork(LabMaker labs) {
        FaultRule out = FaultRule.of(new FaultAction.Drop(), new FaultTrigger.Always());
        Pair pair = labs.pair(spec -> spec.withFaults(FaultPlan.of(out)));
        new Posts(pair.a, pair.b).post(WrOpcode.RDMA_WRITE, 100);
        long second = 1_000_000_000_000L;
        assertThat(pair.next(pair.a, second)).hasStatus(WcStatus.RETRY_EXC_ERR);
    }
}
