package com.example.rdma;

import dev.clockwire.nic.lab.Lab;
import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.transport.WrOpcode;
import dev.clockwire.roce.verbs.Mtu;
import dev.clockwire.roce.verbs.WorkCompletion;
import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.testkit.nic.Pair;
import dev.clockwire.testkit.nic.Posts;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What it costs to simulate one write from post to completion: real time, while the hardware's is in the simulation. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class WriteBench {
    /** Bytes of a write. */
    @Param({"64", "65536"})
    public int bytes;

    private Pair pair;
    private Posts posts;

    /** Builds the lab. */
    @Setup
    public void build() {
        Lab lab = Lab.twoHosts(Profiles.named(Profiles.DEFAULT), LabSpec.of(1));
        pair = new Pair(lab, QpType.RC, Mtu.MTU_4096, Allocation.Kind.REAL);
        posts = new Posts(pair.a, pair.b);
    }

    /** Posts a write and waits for its completion. */
    @Benchmark
    public WorkCompletion write() {
        posts.post(WrOpcode.RDMA_WRITE, bytes);
        return pair.next(pair.a);
    }
}
