package dev.clockwire.storage.threefs.net;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.lab.MessageName;
import dev.clockwire.roce.wire.Opcode;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.fault.FaultAction;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.sim.fault.FaultRule;
import dev.clockwire.sim.fault.FaultTrigger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The contract of 3FS's socket: buffers, credits, signals, and what happens to who breaks it. */
class IbSocketTest {
    private static final IbSocketSpec SPEC = IbSocketSpec.threeFs();
    private static final long MS = 1_000_000_000L;

    private static final FaultPlan LOSES_EMPTY_SENDS = FaultPlan.of(FaultRule.of(
                    new FaultAction.Drop(), new FaultTrigger.Always())
            .where(t -> t instanceof RocePacket p && p.opcode == Opcode.RC_SEND_ONLY.code() && p.payloadLength == 0));

    private static IbSocketSpec with(int sendBuffers, int rnrRetries) {
        return new IbSocketSpec(16_384, sendBuffers, 8, 8, 128, 32, 16, 7, rnrRetries, 14, Probe.NONE);
    }

    /** The sizes that 3FS derives: 41 receives, 170 sends, 211 completions. */
    @Test
    void queuesAreAsLargeAsThoseOf3Fs() {
        assertThat(SPEC.receives()).isEqualTo(41);
        assertThat(SPEC.sendQueue()).isEqualTo(170);
        assertThat(SPEC.completions()).isEqualTo(211);
    }

    /** A receiver that does something else for a millisecond gets 32 buffers and no more; the others wait at the sender. */
    @Test
    void creditsHoldASenderBack() {
        SocketRig rig = new SocketRig(SPEC, SPEC, true);
        byte[] b = new byte[100];
        rig.busy(MS);
        rig.onClient(() -> {
            for (int i = 0; i < 200; i++) {
                rig.client.socket().send(b, b.length, MessageName.NONE);
            }
        });
        rig.cluster.sim().run(rig.cluster.sim().now() + MS / 2);
        assertThat(rig.client.socket().unacknowledged()).isEqualTo(32);
        assertThat(rig.cluster.wire().sends()).isEqualTo(32);
        rig.cluster.await(() -> rig.server.received.size() == 200, "everything");
        rig.cluster.settle();
        assertThat(rig.client.broken + rig.server.broken).isZero();
        assertThat(rig.client.socket().unacknowledged()).isZero();
    }

    /** A credit for each eight buffers, in one direction only, for longer than any queue is. */
    @Test
    void eightBuffersAreAcknowledgedAtOnce() {
        SocketRig rig = new SocketRig(SPEC, SPEC, true);
        byte[] b = new byte[64];
        int n = 8 * 400 + 7;
        rig.onClient(() -> {
            for (int i = 0; i < n; i++) {
                rig.client.socket().send(b, b.length, MessageName.NONE);
            }
        });
        rig.cluster.await(() -> rig.server.received.size() == n, "everything");
        rig.cluster.settle();
        assertThat(rig.cluster.wire().overheads()).containsEntry("credit", 400L);
        assertThat(rig.client.socket().unacknowledged()).isEqualTo(7);
        assertThat(rig.client.broken + rig.server.broken).isZero();
    }

    /** What is larger than a buffer goes in several, in order. */
    @Test
    void aMessageIsCutIntoBuffers() {
        SocketRig rig = new SocketRig(SPEC, SPEC, true);
        rig.onClient(() -> rig.client.socket().send(new byte[40_000], 40_000, MessageName.NONE));
        rig.cluster.await(() -> rig.server.received.size() == 3, "three buffers");
        assertThat(rig.server.received).containsExactly(16_384, 16_384, 40_000 - 2 * 16_384);
    }

    /** Who sends more than there are receives ends the connection at once; with retries of the kind that 3FS does not have it would only wait. */
    @ParameterizedTest
    @CsvSource({"0,1", "7,0"})
    void moreThanThereAreReceivesBreaksTheConnection(int rnrRetries, int broken) {
        SocketRig rig = new SocketRig(with(64, rnrRetries), with(32, rnrRetries), true);
        byte[] b = new byte[64];
        rig.busy(3 * MS);
        long from = rig.cluster.sim().now();
        rig.onClient(() -> {
            for (int i = 0; i < 64; i++) {
                rig.client.socket().send(b, b.length, MessageName.NONE);
            }
        });
        rig.cluster.sim().run(from + 6 * MS);
        assertThat(rig.client.broken).isEqualTo(broken);
        if (broken > 0) {
            assertThat(rig.client.brokenPs - from).as("no retry, no timeout").isLessThan(MS);
        } else {
            assertThat(rig.server.received).hasSize(64);
        }
    }

    /** One signal for eight SENDs: the sender takes as many completions less. */
    @Test
    void oneOfEightSendsIsSignalled() {
        SocketRig rig = new SocketRig(SPEC, SPEC, true);
        byte[] b = new byte[64];
        long before = rig.client.socket().completions();
        rig.onClient(() -> {
            for (int i = 0; i < 24; i++) {
                rig.client.socket().send(b, b.length, MessageName.NONE);
            }
        });
        rig.cluster.await(() -> rig.server.received.size() == 24, "everything");
        rig.cluster.settle();
        assertThat(rig.client.socket().completions() - before)
                .as("3 signals, 3 credits")
                .isEqualTo(6);
    }

    /** A completion for each list of 32 WRITEs, and for what is left: 200 are seven, 1,024 are 32; no more than 128 are under way. */
    @ParameterizedTest
    @CsvSource({"true,200,7", "false,200,7", "true,1024,32"})
    void theLastOfAListOfWritesIsSignalled(boolean soft, int writes, int completions) {
        SocketRig rig = new SocketRig(SPEC, SPEC, soft);
        int size = 512 * 200 / writes / 4 * 4;
        byte[] b = new byte[writes * size];
        new Random(5).nextBytes(b);
        rig.client.node.host().host().memory().putBytes(rig.client.region().address(), b, 0, b.length);
        long before = rig.client.socket().completions();
        List<Boolean> ended = new ArrayList<>();
        rig.onClient(() -> rig.client.socket().write(rig.ranges(writes, size), MessageName.NONE, ended::add));
        rig.cluster.await(() -> !ended.isEmpty(), "the end of all");
        rig.cluster.settle();
        assertThat(ended).containsExactly(true);
        assertThat(rig.client.socket().completions() - before).isEqualTo(completions);
        assertThat(rig.cluster.wire().writes()).isEqualTo(writes);
        byte[] there = new byte[b.length];
        rig.server.node.host().host().memory().getBytes(rig.server.region().address(), there, 0, there.length);
        assertThat(there).isEqualTo(b);
    }

    /** Lists that are under way when the connection ends are told once each. */
    @Test
    void aListThatCannotGoIsTold() {
        SocketRig rig = new SocketRig(SPEC, SPEC, true);
        List<Boolean> ended = new ArrayList<>();
        rig.onClient(() -> {
            for (int i = 0; i < 10; i++) {
                rig.client.socket().write(rig.ranges(32, 512), MessageName.NONE, ended::add);
            }
            rig.client.socket().notice(new byte[64], rig.ranges(2, 512).get(1), 1, MessageName.NONE, ended::add);
            rig.client.socket().close();
        });
        rig.cluster.await(() -> rig.client.broken == 1, "the end");
        assertThat(ended).hasSize(11).containsOnly(false);
    }

    /** Notices take receives: they go by credits as SENDs do, in the order in which they were given. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void noticesGoByTheSameCredits(boolean soft) {
        SocketRig rig = new SocketRig(SPEC, SPEC, soft);
        byte[] head = new byte[320];
        List<Boolean> ended = new ArrayList<>();
        rig.busy(MS);
        RdmaRange to = rig.ranges(2, 4096).get(1); // the head lies before it
        rig.onClient(() -> {
            for (int i = 0; i < 100; i++) {
                rig.client.socket().notice(head, to, i, MessageName.NONE, ended::add);
            }
        });
        rig.cluster.sim().run(rig.cluster.sim().now() + MS / 2);
        assertThat(rig.client.socket().unacknowledged()).isEqualTo(32);
        rig.cluster.await(() -> rig.server.words.size() == 100 && ended.size() == 100, "all notices");
        assertThat(rig.server.words).isSorted().doesNotHaveDuplicates();
        assertThat(Collections.frequency(rig.server.lengths, 320 + 4096)).isEqualTo(100);
        assertThat(ended).containsOnly(true);
        rig.cluster.settle();
        assertThat(rig.cluster.wire().overheads()).containsEntry("credit", 12L);
        assertThat(rig.client.socket().unacknowledged()).isEqualTo(4);
        assertThat(rig.client.broken + rig.server.broken).isZero();
    }

    /** 3FS issue 320: a virtual device loses SENDs of no bytes without a word. Who is connected to waits for the probe until its time is over; one with immediate data arrives. */
    @ParameterizedTest
    @CsvSource({
        "NONE,true,true",
        "EMPTY_SEND,false,true",
        "EMPTY_SEND,true,false",
        "IMMEDIATE,false,true",
        "IMMEDIATE,true,true"
    })
    void aProbeOfNoBytesMayBeLost(Probe probe, boolean loses, boolean connects) {
        SocketRig rig = SocketRig.unconnected(SPEC.withProbe(probe), loses ? LOSES_EMPTY_SENDS : FaultPlan.NONE);
        long begun = rig.cluster.sim().now();
        rig.dial(SPEC.withProbe(probe));
        rig.cluster
                .sim()
                .runUntil(
                        () -> (rig.client.isOpen() && rig.server.isOpen()) || rig.server.broken > 0,
                        begun + 20_000 * MS);
        assertThat(rig.client.isOpen()).isEqualTo(connects);
        assertThat(rig.server.isOpen()).isEqualTo(connects);
        if (connects) {
            rig.onClient(() -> rig.client.socket().send(new byte[100], 100, MessageName.NONE));
            rig.cluster.await(() -> rig.server.received.size() == 1, "a message");
            assertThat(rig.server.received).containsExactly(100);
        } else {
            assertThat(rig.client.brokenPs - begun)
                    .as("eight timeouts of 67 ms")
                    .isBetween(500 * MS, 2_000 * MS);
        }
    }
}
