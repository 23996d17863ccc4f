package dev.clockwire.testkit.nic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.driver.EthernetSpec;
import dev.clockwire.nic.driver.NicEthernet;
import dev.clockwire.nic.lab.Lab;
import dev.clockwire.nic.lab.LabHost;
import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.sim.KernelMode;
import dev.clockwire.sim.mem.Allocation;
import org.junit.jupiter.api.Test;

/** {@code ethtool -C adaptive-rx on}: a steady stream ends with few interrupts, and nothing is lost. */
class AdaptiveModerationTest {
    private static final int FRAMES = 6000;

    private int received;
    private int events;
    private boolean due;

    private static Lab lab(KernelMode mode) {
        return Lab.twoHosts(
                Profiles.named("cx7-400g").with("nic.eth.queues", "1"),
                LabSpec.of(1).withMode(mode).withFullHash(true));
    }

    private NicEthernet open(Lab lab, LabHost host) {
        return lab.await(host.openEthernet(new EthernetSpec(1, 8, 8, 1500), q -> {
            events++;
            due = true;
        }));
    }

    private final NicEthernet.Sink sink = new NicEthernet.Sink() {
        @Override
        public void received(int queue, long address, int bytes, int hash) {
            received++;
        }

        @Override
        public void sent(int queue) {}
    };

    /** A frame every two microseconds; who is interrupted takes all and arms again. Returns the microseconds chosen in the end. */
    private int stream(Lab lab, boolean adaptive) {
        received = 0;
        due = false;
        NicEthernet a = open(lab, lab.a());
        NicEthernet b = open(lab, lab.b());
        if (adaptive) {
            lab.await(b.adaptive(0, true));
        }
        long at = lab.a()
                .host()
                .memory()
                .allocate("frame", 2048, Allocation.Kind.REAL, 64)
                .address();
        byte[] frame = new byte[1000];
        long mac = lab.b().nic().parts().port().mac();
        for (int i = 0; i < 6; i++) {
            frame[i] = (byte) (mac >>> (40 - 8 * i));
        }
        lab.a().host().memory().putBytes(at, frame, 0, frame.length);
        b.arm(0);
        events = 0;
        for (int i = 0; i < FRAMES; i++) {
            assertThat(a.send(0, at, frame.length)).isTrue();
            a.ring(0);
            lab.sim().run(lab.sim().now() + 2_000_000);
            a.poll(0, 64, sink);
            if (due) {
                due = false;
                b.poll(0, 512, sink);
                b.arm(0);
            }
        }
        lab.sim().run(lab.sim().now() + 1_000_000_000);
        b.poll(0, 512, sink);
        assertThat(received).isEqualTo(FRAMES);
        return b.adaptiveUsecs(0);
    }

    @Test
    void aSteadyStreamEndsWithFewInterrupts() {
        assertThat(stream(lab(KernelMode.ACTIVITY), false)).isEqualTo(-1);
        int fixed = events;
        assertThat(fixed).isGreaterThan(FRAMES / 2);
        int usecs = stream(lab(KernelMode.ACTIVITY), true);
        assertThat(usecs).isGreaterThanOrEqualTo(64);
        assertThat(events).isLessThan(fixed / 4);
    }

    @Test
    void howItIsSimulatedIsInvisible() {
        Lab activity = lab(KernelMode.ACTIVITY);
        Lab exhaustive = lab(KernelMode.EXHAUSTIVE);
        assertThat(stream(activity, true)).isEqualTo(stream(exhaustive, true));
        assertThat(activity.sim().traceHash()).isEqualTo(exhaustive.sim().traceHash());
    }
}
