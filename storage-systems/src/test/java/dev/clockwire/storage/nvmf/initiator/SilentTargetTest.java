package dev.clockwire.storage.nvmf.initiator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nvme.format.Opcodes;
import dev.clockwire.nvme.format.SqEntry;
import dev.clockwire.storage.nvmf.initiator.RemoteController.Stage;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A target whose NIC takes everything and whose program answers nothing any more: the host names what it has waited for in vain. */
class SilentTargetTest {
    private static final long MS = InitiatorRig.MS;
    private static final InitiatorSpec SPEC = InitiatorSpec.spdk(InitiatorRig.HOST_NQN)
            .withQueues(1, 16)
            .withKeepAlive(0)
            .withTimeouts(500 * MS, 2_000 * MS);

    private static InitiatorRig rig(InitiatorSpec spec) {
        return new InitiatorRig(true, LabSpec.of(1), spec, spec.ioQueues());
    }

    /** Lets a number of commands be answered, events aside. */
    private static Predicate<SqEntry> after(int answers) {
        int[] left = {answers};
        return e -> e.opcode() == Opcodes.ASYNC_EVENT || --left[0] < 0;
    }

    /** In the order of the dialogue: each message is the first that is not answered. */
    @ParameterizedTest
    @CsvSource({
        "0,500,queue 0: Connect",
        "1,2000,Property Get 08h",
        "2,2000,Property Get 00h",
        "3,2000,Property Get 14h",
        "4,2000,Property Get 1Ch",
        "5,2000,Property Set 14h",
        "6,2000,Property Get 1Ch",
        "7,2000,Identify controller",
        "8,2000,Set Features 0Bh",
        "9,2000,Set Features 07h",
        "10,2000,Identify active namespaces",
        "11,2000,Identify namespace 1",
        "12,500,queue 1: Connect"
    })
    void itIsNamed(int answered, int ms, String what) {
        for (boolean again : new boolean[] {false, true}) {
            InitiatorRig rig = rig(again ? SPEC.withReconnect(100 * MS, 60_000 * MS, 0) : SPEC);
            CapturedPeer peer = new CapturedPeer(rig.lab);
            peer.silent = after(answered);
            rig.start();
            long began = rig.lab.sim().now();
            assertThat(rig.until(10_000, () -> rig.controller().losses() == 1)).isTrue();
            assertThat(rig.controller().failure()).isEqualTo(what + " was not answered within " + ms + " ms");
            assertThat(rig.lab.sim().now() - began).isBetween(ms * MS, (ms + 40) * MS);
            peer.silent = after(Integer.MAX_VALUE);
            Stage end = again ? Stage.READY : Stage.FAILED;
            assertThat(rig.until(5_000, () -> rig.controller().stage() == end)).isTrue();
            assertThat(rig.until(20, () -> rig.ready == 1)).isTrue();
        }
    }

    /** SPDK's: half a second for Connect, half a minute for everything else. */
    @Test
    void theTimesAreSpdks() {
        InitiatorSpec spdk = InitiatorSpec.spdk(InitiatorRig.HOST_NQN);
        assertThat(spdk.connectTimeoutPs()).isEqualTo(500 * MS);
        assertThat(spdk.adminTimeoutPs()).isEqualTo(30_000 * MS);
        InitiatorRig rig = rig(SPEC.withTimeouts(0, 0));
        CapturedPeer peer = new CapturedPeer(rig.lab);
        peer.silent = after(0);
        rig.start();
        assertThat(rig.until(40_000, () -> rig.controller().losses() > 0))
                .as("0: no limit")
                .isFalse();
    }

    /** The captured target never becomes ready again, whose CAP.TO says 7.5 s; and never says that it has shut down, for which SPDK waits 10 s. */
    @ParameterizedTest
    @CsvSource({"false", "true"})
    void aControllerThatDoesNotGetReady(boolean shutdown) {
        InitiatorRig rig = rig(SPEC);
        CapturedPeer peer = new CapturedPeer(rig.lab);
        if (!shutdown) {
            peer.neverReady = true;
            rig.start();
            assertThat(rig.until(9_000, () -> rig.controller().stage() == Stage.FAILED))
                    .isTrue();
            assertThat(rig.controller().failure()).isEqualTo("CSTS.RDY did not become 1 within 7500 ms");
            return;
        }
        rig.ready();
        boolean[] stopped = new boolean[1];
        rig.on(() -> rig.controller().stop(() -> stopped[0] = true));
        assertThat(rig.until(11_000, () -> stopped[0])).isTrue();
        assertThat(rig.controller().failure()).isEqualTo("CSTS.SHST did not become 2 within 10000 ms");
        assertThat(rig.controller().stage()).isEqualTo(Stage.STOPPED);
    }

    /** Silence while the controller is shut down: the host goes all the same. */
    @Test
    void aShutdownThatIsNotAnswered() {
        InitiatorRig rig = rig(SPEC);
        CapturedPeer peer = new CapturedPeer(rig.lab);
        rig.ready();
        peer.silent = e -> true;
        boolean[] stopped = new boolean[1];
        rig.on(() -> rig.controller().stop(() -> stopped[0] = true));
        assertThat(rig.until(3_000, () -> stopped[0])).isTrue();
        assertThat(rig.controller().failure()).isEqualTo("Property Set 14h was not answered within 2000 ms");
        assertThat(rig.controller().stage()).isEqualTo(Stage.STOPPED);
    }
}
