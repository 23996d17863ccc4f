package dev.clockwire.nic.context;

import dev.clockwire.nic.chip.ChipMemory;
import dev.clockwire.nic.profile.NicSpec;
import dev.clockwire.nic.profile.Profile;
import dev.clockwire.nic.stage.Journal;
import dev.clockwire.roce.wire.PortAddress;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.Clock;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.state.Pool;

/** What a block shares with others, where it stands alone: nobody is told anything. */
public final class LoneParts {
    private static final int CHIP_BYTES = 1 << 16;

    private LoneParts() {}

    /** Returns the parts of a device that consists of one block. */
    public static DeviceParts of(Sim sim, Clock clock, Profile hardware, ContextTable table) {
        return of(sim, clock, hardware, table, new Nobody());
    }

    /** Returns the parts of a device that consists of one block which tells somebody what happens. */
    public static DeviceParts of(Sim sim, Clock clock, Profile hardware, ContextTable table, Nobody told) {
        return new DeviceParts(
                NicSpec.from(hardware),
                table,
                new Journal(sim, 1),
                told,
                new PortAddress(1, 2, 3, 4),
                new Pool<>(RocePacket::new),
                new ChipMemory(sim.root(), clock, CHIP_BYTES, write -> {}),
                told);
    }

    /** Listens to nothing and lets every interrupt through; a test overrides what it wants to hear. */
    public static class Nobody implements NicControl, Interrupts {
        /** Creates it. */
        public Nobody() {}

        @Override
        public void qpFailed(QpContext qp) {}

        @Override
        public void sendFailed(QpContext qp) {}

        @Override
        public void happened(int eqeType, int number) {}

        @Override
        public void emptied(QpContext qp) {}

        @Override
        public void drained(QpContext qp) {}

        @Override
        public void changeKeys(QpContext qp, KeyChange change) {}

        @Override
        public void cqFailed(int cqn) {}

        @Override
        public boolean request(int vector) {
            return true;
        }

        @Override
        public long address(int vector) {
            return 0;
        }

        @Override
        public int data(int vector) {
            return 0;
        }

        @Override
        public int moderation(int eqn) {
            return 0;
        }

        @Override
        public int consumed(int eqn) {
            return 0;
        }
    }
}
