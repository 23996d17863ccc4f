package dev.clockwire.nic.mac;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.sim.state.Snapshot;
import org.junit.jupiter.api.Test;

/** The rings of the MAC, over their ends and through a snapshot. */
class MacStateTest {
    private static MacState again(MacState s) {
        Snapshot snapshot = new Snapshot();
        s.save(snapshot);
        snapshot.rewind();
        MacState copy = new MacState();
        copy.addNotice(99, 99);
        copy.load(snapshot);
        return copy;
    }

    @Test
    void theOldestStartIsThatOfThePacketAFifoBack() {
        MacState s = new MacState();
        for (long i = 1; i <= 11; i++) {
            assertThat(s.oldestStart()).isEqualTo(Math.max(0, i - 1 - MacState.FIFO + 1) * 10);
            s.started(i * 10);
        }
        assertThat(again(s).oldestStart()).isEqualTo(80);
    }

    @Test
    void noticesLeaveInOrderOverTheEndOfTheRing() {
        MacState s = new MacState();
        long next = 0;
        long first = 0;
        for (int round = 0; round < 5; round++) {
            while (s.noticeCount < MacState.NOTICES) {
                s.addNotice(next, 1000 + next);
                next++;
            }
            MacState copy = again(s);
            assertThat(copy.noticeCount).isEqualTo(MacState.NOTICES);
            for (long i = first; i < next; i++) {
                assertThat(copy.noticeDue()).isEqualTo(1000 + i);
                assertThat(copy.removeNotice()).isEqualTo(i);
            }
            assertThat(copy.noticeCount).isZero();
            for (int i = 0; i < 23; i++) {
                assertThat(s.noticeDue()).isEqualTo(1000 + first);
                assertThat(s.removeNotice()).isEqualTo(first++);
            }
        }
    }

    @Test
    void turnsAndPausesAreInTheSnapshot() {
        MacState s = new MacState();
        s.held = true;
        s.nextEntry = 77;
        assertThat(again(s).held).isTrue();
        assertThat(again(s).ethernetTurn).isFalse();
        assertThat(again(s).nextEntry).isEqualTo(77);
        s.held = false;
        s.ethernetTurn = true;
        assertThat(again(s).held).isFalse();
        assertThat(again(s).ethernetTurn).isTrue();
    }
}
