package dev.clockwire.roce.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.roce.transport.RequestDecision.Action;
import dev.clockwire.roce.wire.Opcode;
import dev.clockwire.roce.wire.RocePacket;
import org.junit.jupiter.api.BeforeEach;

/** A receive side and what is asked of its surroundings. Path MTU 1024, first PSN 100. */
abstract class ResponderRig {
    static final int FIRST = 100;
    static final int KEY = 0x1234;

    final ResponderState s = new ResponderState();
    final RequestDecision d = new RequestDecision();
    final Env env = new Env();

    static final class Env implements ResponderEnv {
        int refusal = GRANTED;
        int checks;
        long checkedLength;
        boolean available = true;
        long capacity = 1 << 20;
        int posted = -1;

        @Override
        public int checkRemote(int rkey, long va, long length, int access) {
            checks++;
            checkedLength = length;
            return refusal;
        }

        @Override
        public boolean receiveAvailable() {
            return available;
        }

        @Override
        public int receivesPosted() {
            return posted;
        }

        @Override
        public long receiveCapacity() {
            return capacity;
        }
    }

    @BeforeEach
    void connect() {
        s.connect(spec(QpType.RC));
    }

    static ResponderSpec spec(QpType type) {
        return ResponderSpec.of(type, 1024, 0x21).withFirstPsn(FIRST);
    }

    final RocePacket packet(Opcode opcode, int psn, int payload) {
        RocePacket in = new RocePacket();
        in.opcode = opcode.code();
        in.psn = psn;
        in.setPayloadLength(payload);
        in.va = 0x1000;
        in.rkey = KEY;
        in.dmaLen = payload;
        in.ackReq = opcode.endsMessage();
        in.imm = 0xABCD;
        in.invalidateKey = 0x77;
        return in;
    }

    final void feed(RocePacket in) {
        Responder.onRequest(s, in, env, d);
    }

    final void feed(Opcode opcode, int psn, int payload) {
        feed(packet(opcode, psn, payload));
    }

    final void feedWrite(Opcode opcode, int psn, int payload, long total) {
        RocePacket in = packet(opcode, psn, payload);
        in.dmaLen = total;
        feed(in);
    }

    final void feedRead(int psn, long va, long length) {
        RocePacket in = packet(Opcode.RC_RDMA_READ_REQUEST, psn, 0);
        in.va = va;
        in.dmaLen = length;
        feed(in);
    }

    final void assertRefused(int syndrome) {
        assertThat(d.action).isEqualTo(Action.NAK);
        assertThat(d.syndrome).isEqualTo(syndrome);
        assertThat(d.qpError).isTrue();
        assertThat(d.ackDue).isFalse();
        assertThat(d.takesReceive).isEqualTo(d.receiveStatus != WcStatus.SUCCESS);
    }
}
