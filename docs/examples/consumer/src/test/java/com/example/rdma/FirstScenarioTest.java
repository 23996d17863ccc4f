package com.example.rdma;

import static dev.clockwire.testkit.SimAssertions.assertThat;
import static dev.clockwire.testkit.SimAssertions.assertThatJourney;
import static dev.clockwire.testkit.nic.NicAssertions.assertThat;
import static dev.clockwire.testkit.nic.NicAssertions.assertThatMemory;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.clockwire.roce.transport.WrOpcode;
import dev.clockwire.roce.wire.Opcode;
import dev.clockwire.sim.KernelMode;
import dev.clockwire.sim.stats.Histogram;
import dev.clockwire.testkit.SimTest;
import dev.clockwire.testkit.nic.FrameLog;
import dev.clockwire.testkit.nic.LabSetup;
import dev.clockwire.testkit.nic.Pair;
import dev.clockwire.testkit.nic.Posts;

/** The first scenario: two hosts, two connected queue pairs, work requests from one to the other. */
class FirstScenarioTest {
    @SimTest
    void aWriteArrives(Pair pair, Posts posts, FrameLog frames) {
        byte[] data = "hello, far memory".getBytes(UTF_8);
        pair.a.write(0, data);
        long id = posts.post(WrOpcode.RDMA_WRITE, data.length);
        assertThat(pair.next(pair.a)).isSuccess().isOf(id);
        assertThat(frames).hasOpcodes(Opcode.RC_RDMA_WRITE_ONLY, Opcode.RC_ACKNOWLEDGE);
        pair.run(1000); // an acknowledged write is on its way to memory
        assertThat(pair.b).holds(0, data);
    }

    @SimTest
    @LabSetup(sanitizer = true)
    void nothingElseIsTouched(Pair pair, Posts posts) {
        posts.post(WrOpcode.RDMA_WRITE, 4096);
        assertThat(pair.next(pair.a)).isSuccess();
        pair.run(1000);
        assertThatMemory(pair.b.host, pair.b.at(4096), 4096).isZero();
        assertThatMemory(pair.lab).hasNoLateAccess();
    }

    @SimTest(modes = KernelMode.ACTIVITY)
    @LabSetup(profile = "cx6-200g", journeys = 1 << 16)
    void theTimeHasReasons(Pair pair, Posts posts) {
        posts.post(WrOpcode.RDMA_WRITE, 65536);
        assertThat(pair.next(pair.a)).isSuccess();
        assertThatJourney(pair.lab.sim(), 0).passes("post", "payload_dma", "wire", "cqe_write");
    }

    @SimTest(modes = KernelMode.ACTIVITY)
    void smallWritesAreQuick(Pair pair, Posts posts) {
        Histogram latency = new Histogram("latency", "ns", "From the post to the completion");
        for (int i = 0; i < 200; i++) {
            long start = pair.lab.sim().now();
            posts.post(WrOpcode.RDMA_WRITE, 64);
            assertThat(pair.next(pair.a)).isSuccess();
            latency.record((pair.lab.sim().now() - start) / 1000);
        }
        assertThat(latency).hasCount(200).percentileIsAtMost(50, 2000).percentileIsAtMost(99, 4000);
        assertThat(pair.lab.sim().stats()).hasZero("*.local_ack_timeout_err");
    }
}
