package com.example.rdma;

import static dev.clockwire.testkit.nic.NicAssertions.assertThat;
import static dev.clockwire.testkit.nic.NicAssertions.assertThatMemory;

import dev.clockwire.nic.lab.Lab;
import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.transport.WrOpcode;
import dev.clockwire.roce.verbs.Mtu;
import dev.clockwire.roce.verbs.SendEntry;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.testkit.nic.NicArbitraries;
import dev.clockwire.testkit.nic.Pair;
import dev.clockwire.testkit.nic.Posts;
import java.util.Random;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/** A property: what holds for every write, whatever happens to its packets. */
class AnyWriteTest {
    private static final long LONGEST_PS = 20_000_000_000_000L;

    @Property(tries = 25)
    void everyByteArrivesAndNoOther(
            @ForAll @IntRange(min = 1, max = 20_000) int length,
            @ForAll @IntRange(max = 9000) int offset,
            @ForAll Mtu mtu,
            @ForAll("plans") FaultPlan plan) {
        Lab lab = Lab.twoHosts(Profiles.named(Profiles.DEFAULT), LabSpec.of(1).withFaults(plan));
        Pair pair = new Pair(lab, QpType.RC, mtu, Allocation.Kind.REAL);
        byte[] data = new byte[length];
        new Random(length).nextBytes(data);
        pair.a.write(0, data);
        Posts posts = new Posts(pair.a, pair.b);
        SendEntry write = posts.begin(WrOpcode.RDMA_WRITE, length);
        write.remoteAddress += offset;
        posts.post();
        assertThat(pair.next(pair.a, LONGEST_PS)).isSuccess();
        pair.run(100_000);
        assertThat(pair.b).holds(offset, data);
        assertThatMemory(pair.b.host, pair.b.at(0), offset).isZero();
        assertThatMemory(pair.b.host, pair.b.at(offset + length), 1000).isZero();
    }

    @Provide
    Arbitrary<FaultPlan> plans() {
        return NicArbitraries.faultPlans();
    }
}
