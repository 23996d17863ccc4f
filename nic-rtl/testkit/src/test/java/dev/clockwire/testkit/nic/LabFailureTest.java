package dev.clockwire.testkit.nic;

import static dev.clockwire.testkit.SimAssertions.assertThat;
import static dev.clockwire.testkit.nic.NicAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import dev.clockwire.roce.transport.WrOpcode;
import dev.clockwire.roce.verbs.WcOpcode;
import dev.clockwire.roce.wire.Opcode;
import dev.clockwire.sim.KernelMode;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.capture.CaptureReader;
import dev.clockwire.sim.fault.FaultAction;
import dev.clockwire.sim.fault.FaultDirection;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.sim.fault.FaultRule;
import dev.clockwire.sim.fault.FaultTrigger;
import dev.clockwire.testkit.SimTest;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineTestKit;

/** What a failed test about a lab tells and leaves. */
class LabFailureTest {
    private static final Map<String, String> TEXTS = new TreeMap<>();

    @BeforeAll
    static void letThemFail() {
        EngineTestKit.engine("junit-jupiter")
                .configurationParameter("junit.jupiter.conditions.deactivate", "*")
                .selectors(selectClass(Wrong.class))
                .execute()
                .testEvents()
                .failed()
                .stream()
                .forEach(e -> TEXTS.put(
                        e.getTestDescriptor()
                                .getParent()
                                .orElseThrow()
                                .getDisplayName()
                                .replaceAll("\\(.*", ""),
                        e.getRequiredPayload(TestExecutionResult.class)
                                .getThrowable()
                                .map(Throwable::getMessage)
                                .orElse("")));
    }

    private static String text(String test) {
        return TEXTS.getOrDefault(test, "did not fail");
    }

    @Test
    void wrongBytesAreShown() {
        assertThat(text("wrongBytes"))
                .contains("host1 at 0x", "byte 17 is 11, expected 07; 1 of 20 bytes are wrong, the last is byte 17")
                .contains("bytes from 16", "expected 10 07 12 13", "found    10 11 12 13")
                .contains(
                        "where   host1", "last packets on the line", "host0  RC_RDMA_WRITE_ONLY psn 0xfffff8 to QP 0x")
                .contains("-Dtest=LabFailureTest$Wrong#wrongBytes", "capture.pcapng");
    }

    @Test
    void theCaptureHoldsTheLine() {
        Path file = Path.of("target", "simtest", Wrong.class.getName(), "wrongBytes", "activity", "capture.pcapng");
        try (CaptureReader capture = CaptureReader.open(file)) {
            int frames = 0;
            while (capture.next()) {
                frames++;
            }
            assertThat(frames).isEqualTo(2);
        }
    }

    @Test
    void wrongCompletionsAreShown() {
        assertThat(text("wrongCompletion")).contains("RDMA_WRITE wr_id=1 qp=0x", "opcode is RDMA_WRITE, expected SEND");
        assertThat(text("noCompletion")).contains("host0: no completion in CQ", "pair.next(side)", "where   host0");
    }

    @Test
    void wrongPacketsAreShown() {
        assertThat(text("wrongPackets"))
                .contains(
                        "packets of host0: expected [RC_SEND_ONLY]",
                        "ns  host0  RC_RDMA_WRITE_FIRST psn 0xfffff8 to QP 0x")
                .contains(", 1024 bytes", "where   host0");
        assertThat(text("countsPackets")).contains("packets: expected 3 RC_ACKNOWLEDGE, found 1");
    }

    /** Of many packets those around the first repetition are shown, wherever it is. */
    @Test
    void bothTransmissionsOfALostPacketAreTold() {
        assertThat(text("lostPacket")).contains("packets: sent twice: host0 psn 0xfffff9 to QP 0x");
        String text = text("losesOneOfMany");
        assertThat(text)
                .containsPattern(
                        "packets of host0: sent twice: host0 psn 0x00001f to QP 0x000011, at \\d+\\.\\d{3} ns and at"
                                + " \\d+\\.\\d{3} ns; of 89 packets 25 come again\\R  \\.\\.\\.\\R");
        String shown = text.substring(0, text.indexOf("  when "));
        assertThat(shown.lines().filter(line -> line.contains(" ns  host0  RC_")))
                .hasSize(20)
                .element(10)
                .asString()
                .contains("psn 0x00001f");
        assertThat(shown).endsWith("  ...\n\n");
    }

    @Test
    void refusalsAreSpelledOut() {
        assertThat(text("lostPacket"))
                .contains("RC_ACKNOWLEDGE psn 0xfffff9 to QP 0x000011, NAK 0x60 PSN sequence error");
        assertThat(text("writesTooFar"))
                .contains("status is REM_ACCESS_ERR, expected SUCCESS", "NAK 0x62 remote access error");
        assertThat(text("forgetsTheReceive"))
                .contains(
                        "host0: no completion within 100000 ns",
                        "receiver not ready: no receive was posted; again in 10 us");
    }

    @Test
    void aMistakeInTheSetupComesFirst() {
        assertThat(text("mistypesTheProfile"))
                .startsWith("dev.clockwire.sim.error.ConfigurationException: unknown profile 'cx7-40g'; did you mean");
    }

    @Test
    void wrongCountersNameTheirPlace() {
        assertThat(text("wrongCounter"))
                .contains("host1.pcie.up.data_bytes is 3000, expected 2999", "where   host1.pcie.up");
    }

    @Test
    void aSimBesideALabIsRefused() {
        assertThat(text("wantsBoth")).contains("a Lab has a simulation of its own: leave the Sim parameter out");
    }

    /** Run by the test above only: nested and not public, so nothing else finds it. */
    @Tag("wrong")
    static class Wrong {
        @SimTest(modes = KernelMode.ACTIVITY)
        void wrongBytes(Pair pair, Posts posts) {
            byte[] data = new byte[20];
            for (int i = 0; i < data.length; i++) {
                data[i] = (byte) i;
            }
            pair.a.write(0, data);
            posts.post(WrOpcode.RDMA_WRITE, 20);
            pair.next(pair.a);
            pair.lab.sim().run(pair.lab.sim().now() + 10_000_000);
            data[17] = 7;
            assertThat(pair.b).holds(0, data);
        }

        @SimTest(modes = KernelMode.ACTIVITY)
        void wrongCompletion(Pair pair, Posts posts) {
            posts.post(WrOpcode.RDMA_WRITE, 20);
            assertThat(pair.next(pair.a)).isSuccess().hasOpcode(WcOpcode.SEND);
        }

        @SimTest(modes = KernelMode.ACTIVITY)
        void noCompletion(Pair pair) {
            assertThat(pair.a).nextCompletion();
        }

        @SimTest(modes = KernelMode.ACTIVITY)
        void wrongPackets(Pair pair, Posts posts, FrameLog frames) {
            posts.post(WrOpcode.RDMA_WRITE, 3000);
            pair.next(pair.a);
            assertThat(frames)
                    .hasCount(Opcode.RC_RDMA_WRITE_MIDDLE, 1)
                    .from("host0")
                    .hasOpcodes(Opcode.RC_SEND_ONLY);
        }

        @SimTest(modes = KernelMode.ACTIVITY)
        void countsPackets(Pair pair, Posts posts, FrameLog frames) {
            posts.post(WrOpcode.RDMA_WRITE, 3000);
            pair.next(pair.a);
            assertThat(frames).hasCount(Opcode.RC_ACKNOWLEDGE, 3);
        }

        @SimTest(modes = KernelMode.ACTIVITY)
        void lostPacket(Pair pair, Posts posts, FrameLog frames) {
            pair.lab.tapFrames((ps, end, frame) -> {
                if (frame instanceof dev.clockwire.roce.wire.RocePacket p && p.psn == 0xFFFFF9 && frames.count() < 4) {
                    p.icrcOk = false;
                }
            });
            posts.post(WrOpcode.RDMA_WRITE, 3000);
            assertThat(pair.next(pair.a)).isSuccess();
            assertThat(frames).hasNoRetransmission();
        }

        @SimTest(modes = KernelMode.ACTIVITY)
        void losesOneOfMany(LabMaker labs) {
            FaultRule lost = FaultRule.of(new FaultAction.Drop(), new FaultTrigger.Frames(List.of(40L)))
                    .in(FaultDirection.FORWARD);
            Pair pair = labs.pair(spec -> spec.withFaults(FaultPlan.of(lost)));
            FrameLog frames = FrameLog.of(pair.lab);
            new Posts(pair.a, pair.b).post(WrOpcode.RDMA_WRITE, 65536);
            assertThat(pair.next(pair.a)).isSuccess();
            assertThat(frames).from("host0").hasNoRetransmission();
        }

        @SimTest(modes = KernelMode.ACTIVITY)
        void writesTooFar(Pair pair, Posts posts) {
            posts.begin(WrOpcode.RDMA_WRITE, 64).remoteAddress += Pair.BUFFER;
            posts.post();
            assertThat(pair.next(pair.a)).isSuccess();
        }

        @SimTest(modes = KernelMode.ACTIVITY)
        void forgetsTheReceive(Pair pair, Posts posts) {
            posts.post(WrOpcode.SEND, 64);
            assertThat(pair.next(pair.a, 100_000_000)).isSuccess();
        }

        @SimTest(modes = KernelMode.ACTIVITY)
        @LabSetup(profile = "cx7-40g")
        void mistypesTheProfile(Pair pair) {
            assertThat(pair.a).hasNoCompletion();
        }

        @SimTest(modes = KernelMode.ACTIVITY)
        void wrongCounter(Pair pair, Posts posts) {
            pair.lab.sim().stats().reset(pair.lab.sim().now());
            posts.post(WrOpcode.RDMA_WRITE, 3000);
            pair.next(pair.a);
            pair.lab.sim().run(pair.lab.sim().now() + 10_000_000);
            assertThat(pair.lab.sim().stats()).has("host1.pcie.up.data_bytes", 2999);
        }

        @SimTest(modes = KernelMode.ACTIVITY)
        void wantsBoth(Sim sim, dev.clockwire.nic.lab.Lab lab) {
            assertThat(sim).isSameAs(lab.sim());
        }
    }
}
