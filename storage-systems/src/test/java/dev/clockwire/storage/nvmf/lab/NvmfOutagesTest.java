package dev.clockwire.storage.nvmf.lab;

import static dev.clockwire.storage.nvmf.lab.NvmfFaultsTest.BEGIN_PS;
import static dev.clockwire.storage.nvmf.lab.NvmfFaultsTest.MS;
import static dev.clockwire.storage.nvmf.lab.NvmfFaultsTest.run;
import static dev.clockwire.storage.nvmf.lab.NvmfFaultsTest.spec;
import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.sim.fault.FaultAction;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.sim.fault.FaultRule;
import dev.clockwire.sim.fault.FaultTrigger;
import dev.clockwire.storage.nvmf.initiator.RemoteController;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The load of {@link NvmfFaultsTest} while links, devices and hosts are away for a time or for good. */
class NvmfOutagesTest {
    /** Outages that the devices' retries outlast, and such that cost the connection: then it is made again and everything is sent anew. */
    @ParameterizedTest
    @CsvSource({"20,1,true", "60,100,true", "150,3000,true", "40,30000,false", "100,45000,false"})
    void theLinkIsDown(int atUs, int forMs, boolean survives) {
        FaultRule rule = FaultRule.of(
                        new FaultAction.LinkDown("link"), new FaultTrigger.At(BEGIN_PS + atUs * 1_000_000L))
                .lasting(forMs * MS);
        VerifyLoad load = run(spec(false, FaultPlan.of(rule)), 12, b -> b);
        assertThat(load.isOver()).isTrue();
        assertThat(load.verified).isEqualTo(8 * 12);
        assertThat(load.failures).isZero();
        assertThat(load.controller.losses() == 0).as(load.controller.failure()).isEqualTo(survives);
        assertThat(load.controller.stage()).isEqualTo(RemoteController.Stage.READY);
    }

    @ParameterizedTest
    @CsvSource({"host0,30,1", "host1,30,1", "host0,90,40", "host1,90,40", "host1,150,2000"})
    void aDeviceStandsStill(String node, int atUs, int forMs) {
        FaultRule rule = FaultRule.of(
                        new FaultAction.OnNode(FaultAction.NodeFault.PAUSE, node),
                        new FaultTrigger.At(BEGIN_PS + atUs * 1_000_000L))
                .lasting(forMs * MS);
        VerifyLoad load = run(spec(false, FaultPlan.of(rule)), 12, b -> b);
        assertThat(load.verified).isEqualTo(8 * 12);
        assertThat(load.failures).isZero();
    }

    /** A target that is gone does not come back: the host tries until the loss timeout, and then everything fails. */
    @ParameterizedTest
    @CsvSource({"CRASH,host1", "RESTART,host1", "RESET,host1", "RESET,host0"})
    void theSessionEnds(FaultAction.NodeFault what, String node) {
        FaultRule rule =
                FaultRule.of(new FaultAction.OnNode(what, node), new FaultTrigger.At(BEGIN_PS + 100 * 1_000_000L));
        NvmfLabSpec spec = spec(false, FaultPlan.of(rule));
        spec = spec.withInitiator(spec.initiator().withReconnect(50 * MS, 20_000 * MS, 100 * MS));
        VerifyLoad load = run(spec, 12, b -> b);
        load.lab.await(() -> load.controller.stage() == RemoteController.Stage.FAILED, "an end");
        assertThat(load.isOver()).isTrue();
        assertThat(load.acknowledged).isPositive();
        assertThat(load.controller.queues().get(0).outstanding()).isZero();
    }

    /** The target hears nothing for longer than the keep-alive time: it ends the session, and the host begins a new one. */
    @Test
    void keepAliveExpires() {
        NvmfLabSpec spec = spec(false, FaultPlan.NONE);
        spec = spec.withInitiator(spec.initiator().withKeepAlive(10_000).withAdminPoll(25_000 * MS));
        NvmfLab lab = new NvmfLab(spec);
        VerifyLoad load = new VerifyLoad(lab, 2, 8, 4);
        load.start();
        lab.await(load::isOver, "the end of the load");
        assertThat(load.verified).isEqualTo(8 * 4);
        // the target looks each 10 s, the host not before 25 s: at 20 s it is given up, at 25 s it notices and waits,
        // at 50 s it tries
        lab.sim().run(lab.sim().now() + 45_000 * MS);
        assertThat(load.controller.losses()).isEqualTo(1);
        assertThat(load.controller.stage()).isEqualTo(RemoteController.Stage.DELAYED);
        assertThat(load.controller.failure()).isEqualTo("queue 0: the target has ended the connection");
        lab.await(() -> load.controller.stage() == RemoteController.Stage.READY, "a new session");
        load.more(8);
        lab.await(load::isOver, "the end of the load");
        assertThat(load.verified).isEqualTo(8 * 8);
        load.checkStore();
        assertThat(load.wrong).isEmpty();
    }
}
