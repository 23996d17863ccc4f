package dev.clockwire.roce.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/** Whatever is posted arrives once, in order and unchanged, whatever is lost on the way. */
class BackToBackProperties {
    private static final int WRITES = 0;
    private static final int READS = 1 << 15;
    private static final int KEY = 7;
    private static final List<WrOpcode> OPERATIONS = Arrays.stream(WrOpcode.values())
            .filter(operation -> !operation.isLocal())
            .toList();

    @Provide
    Arbitrary<Integer> mtu() {
        return Arbitraries.of(256, 1024, 4096);
    }

    private static List<SendWork> program(Random random, int count, QpType type) {
        List<SendWork> work = new ArrayList<>();
        int writeAt = WRITES;
        while (work.size() < count) {
            SendWork one = new SendWork();
            one.id = work.size();
            one.opcode = OPERATIONS.get(random.nextInt(OPERATIONS.size()));
            one.length = one.opcode.isAtomic() ? Long.BYTES : random.nextInt(3000);
            one.fence = random.nextInt(8) == 0;
            one.rkey = KEY;
            one.swapAdd = 1;
            one.immOrKey = work.size();
            one.remoteVa = one.opcode.isAtomic() ? Pair.COUNTER : one.opcode.isRead() ? READS + one.id : writeAt;
            boolean fits = one.opcode.allowedOn(type) && one.opcode != WrOpcode.ATOMIC_CMP_AND_SWP;
            if (fits) {
                work.add(one);
                writeAt += one.opcode.carriesPayload() ? (int) one.length : 0;
            }
        }
        return work;
    }

    private static void prepare(Pair pair) {
        for (int i = 0; i < READS / 2; i++) {
            pair.remote[READS + i] = (byte) (i * 13);
        }
    }

    @Property(tries = 300)
    void everythingArrivesOnceInOrder(
            @ForAll @IntRange(min = 1, max = 10) int count,
            @ForAll("mtu") int mtu,
            @ForAll @IntRange(max = 60) int beforeTheWrap,
            @ForAll @IntRange(max = 12) int lossPercent,
            @ForAll boolean scarce,
            @ForAll boolean credits,
            @ForAll long seed) {
        List<SendWork> work = program(new Random(seed), count, QpType.RC);
        Pair pair = new Pair(work, QpType.RC, mtu, Psn.plus(0, -beforeTheWrap), lossPercent / 100.0, seed);
        pair.env.scarce = scarce;
        if (credits) {
            pair.useCredits();
        }
        prepare(pair);
        while (!pair.finished() && pair.steps < 100_000) {
            pair.step();
            if (pair.steps % 17 == 0) {
                pair.throughASnapshot();
            }
        }
        assertThat(pair.completed)
                .containsExactlyElementsOf(LongStream.range(0, count).boxed().toList());
        checkMemory(pair);
        checkReceived(pair);
        checkReads(pair);
        checkAtomics(pair);
        assertThat(pair.responder.msn()).isEqualTo(count);
        assertThat(pair.responder.expectedPsn()).isEqualTo(pair.requester.nextPsn());
        assertThat(pair.requester.outstandingReads()).isZero();
        assertThat(Requester.awaitsAck(pair.requester)).isFalse();
    }

    private static void checkMemory(Pair pair) {
        for (SendWork one : pair.work) {
            boolean write = one.opcode == WrOpcode.RDMA_WRITE || one.opcode == WrOpcode.RDMA_WRITE_WITH_IMM;
            for (int i = 0; write && i < one.length; i++) {
                assertThat(pair.remote[(int) one.remoteVa + i]).isEqualTo(Pair.messageByte(one.id, i));
            }
        }
    }

    private static void checkReceived(Pair pair) {
        int next = 0;
        for (SendWork one : pair.work) {
            if (one.opcode == WrOpcode.SEND
                    || one.opcode == WrOpcode.SEND_WITH_IMM
                    || one.opcode == WrOpcode.SEND_WITH_INV) {
                byte[] message = pair.received.get(next++);
                assertThat(message).hasSize((int) one.length);
                for (int i = 0; i < message.length; i++) {
                    assertThat(message[i]).isEqualTo(Pair.messageByte(one.id, i));
                }
            }
        }
        assertThat(pair.received).hasSize(next);
    }

    private static void checkReads(Pair pair) {
        for (SendWork one : pair.work) {
            for (int i = 0; one.opcode.isRead() && i < one.length; i++) {
                assertThat(pair.local[(int) one.id][i]).isEqualTo((byte) ((one.id + i) * 13));
            }
        }
    }

    private static void checkAtomics(Pair pair) {
        long count = pair.work.stream().filter(one -> one.opcode.isAtomic()).count();
        assertThat(pair.originals)
                .containsExactlyElementsOf(LongStream.range(0, count).boxed().toList());
        assertThat(ByteBuffer.wrap(pair.remote).getLong(Pair.COUNTER)).isEqualTo(count);
    }

    @Property(tries = 100)
    void unreliableDeliversWholeMessagesOrNone(
            @ForAll @IntRange(min = 1, max = 10) int count,
            @ForAll("mtu") int mtu,
            @ForAll @IntRange(max = 20) int lossPercent,
            @ForAll long seed) {
        List<SendWork> work = program(new Random(seed), count, QpType.UC);
        Pair pair = new Pair(work, QpType.UC, mtu, Psn.MASK - 3, lossPercent / 100.0, seed);
        for (int i = 0; i < 2000; i++) {
            pair.step();
        }
        assertThat(pair.finished()).isTrue();
        List<SendWork> sends = new ArrayList<>(work);
        sends.removeIf(one -> one.opcode != WrOpcode.SEND && one.opcode != WrOpcode.SEND_WITH_IMM);
        int at = 0;
        for (byte[] message : pair.received) {
            while (!isMessage(message, sends.get(at))) {
                at++;
            }
            at++;
        }
        if (lossPercent == 0) {
            assertThat(pair.received).hasSameSizeAs(sends);
            checkMemory(pair);
        }
    }

    private static boolean isMessage(byte[] message, SendWork one) {
        boolean same = message.length == one.length;
        for (int i = 0; same && i < message.length; i++) {
            same = message[i] == Pair.messageByte(one.id, i);
        }
        return same;
    }
}
