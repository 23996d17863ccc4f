package dev.clockwire.nic.device;

import dev.clockwire.nic.doorbell.Doorbell;
import dev.clockwire.nic.doorbell.DoorbellBlock;
import dev.clockwire.nic.doorbell.UarControl;
import dev.clockwire.nic.doorbell.UarLayout;
import dev.clockwire.nic.format.Wqe;
import dev.clockwire.nic.format.WqeOpcode;
import dev.clockwire.nic.format.WqeWriter;
import dev.clockwire.pcie.endpoint.MmioWrite;
import dev.clockwire.sim.Channel;
import dev.clockwire.sim.LongChannel;
import dev.clockwire.sim.state.Pool;
import java.util.List;

/** Stores into the doorbells of four queue pairs: doorbells of both sizes, arms, WQEs of two pieces, and nonsense. */
final class Doorbells {
    private Doorbells() {}

    static void build(Rig rig, int count) {
        Channel<Doorbell> out = rig.channel("out");
        LongChannel arms = rig.words("arms");
        DoorbellBlock block = new DoorbellBlock(
                rig.sim.root(), rig.clock, out, arms, new Pool<>(Doorbell::new), w -> {}, rig.parts, new Control());
        rig.events("stores", rig.port("window", t -> block.mmio().write((MmioWrite) t)), count, 0, Doorbells::store);
        rig.to(out, "out", d -> (long) d.qpn << 32 | (d.wqe == null ? 0 : 1 << 24) | d.producer + 1);
        rig.wordsTo(arms, "arms", true);
        rig.result(() -> List.of(block.errors()));
    }

    private static MmioWrite store(int i) {
        MmioWrite w = new MmioWrite();
        int qp = i / 8 % 4;
        switch (i % 8) {
            case 0, 1 -> {
                w.offset = UarLayout.PAGE.doorbell(qp);
                w.length = i % 8 == 0 ? 8 : 4;
                little(w, 0, Rig.QPN + qp);
                little(w, 4, i);
            }
            case 2 -> {
                w.offset = UarLayout.PAGE.arm(0);
                w.length = 8;
                little(w, 0, qp);
                little(w, 4, i);
            }
            case 3, 4 -> piece(w, qp, i % 8 - 3, i);
            case 5 -> {
                w.offset = UarLayout.PAGE.doorbell(qp);
                w.length = 8;
                little(w, 0, Rig.QPN + qp + 1); // another one's number
            }
            case 6 -> piece(w, qp, 0, i); // its end never comes
            default -> {
                w.offset = 0x200;
                w.length = 2;
            }
        }
        return w;
    }

    private static void piece(MmioWrite w, int qp, int number, int i) {
        WqeWriter writer = new WqeWriter();
        writer.begin(WqeOpcode.SEND, i, Rig.QPN + qp, true, false, false, 0);
        writer.inline(100);
        writer.finish();
        w.offset = UarLayout.PAGE.blueflame(qp, 0) + (long) number * Wqe.BLOCK;
        w.length = Wqe.BLOCK;
        System.arraycopy(writer.bytes(), number * Wqe.BLOCK, w.data, 0, Wqe.BLOCK);
    }

    private static void little(MmioWrite w, int at, int value) {
        for (int i = 0; i < 4; i++) {
            w.data[at + i] = (byte) (value >>> (8 * i));
        }
    }

    private static final class Control implements UarControl {
        @Override
        public UarLayout layout() {
            return UarLayout.PAGE;
        }

        @Override
        public boolean carriesIndex() {
            return true;
        }

        @Override
        public boolean articleLiteral() {
            return false;
        }

        @Override
        public void error(int kind) {}
    }
}
