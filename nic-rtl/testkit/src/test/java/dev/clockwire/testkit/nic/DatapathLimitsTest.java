package dev.clockwire.testkit.nic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.lab.Lab;
import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profile;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.transport.WcStatus;
import dev.clockwire.roce.transport.WrOpcode;
import dev.clockwire.roce.verbs.Mtu;
import dev.clockwire.roce.wire.Opcode;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.mem.Allocation;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the width of the packet bus costs: words of a bus are whole, so a frame of one byte more takes a cycle more. */
class DatapathLimitsTest {
    private static Profile profile(int bytes, int mhz) {
        return Profiles.named("cx7-400g")
                .with("nic.datapath_bytes", Integer.toString(bytes))
                .with("nic.core_mhz", Integer.toString(mhz));
    }

    /** A public report: 100 Gb/s offer 147 million frames a second of 65 B; 512 bit at 250 MHz take 125. Here 66 B, the RoCE size next to it. */
    @ParameterizedTest
    @CsvSource({"64, 250, 66, 125", "64, 300, 66, 147", "128, 250, 66, 147", "64, 250, 62, 147", "32, 250, 66, 83.3"})
    void theReceiverTakesAWordACycle(int bus, int mhz, int frame, double million) {
        Lab lab = Lab.twoHosts(profile(bus, mhz), LabSpec.of(1));
        int n = 20_000;
        double gap = 1e6 / 147.06; // ps between frames of 65 B with preamble and gap
        long start = lab.sim().now() + 1_000_000;
        for (int i = 0; i < n; i++) {
            RocePacket p = new RocePacket();
            p.opcode = Opcode.RC_SEND_ONLY.code();
            p.destQp = 0x77; // nobody's: what is not wanted goes through the parser too
            p.payloadLength = frame - 58;
            p.icrcOk = true;
            assertThat(p.wireBytes()).isEqualTo(frame);
            lab.a().nic().linePort().send(start + Math.round(i * gap), 0, 0, 0, p);
        }
        long taken = n / 2;
        assertThat(lab.sim().runUntil(() -> lab.a().nic().receiver().dropped() >= taken, start + 1_000_000_000L))
                .isTrue();
        double rate = 1e6 * taken / (lab.sim().now() - start);
        assertThat(rate).isBetween(0.99 * million, 1.01 * million);
    }

    /** The transmitter: packets of 256 B payload follow each other after as many cycles as they have words. */
    @ParameterizedTest
    @CsvSource({"64, 5", "32, 10"})
    void theTransmitterSendsAWordACycle(int bus, long words) {
        Pair p = new Pair(Lab.twoHosts(profile(bus, 250), LabSpec.of(1)), QpType.RC, Mtu.MTU_256, Allocation.Kind.REAL);
        Lossy line = new Lossy(p.lab);
        byte[] data = new byte[64 * 256];
        for (int i = 0; i < data.length; i++) {
            data[i] = (byte) ((i * 31) ^ (i >> 8));
        }
        p.a.write(0, data);
        new Posts(p.a, p.b).post(WrOpcode.RDMA_WRITE, data.length);
        assertThat(p.next(p.a).status).isEqualTo(WcStatus.SUCCESS);
        assertThat(p.b.read(0, data.length)).as("all bytes, whatever the width").isEqualTo(data);
        long gap = 0;
        int gaps = 0;
        for (int i = 40; i < 60; i++) {
            if (line.frames.get(i).opcode == Opcode.RC_RDMA_WRITE_MIDDLE
                    && line.frames.get(i - 1).opcode == Opcode.RC_RDMA_WRITE_MIDDLE) {
                gap += line.frames.get(i).ps - line.frames.get(i - 1).ps;
                gaps++;
            }
        }
        // 318 B on a line of 400 Gb/s take 6.8 ns: the bus is slower
        assertThat((double) gap / gaps).isBetween(words * 4_000 - 1.0, words * 4_000 + 300.0);
    }

    /**
     * A public fault: messages of one and of two packets stall in a buffer for retries. Nothing is kept here: what is sent again is read
     * again. A refusal goes back to the lost packet; if the last one is lost nobody refuses, and the timer goes back to what is
     * unacknowledged.
     */
    @ParameterizedTest
    @CsvSource({"4096, 0, 0", "8192, 0, 0", "8192, 2, 2", "12288, 2, 2"})
    void whatIsLostIsReadAgain(int length, int lost, int again) {
        Lab lab = Lab.twoHosts(Profiles.named("cx7-400g"), LabSpec.of(1));
        Pair p = new Pair(lab, QpType.RC, Mtu.MTU_4096, Allocation.Kind.REAL);
        byte[] late = {9, 8, 7};
        int[] seen = new int[1];
        lab.tapFrames((ps, end, frame) -> {
            if (frame instanceof RocePacket packet && !packet.isResponse() && ++seen[0] == lost) {
                packet.icrcOk = false;
                p.a.write(4096, late); // what host memory holds at the retry is what arrives
            }
        });
        new Posts(p.a, p.b).post(WrOpcode.RDMA_WRITE, length);
        assertThat(p.next(p.a, 1_000_000_000_000L).status).isEqualTo(WcStatus.SUCCESS);
        assertThat(seen[0]).isEqualTo(length / 4096 + again);
        if (lost > 0) {
            assertThat(p.b.read(4096, 3)).as("no payload is kept in the device").isEqualTo(late);
        }
    }
}
