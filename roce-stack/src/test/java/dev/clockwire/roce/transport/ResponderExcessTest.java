package dev.clockwire.roce.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.roce.transport.RequestDecision.Action;
import dev.clockwire.roce.wire.Opcode;
import dev.clockwire.sim.state.Snapshot;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A responder that refuses more READs and atomics outstanding than max_dest_rd_atomic, which is 2 here. */
class ResponderExcessTest extends ResponderRig {
    @BeforeEach
    void refuse() {
        s.connect(spec(QpType.RC).withMaxDestRdAtomic(2).withRefuseExcess(true));
    }

    private void read(int psn) {
        feedRead(psn, 0x1000, 10);
    }

    @Test
    void oneTooManyIsAnInvalidRequest() {
        read(FIRST);
        assertThat(d.action).isEqualTo(Action.READ);
        read(FIRST + 1);
        assertThat(d.action).isEqualTo(Action.READ);
        read(FIRST + 2);
        assertRefused(Syndrome.NAK_INVALID_REQUEST);
        assertThat(s.msn()).isEqualTo(2);
    }

    @Test
    void anAnswerMakesRoom() {
        read(FIRST);
        int oldest = d.resource;
        read(FIRST + 1);
        Responder.answered(s, oldest, FIRST);
        read(FIRST + 2);
        assertThat(d.action).isEqualTo(Action.READ);
        Responder.answered(s, oldest, FIRST);
        assertThat(s.resourcesBusy()).as("the next one is still open").isTrue();
    }

    @Test
    void anAnswerOfAnOlderRequestInTheSamePlaceDoesNot() {
        read(FIRST);
        int oldest = d.resource;
        read(FIRST + 1);
        Responder.answered(s, oldest, FIRST + 7);
        read(FIRST + 2);
        assertRefused(Syndrome.NAK_INVALID_REQUEST);
    }

    @Test
    void atomicsCountAndTheirResultIsTheAnswer() {
        feed(Opcode.RC_FETCH_ADD, FIRST, 0);
        int oldest = d.resource;
        feed(Opcode.RC_COMPARE_SWAP, FIRST + 1, 0);
        Responder.atomicDone(s, oldest, FIRST, 5);
        feed(Opcode.RC_FETCH_ADD, FIRST + 2, 0);
        assertThat(d.action).isEqualTo(Action.ATOMIC);
        feed(Opcode.RC_FETCH_ADD, FIRST + 3, 0);
        assertRefused(Syndrome.NAK_INVALID_REQUEST);
    }

    @Test
    void otherRequestsAreNotConcerned() {
        read(FIRST);
        read(FIRST + 1);
        feed(Opcode.RC_SEND_ONLY, FIRST + 2, 10);
        assertThat(d.action).isEqualTo(Action.SEND);
        read(FIRST);
        assertThat(d.action).as("a duplicate is none too many").isEqualTo(Action.REREAD);
    }

    @Test
    void withoutTheOptionTheOldestIsForgotten() {
        s.connect(spec(QpType.RC).withMaxDestRdAtomic(2));
        read(FIRST);
        read(FIRST + 1);
        read(FIRST + 2);
        assertThat(d.action).isEqualTo(Action.READ);
        read(FIRST);
        assertThat(d.action).isEqualTo(Action.DROP);
    }

    @Test
    void itSurvivesASnapshotAndEndsWithTheConnection() {
        read(FIRST);
        read(FIRST + 1);
        Snapshot snapshot = new Snapshot();
        s.save(snapshot);
        ResponderState copy = new ResponderState();
        copy.load(snapshot);
        assertThat(copy.resourcesBusy()).isTrue();
        refuse();
        read(FIRST);
        assertThat(d.action).isEqualTo(Action.READ);
    }

    @Test
    void aNewLimitKeepsTheNewestRequestsForRepetition() {
        s.connect(spec(QpType.RC).withMaxDestRdAtomic(3));
        for (int i = 0; i < 4; i++) {
            read(FIRST + i);
        }
        s.modify(spec(QpType.RC).withMaxDestRdAtomic(2).withRefuseExcess(true));
        assertThat(s.resourcesBusy()).isFalse();
        assertKept(FIRST + 1, false);
        assertKept(FIRST + 2, true);
        assertKept(FIRST + 3, true);
        s.modify(spec(QpType.RC).withMaxDestRdAtomic(4));
        read(FIRST + 4);
        read(FIRST + 5);
        assertKept(FIRST + 2, true);
        read(FIRST + 6);
        assertKept(FIRST + 2, false);
        assertKept(FIRST + 3, true);
    }

    @Test
    void anotherChangeForgetsNothing() {
        s.connect(spec(QpType.RC).withMaxDestRdAtomic(2));
        read(FIRST);
        read(FIRST + 1);
        read(FIRST + 2);
        s.modify(spec(QpType.RC).withMaxDestRdAtomic(2).withAckEvery(2));
        read(FIRST + 3);
        assertKept(FIRST + 1, false);
        assertKept(FIRST + 2, true);
    }

    private void assertKept(int psn, boolean kept) {
        read(psn);
        assertThat(d.action).as("READ %d", psn).isEqualTo(kept ? Action.REREAD : Action.DROP);
    }
}
