package dev.clockwire.nic.format;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** What is written is what is read; what makes no sense is found out without an exception. */
class FormatsProperties {
    private static final int[] OPCODES = {
        WqeOpcode.SEND_INVAL,
        WqeOpcode.RDMA_WRITE,
        WqeOpcode.RDMA_WRITE_IMM,
        WqeOpcode.SEND,
        WqeOpcode.SEND_IMM,
        WqeOpcode.RDMA_READ,
        WqeOpcode.ATOMIC_CS,
        WqeOpcode.ATOMIC_FA
    };

    @Property
    void aWqeComesBack(@ForAll long seed, @ForAll @IntRange(min = 0, max = 29) int elements, @ForAll boolean inline) {
        Random random = new Random(seed);
        int opcode = OPCODES[random.nextInt(OPCODES.length)];
        boolean flagS = random.nextBoolean();
        boolean flagE = random.nextBoolean();
        boolean flagF = random.nextBoolean();
        int imm = random.nextInt();
        int index = random.nextInt(1 << 16);
        int qpn = random.nextInt(1 << 24);
        long va = random.nextLong();
        WqeWriter w = new WqeWriter();
        w.begin(opcode, index, qpn, flagS, flagE, flagF, imm);
        if (WqeOpcode.hasRemoteAddress(opcode)) {
            w.remoteAddress(va, imm + 1);
        }
        if (WqeOpcode.isAtomic(opcode)) {
            w.atomic(va + 1, va + 2);
        }
        byte[] data = new byte[random.nextInt(221)];
        random.nextBytes(data);
        if (inline) {
            System.arraycopy(data, 0, w.bytes(), w.inline(data.length), data.length);
        } else {
            for (int i = 0; i < elements; i++) {
                w.data(va + i, i * 7 + 1, imm + i);
            }
        }
        int size = w.finish();
        Wqe x = new Wqe();
        System.arraycopy(w.bytes(), 0, x.raw, 0, size);
        x.parse(false);
        assertThat(x.valid).isTrue();
        assertThat(new Object[] {x.opcode, x.index, x.qpn, x.signaled, x.solicited, x.fence, x.imm})
                .containsExactly(opcode, index, qpn, flagS, flagE, flagF, imm);
        assertThat(x.blocks).isEqualTo((size + Wqe.BLOCK - 1) / Wqe.BLOCK);
        if (WqeOpcode.hasRemoteAddress(opcode)) {
            assertThat(x.remoteVa).isEqualTo(va);
            assertThat(x.rkey).isEqualTo(imm + 1);
        }
        if (WqeOpcode.isAtomic(opcode)) {
            assertThat(x.swapAdd).isEqualTo(va + 1);
            assertThat(x.compare).isEqualTo(va + 2);
        }
        if (inline) {
            assertThat(x.length).isEqualTo(data.length);
            assertThat(java.util.Arrays.copyOfRange(x.raw, x.inlineAt, x.inlineAt + data.length))
                    .isEqualTo(data);
        } else {
            assertThat(x.sgeCount).isEqualTo(elements);
            assertThat(x.length).isEqualTo(7L * elements * (elements - 1) / 2 + elements);
            for (int i = 0; i < elements; i++) {
                assertThat(x.sgeVa[i]).isEqualTo(va + i);
                assertThat(x.sgeLkey[i]).isEqualTo(imm + i);
            }
        }
    }

    @Property
    void randomBytesNeverThrow(@ForAll long seed, @ForAll boolean datagram) {
        Wqe x = new Wqe();
        new Random(seed).nextBytes(x.raw);
        x.parse(datagram);
        if (x.valid) {
            assertThat(x.inlineAt + x.length).isLessThanOrEqualTo(x.inlineAt == 0 ? Long.MAX_VALUE : Wqe.MAX_BYTES);
            assertThat(x.sgeCount).isLessThanOrEqualTo(Wqe.MAX_SGE);
        }
    }

    @Property
    void aCqeComesBack(@ForAll long seed) {
        Random random = new Random(seed);
        int opcode = random.nextInt(15);
        int sendOpcode = random.nextInt(256);
        int qpn = random.nextInt(1 << 24);
        int source = random.nextInt(1 << 24);
        int counter = random.nextInt(1 << 16);
        int count = random.nextInt();
        int imm = random.nextInt();
        int syndrome = random.nextInt(256);
        boolean owner = random.nextBoolean();
        byte[] cqe = new byte[Cqe.BYTES];
        Cqe.write(cqe, opcode, sendOpcode, qpn, source, counter, count, imm, syndrome, !owner, owner);
        assertThat(new Object[] {
                    Cqe.opcode(cqe),
                    Cqe.sendOpcode(cqe),
                    Cqe.qpn(cqe),
                    Cqe.srcQp(cqe),
                    Cqe.wqeCounter(cqe),
                    Cqe.byteCount(cqe),
                    Cqe.imm(cqe),
                    Cqe.syndrome(cqe),
                    Cqe.owner(cqe)
                })
                .containsExactly(opcode, sendOpcode, qpn, source, counter, count, imm, syndrome, owner);
        assertThat(Cqe.opcodeOf(cqe[Cqe.BYTES - 1])).isEqualTo(opcode);
    }
}
