package dev.clockwire.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.lab.Lab;
import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.sim.stats.Histogram;
import org.junit.jupiter.api.Test;

class WriteLoopTest {
    @Test
    void latencyOfSmallWrites() {
        Lab lab = Lab.twoHosts(Profiles.named("cx7-400g"), LabSpec.of(1));
        Peer a = new Peer(lab, lab.a(), 4096);
        Peer b = new Peer(lab, lab.b(), 4096);
        a.connect(b);
        b.connect(a);
        Histogram latency = lab.sim().stats().histogram("writes", "ps", "From post to poll");
        WriteLoop program = new WriteLoop(a, b, 64, 100, latency);
        lab.a().core().run(program);
        assertThat(lab.sim().runUntil(program::finished, lab.sim().now() + 10_000_000_000L))
                .isTrue();
        assertThat(latency.count()).isEqualTo(100);
        assertThat(latency.min()).isGreaterThan(1_000_000);
        assertThat(latency.max()).isLessThan(5_000_000);
    }
}
