package dev.clockwire.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.lab.Lab;
import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.roce.transport.WrOpcode;
import dev.clockwire.roce.verbs.SendBatch;
import dev.clockwire.sim.mem.Grantee;
import dev.clockwire.sim.mem.Hold;
import dev.clockwire.sim.mem.MemoryFinding;
import dev.clockwire.sim.mem.MemorySanitizer;
import dev.clockwire.sim.mem.Ownership;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class LateWriteTest {
    private static final long MS = 1_000_000_000L;

    @Test
    void aReplyThatComesBehindItsTimeoutIsFound() throws IOException {
        Lab lab = Lab.twoHosts(Profiles.named("cx7-400g"), LabSpec.of(1).withSanitizer(true));
        Peer client = new Peer(lab, lab.a(), 4096);
        Peer server = new Peer(lab, lab.b(), 4096);
        client.connect(server);
        server.connect(client);

        MemorySanitizer memory = lab.a().sanitizer();
        Grantee to = Grantee.of("server").withQp(client.qp().qpn()).withAttempt(1);
        Ownership reply = memory.grant(client.address(), 4096, Hold.PEER_WRITES, to); // for the answer to an RPC
        SendBatch answer = new SendBatch(1, 1);
        server.prepare(answer.add(), WrOpcode.RDMA_WRITE, 4096, client);
        server.qp().postSend(answer);
        memory.revoke(reply); // a timeout, and no fence: the server knows nothing of it
        client.fill(new byte[4096]);
        lab.sim().run(lab.sim().now() + MS);

        MemoryFinding found = lab.sanitizer().findings().get(0);
        assertThat(found.history().get(0)).contains("grant 1 to server, attempt 1", "revoked by the program");
        String page = Files.readString(Path.of("..", "faults.md")).replaceAll("\\s+", " ");
        assertThat(page).as("the page says what is found").contains(found.toString());
    }
}
