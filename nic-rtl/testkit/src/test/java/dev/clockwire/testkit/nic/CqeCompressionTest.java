package dev.clockwire.testkit.nic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.nic.lab.Lab;
import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profile;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.transport.WrOpcode;
import dev.clockwire.roce.verbs.Completion;
import dev.clockwire.roce.verbs.CompletionQueue;
import dev.clockwire.roce.verbs.Mtu;
import dev.clockwire.roce.verbs.SendFlag;
import dev.clockwire.roce.verbs.VerbsException;
import dev.clockwire.roce.verbs.WorkCompletion;
import dev.clockwire.sim.KernelMode;
import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.sim.random.RandomStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Completions that share entries, against the same completions with entries of their own. */
class CqeCompressionTest {
    private static final long US = 1_000_000;

    private static Lab lab(String compression, KernelMode mode) {
        return Lab.twoHosts(
                Profiles.named("cx7-400g").with("nic.cqe.compression", compression),
                LabSpec.of(1).withMode(mode).withFullHash(true));
    }

    private static String text(WorkCompletion wc) {
        return wc.qpNum + " " + wc.wrId + " " + wc.opcode + " " + wc.status + " " + wc.byteLength + " " + wc.immOrKey
                + " " + wc.flags;
    }

    private static long upBytes(Lab lab, boolean server) {
        return lab.sim().stats().value((server ? "host1" : "host0") + ".pcie.up.data_bytes");
    }

    /** All completions of random work on two queue pairs that share queues of 32 entries, polled at random times. */
    private static List<String> program(Lab lab, long seed) {
        Pair one = new Pair(lab, QpType.RC, Mtu.MTU_1024, Allocation.Kind.REAL, 32);
        Pair two = new Pair(lab, QpType.RC, Mtu.MTU_1024, Allocation.Kind.REAL, 32);
        Pair[] pairs = {one, two};
        RandomStream random = RandomStream.named(seed, "program");
        List<String> all = new ArrayList<>();
        WorkCompletion[] wc = WorkCompletion.array(5);
        for (int round = 0; round < 60; round++) {
            Pair p = pairs[random.below(2)];
            Posts a = new Posts(p.a, p.b);
            Posts b = new Posts(p.b, p.a);
            int n = 1 + random.below(25);
            for (int i = 0; i < n; i++) {
                int kind = random.below(20);
                if (kind == 0) {
                    a.post(WrOpcode.RDMA_READ, 1 + random.below(3000));
                } else if (kind < 8) {
                    a.post(WrOpcode.RDMA_WRITE, 1 + random.below(200));
                } else {
                    b.receive(0, 4000);
                    boolean imm = kind == 8;
                    var e = a.begin(imm ? WrOpcode.SEND_WITH_IMM : WrOpcode.SEND, 1 + random.below(300));
                    e.immOrKey = imm ? round : 0;
                    e.flags |= kind == 9 ? SendFlag.SOLICITED.code() : 0;
                    a.post();
                }
            }
            lab.sim().run(lab.sim().now() + (1 + random.below(60)) * US / 4);
            drain(p, all, wc);
        }
        lab.sim().run(lab.sim().now() + 100 * US);
        drain(one, all, wc);
        drain(two, all, wc);
        return all;
    }

    private static void drain(Pair p, List<String> all, WorkCompletion[] wc) {
        for (Pair.Side side : List.of(p.a, p.b)) {
            List<String> here = new ArrayList<>();
            for (int idle = 0; idle < 3; idle++) {
                for (int n = side.cq.poll(wc); n > 0; n = side.cq.poll(wc)) {
                    for (int i = 0; i < n; i++) {
                        here.add(text(wc[i]));
                    }
                }
                p.lab.sim().run(p.lab.sim().now() + 20 * US);
            }
            all.addAll(here);
        }
    }

    /** Nothing about the completions of a queue is different, and fewer bytes come over PCIe. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void theProgramSeesNoDifference(long seed) {
        Lab plain = lab("off", KernelMode.ACTIVITY);
        Lab compressed = lab("all", KernelMode.ACTIVITY);
        Lab exhaustive = lab("all", KernelMode.EXHAUSTIVE);
        List<String> wanted = program(plain, seed);
        assertThat(program(compressed, seed)).isEqualTo(wanted);
        assertThat(program(exhaustive, seed)).isEqualTo(wanted);
        assertThat(exhaustive.sim().traceHash()).isEqualTo(compressed.sim().traceHash());
        assertThat(wanted).hasSizeGreaterThan(700);
        String at = compressed.b().nic().path() + ".cqe_compress_";
        long blocks = compressed.sim().stats().value(at + "blks");
        long in = compressed.sim().stats().value(at + "pkts");
        assertThat(blocks).isPositive();
        assertThat(in).isGreaterThan(2 * blocks);
        long saved = upBytes(plain, true) - upBytes(compressed, true);
        assertThat(saved)
                .as("each block has two entries of 64 B instead of its completions")
                .isEqualTo(64 * (in - 2 * blocks));
    }

    /** Eight receives in a row: two entries instead of eight. */
    @Test
    void eightInTwoEntries() {
        long[] bytes = new long[2];
        for (int i = 0; i < 2; i++) {
            Lab lab = lab(i == 0 ? "off" : "cq", KernelMode.ACTIVITY);
            Pair p = new Pair(lab, QpType.RC, Mtu.MTU_1024, Allocation.Kind.REAL, 16);
            if (i == 1) {
                lab.await(p.b.cq.compress(true));
            }
            Posts a = new Posts(p.a, p.b);
            Posts b = new Posts(p.b, p.a);
            lab.sim().run(lab.sim().now() + 10 * US);
            long before = upBytes(lab, true);
            for (int k = 0; k < 64; k++) {
                b.receive(64 * k, 64);
            }
            for (int k = 0; k < 8; k++) {
                a.post(WrOpcode.SEND, 8);
            }
            lab.sim().run(lab.sim().now() + 50 * US);
            bytes[i] = upBytes(lab, true) - before;
            List<String> found = new ArrayList<>();
            drain(p, found, WorkCompletion.array(3));
            assertThat(found).hasSize(16);
        }
        assertThat(bytes[0] - bytes[1])
                .as("some of the eight come apart in time")
                .isBetween(64L, 64L * 6);
    }

    /**
     * The session lasts as long as the device needs for eight WQEs of one queue pair, which come wqe_interval_cycles apart. The core of
     * cx6-200g posts one in 400 ns: three in a session.
     */
    @ParameterizedTest
    @CsvSource({"cx5-100g, 9", "cx6-200g, 22", "cx7-400g, 9"})
    void aBusyQueuePairFillsItsArrays(String profile, long most) {
        long[] hashes = new long[2];
        for (int i = 0; i < 3; i++) {
            Profile card = Profiles.named(profile);
            card = i == 0 ? card.with("nic.cqe.compression", "all") : card;
            card = i == 1 ? card.with("nic.cqe.compression_cycles", "16") : card;
            Lab lab = Lab.twoHosts(card, LabSpec.of(1).withFullHash(true));
            Pair p = new Pair(lab, QpType.RC, Mtu.MTU_1024, Allocation.Kind.REAL, 128);
            Posts a = new Posts(p.a, p.b);
            Posts b = new Posts(p.b, p.a);
            for (int k = 0; k < 64; k++) {
                b.receive(64 * k, 64);
            }
            lab.sim().run(lab.sim().now() + 10 * US);
            for (int k = 0; k < 64; k++) {
                a.post(WrOpcode.SEND, 8);
            }
            lab.sim().run(lab.sim().now() + 50 * US);
            if (i == 0) {
                String at = lab.b().nic().path() + ".cqe_compress_";
                assertThat(lab.sim().stats().value(at + "pkts")).isEqualTo(64);
                assertThat(lab.sim().stats().value(at + "blks")).isBetween(8L, most);
            } else {
                hashes[i - 1] = 31 * lab.sim().traceHash() + lab.sim().evaluations();
            }
        }
        assertThat(hashes[0]).as("a window of nothing").isEqualTo(hashes[1]);
    }

    /** A completion that nobody follows is told when the window is over; an armed queue then has its event. */
    @ParameterizedTest
    @CsvSource({"1", "16", "1000"})
    void aLonelyCompletionWaitsForTheWindow(int window) {
        Lab plain = lab("off", KernelMode.ACTIVITY);
        Lab lab = Lab.twoHosts(
                Profiles.named("cx7-400g")
                        .with("nic.cqe.compression", "all")
                        .with("nic.cqe.compression_cycles", Integer.toString(window)),
                LabSpec.of(1));
        assertThat(eventAfter(lab) - eventAfter(plain)).isEqualTo(4000L * window);
    }

    private static long eventAfter(Lab lab) {
        Pair p = new Pair(lab, QpType.RC, Mtu.MTU_1024, Allocation.Kind.REAL, 16);
        p.a.cq.reqNotify(false);
        Completion<CompletionQueue> event = p.a.cq.channel().cqEvent();
        lab.sim().run(lab.sim().now() + 5 * US);
        long start = lab.sim().now();
        new Posts(p.a, p.b).post(WrOpcode.RDMA_WRITE, 8);
        assertThat(lab.sim().runUntil(event::isDone, start + 1000 * US)).isTrue();
        return lab.sim().now() - start;
    }

    @Test
    void whatCannotBeSaysSo() {
        Pair p = new Pair(lab("off", KernelMode.ACTIVITY), QpType.RC, Mtu.MTU_1024, Allocation.Kind.REAL);
        assertThatThrownBy(() -> p.lab.await(p.a.cq.compress(true)))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("EOPNOTSUPP");
        Pair q = new Pair(lab("all", KernelMode.ACTIVITY), QpType.RC, Mtu.MTU_1024, Allocation.Kind.REAL);
        assertThatThrownBy(() -> q.lab.await(q.a.cq.resize(512))).hasMessageContaining("compressed");
        q.lab.await(q.a.cq.compress(false));
        q.lab.await(q.a.cq.resize(512));
    }
}
