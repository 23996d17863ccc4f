package com.example.rdma;

import static dev.clockwire.testkit.nic.NicAssertions.assertThat;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.clockwire.roce.transport.WrOpcode;
import dev.clockwire.testkit.SimTest;
import dev.clockwire.testkit.nic.Pair;
import dev.clockwire.testkit.nic.Posts;

class HelloTest {
    @SimTest
    void aWriteArrives(Pair pair, Posts posts) {
        byte[] data = "hello, far memory".getBytes(UTF_8);
        pair.a.write(0, data);
        posts.post(WrOpcode.RDMA_WRITE, data.length);
        assertThat(pair.next(pair.a)).isSuccess();
        pair.run(1000); // ns: an acknowledged write is on its way to memory
        assertThat(pair.b).holds(0, data);
    }
}
