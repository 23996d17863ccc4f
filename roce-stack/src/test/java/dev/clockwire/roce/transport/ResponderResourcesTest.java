package dev.clockwire.roce.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.roce.transport.RequestDecision.Action;
import dev.clockwire.roce.wire.Opcode;
import dev.clockwire.sim.state.Snapshot;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a responder keeps for READs and atomics that come again, where their PSNs go over 2^24; and how many may be open. */
class ResponderResourcesTest extends ResponderRig {
    private static final int KEPT = 4;
    private static final int BYTES = 3000;
    /** Responses of a READ of so many bytes at a path MTU of 1024. */
    private static final int RESPONSES = 3;

    private void start(int firstPsn) {
        s.connect(
                spec(QpType.RC).withFirstPsn(firstPsn).withMaxDestRdAtomic(KEPT).withRefuseExcess(true));
    }

    private static int psn(int first, int read) {
        return first + read * RESPONSES & Psn.MASK;
    }

    private static long va(int read) {
        return 0x10_0000L * (1 + read);
    }

    @BeforeEach
    void noReceives() {
        env.available = false; // neither READs nor atomics want one
    }

    /** The third of the READs, its second or third response, or the one behind it is the first with PSN 0; or none is near. */
    @ParameterizedTest
    @ValueSource(ints = {0x1000, 0x1000000 - 6, 0x1000000 - 7, 0x1000000 - 8, 0x1000000 - 9, 0x1000000 - 1})
    void aReadThatComesAgainIsReadFromThere(int first) {
        start(first);
        for (int i = 0; i < KEPT + 2; i++) {
            feedRead(psn(first, i), va(i), BYTES);
            assertThat(d.action).isEqualTo(Action.READ);
            assertThat(d.resource).isEqualTo(i % KEPT);
            Responder.answered(s, d.resource, psn(first, i));
        }
        assertThat(s.expectedPsn()).isEqualTo(psn(first, KEPT + 2));
        for (int i = 0; i < KEPT + 2; i++) {
            for (int skipped = 0; skipped < RESPONSES; skipped++) {
                int from = psn(first, i) + skipped & Psn.MASK;
                feedRead(from, va(i) + skipped * 1024L, BYTES - skipped * 1024);
                assertThat(d.action)
                        .as("READ %d from response %d", i, skipped)
                        .isEqualTo(i < 2 ? Action.DROP : Action.REREAD);
                if (i >= 2) {
                    assertThat(d.va).isEqualTo(va(i) + skipped * 1024L);
                }
            }
            feedRead(psn(first, i), va(i) + 1, BYTES);
            assertThat(d.action).as("another place").isEqualTo(Action.DROP);
        }
        assertThat(s.expectedPsn()).as("nothing of this is new").isEqualTo(psn(first, KEPT + 2));
        assertThat(s.resourcesBusy()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(ints = {0x1000, 0x1000000 - 2, 0x1000000 - 5})
    void asManyAreOpenAsItKeeps(int first) {
        start(first);
        for (int i = 0; i < KEPT; i++) {
            feedRead(psn(first, i), va(i), BYTES);
            assertThat(d.action).isEqualTo(Action.READ);
        }
        feedRead(psn(first, 1), va(1), BYTES);
        assertThat(d.action).as("one that comes again is none more").isEqualTo(Action.REREAD);
        Responder.answered(s, 0, psn(first, 0));
        feed(Opcode.RC_FETCH_ADD, psn(first, KEPT), 0);
        assertThat(d.action).isEqualTo(Action.ATOMIC);
        feedRead(psn(first, KEPT) + 1 & Psn.MASK, va(9), BYTES);
        assertRefused(Syndrome.NAK_INVALID_REQUEST);
    }

    /** An atomic at the last PSN, whose result is kept, also by a state that was saved. */
    @ParameterizedTest
    @ValueSource(ints = {0x1000, 0x1000000 - 1, 0x1000000 - 2})
    void anAtomicThatComesAgainHasItsFirstResult(int first) {
        start(first);
        for (int i = 0; i < KEPT; i++) {
            feed(Opcode.RC_FETCH_ADD, first + i & Psn.MASK, 0);
            Responder.atomicDone(s, d.resource, first + i & Psn.MASK, 1000 + i);
        }
        Snapshot snapshot = new Snapshot();
        s.save(snapshot);
        start(first);
        s.load(snapshot);
        for (int i = 0; i < KEPT; i++) {
            feed(Opcode.RC_FETCH_ADD, first + i & Psn.MASK, 0);
            assertThat(d.action).isEqualTo(Action.REPLAY_ATOMIC);
            assertThat(d.original).isEqualTo(1000 + i);
        }
    }
}
