package dev.clockwire.storage.nvmf.initiator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nvme.fabrics.ConnectData;
import dev.clockwire.nvme.fabrics.FabricsCommand;
import dev.clockwire.nvme.fabrics.RdmaPrivateData;
import dev.clockwire.nvme.format.NvmeStatus;
import dev.clockwire.nvme.format.Opcodes;
import dev.clockwire.nvme.format.SqEntry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The initiator against the answers of a Linux target, with both kinds of devices. */
class CapturedTargetTest {
    private static final InitiatorSpec SPEC = InitiatorSpec.spdk(InitiatorRig.HOST_NQN);

    private static InitiatorRig rig(boolean soft, InitiatorSpec spec) {
        return new InitiatorRig(soft, LabSpec.of(1), spec, spec.ioQueues());
    }

    private static CapturedDialogue.Exchange captured(CapturedPeer peer, int opcode) {
        return peer.captured.exchanges.stream()
                .filter(e -> e.command.opcode() == opcode && e.command.nsid() == 1)
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void itUsesTheTargetAsLinuxDoes(boolean soft) {
        InitiatorRig rig = rig(soft, SPEC.withQueues(1, 16).withKeepAlive(5_000));
        CapturedPeer peer = new CapturedPeer(rig.lab);
        rig.ready();
        RemoteController c = rig.controller();
        assertThat(c.failure()).isEmpty();
        assertThat(c.stage()).isEqualTo(RemoteController.Stage.READY);
        assertThat(peer.requests)
                .containsExactly(new RdmaPrivateData.Request(0, 32, 32, 0), new RdmaPrivateData.Request(1, 16, 16, 1));
        ControllerInit id = c.identity();
        assertThat(id.cap()).isEqualTo(0x0000_0820_0F00_007FL);
        assertThat(id.version()).isEqualTo(0x1_0300);
        assertThat(id.inCapsule()).isEqualTo(4096);
        assertThat(id.largestTransfer()).isEqualTo(1 << 20);
        assertThat(id.grantedQueues()).isEqualTo(128);
        assertThat(id.keepsAlive()).isTrue();
        assertThat(id.namespaces()).containsExactly(new ControllerInit.Namespace(1, 8192, 512));
        assertThat(id.names().get(1)).isEqualTo("RXE test target");
        assertThat(c.controllerId()).isEqualTo(1);

        List<Integer> order = new ArrayList<>();
        for (byte[] capsule : peer.capsules) {
            SqEntry e = new SqEntry().load(capsule, 0);
            boolean fabrics = e.opcode() == Opcodes.FABRICS;
            order.add(fabrics ? 0x100 * (1 + FabricsCommand.type(e)) + offset(e) : e.opcode());
        }
        assertThat(order)
                .as("SPDK's order")
                .containsExactly(0x200, 0x508, 0x500, 0x514, 0x51C, 0x114, 0x51C, 6, 9, 12, 9, 6, 6, 0x200);
        assertThat(ConnectData.load(peer.connects.get(0), 0, 1024).orElseThrow().controller())
                .isEqualTo(ConnectData.ANY);
        byte[] io = peer.capsules.get(peer.capsules.size() - 1);
        assertThat(io).as("data of the second Connect are inside").hasSize(64 + 1024);
        assertThat(ConnectData.load(io, 64, 1024).orElseThrow().controller()).isEqualTo(1);

        readsAndWrites(rig, peer);
    }

    private static int offset(SqEntry e) {
        return FabricsCommand.type(e) == FabricsCommand.CONNECT ? 0 : FabricsCommand.propertyOffset(e);
    }

    /** Block n holds n as eight bytes, 64 times; what is written is in one capsule with its command, byte by byte as Linux sent it. */
    private static void readsAndWrites(InitiatorRig rig, CapturedPeer peer) {
        RemoteQueue q = rig.controller().queues().get(0);
        CapturedDialogue.Exchange write = captured(peer, Opcodes.WRITE);
        byte[] data = Arrays.copyOfRange(write.capsule, 64, 64 + 4096);
        rig.lab.a().host().memory().putBytes(rig.va(8192), data, 0, 4096);
        rig.on(() -> {
            assertThat(q.transfer(Opcodes.READ, 1, 8, 8, rig.va(0), 4096, 7)).isTrue();
            assertThat(q.transfer(Opcodes.WRITE, 1, 2048, 8, rig.va(8192), 4096, 9))
                    .isTrue();
            assertThat(q.submit(new SqEntry().command(Opcodes.FLUSH, 0, 1), 0, 0, 11))
                    .isTrue();
            assertThat(q.outstanding()).isEqualTo(3);
        });
        assertThat(rig.until(100, () -> rig.ended.size() == 3)).isTrue();
        assertThat(rig.ended).containsExactlyInAnyOrder("1:7:0", "1:9:0", "1:11:0");
        byte[] read = rig.bytes(0, 4096);
        for (int i = 0; i < 4096; i++) {
            assertThat((int) read[i]).as("byte %d", i).isEqualTo(i % 8 == 7 ? 8 + i / 512 : 0);
        }
        assertThat(q.sendDoorbells()).as("Connect, and three commands with one").isEqualTo(2);
        byte[] sent = peer.capsules.stream()
                .filter(b -> b[0] == Opcodes.WRITE && b.length > 4096)
                .findFirst()
                .orElseThrow();
        byte[] same = write.capsule.clone();
        same[2] = sent[2];
        same[3] = sent[3];
        Arrays.fill(same, 36, 39, (byte) 0); // reserved; Linux leaves there what an earlier descriptor had
        assertThat(HexFormat.of().formatHex(sent, 0, 64))
                .isEqualTo(HexFormat.of().formatHex(same, 0, 64));
        assertThat(Arrays.mismatch(sent, same)).isEqualTo(-1);
    }

    /** Nobody has asked for a key to be ended: the memory is registered for good. */
    @Test
    void anAnswerThatEndsAKeyCostsTheConnection() {
        InitiatorRig rig = rig(false, SPEC.withQueues(1, 16));
        CapturedPeer peer = new CapturedPeer(rig.lab);
        rig.ready();
        peer.invalidates = true;
        RemoteQueue q = rig.controller().queues().get(0);
        rig.on(() -> q.transfer(Opcodes.READ, 1, 8, 8, rig.va(0), 4096, 5));
        assertThat(rig.until(1_000, () -> rig.ended.size() == 1)).isTrue();
        assertThat(rig.ended).containsExactly("1:5:370");
        assertThat(rig.controller().failure())
                .as("the device refuses to end the key of a memory region")
                .contains("queue 1: completion with remote invalid request error");
    }

    /** A target that takes fewer commands than the queue has entries is not sent more. */
    @Test
    void theReplyLimitsWhatIsUnderWay() {
        InitiatorRig rig = rig(false, SPEC.withQueues(1, 16));
        CapturedPeer peer = new CapturedPeer(rig.lab);
        peer.replied = 4;
        rig.ready();
        RemoteQueue q = rig.controller().queues().get(0);
        assertThat(q.depth()).isEqualTo(4);
        rig.on(() -> {
            for (int i = 0; i < 6; i++) {
                assertThat(q.transfer(Opcodes.READ, 1, 8, 8, rig.va(0), 4096, i))
                        .isEqualTo(i < 4);
            }
        });
        assertThat(rig.until(100, () -> rig.ended.size() == 4)).isTrue();
    }

    /** A ring of 16 holds 15: the 16th is refused, and nothing of it is sent. */
    @Test
    void aFullQueueRefuses() {
        InitiatorRig rig = rig(true, SPEC.withQueues(1, 16));
        CapturedPeer peer = new CapturedPeer(rig.lab);
        rig.ready();
        RemoteQueue q = rig.controller().queues().get(0);
        int before = peer.capsules.size();
        rig.on(() -> {
            for (int i = 0; i < 16; i++) {
                assertThat(q.transfer(Opcodes.READ, 1, 8, 8, rig.va(0), 4096, i))
                        .isEqualTo(i < 15);
            }
            assertThat(q.free()).isZero();
        });
        assertThat(rig.until(100, () -> rig.ended.size() == 15)).isTrue();
        assertThat(peer.capsules).hasSize(before + 15);
        assertThat(q.free()).isEqualTo(15);
    }

    /** An Abort whose answer says that nothing was aborted: the command is still under way. */
    @Test
    void anAbortMayFail() {
        InitiatorRig rig = rig(true, SPEC.withQueues(1, 16));
        CapturedPeer peer = new CapturedPeer(rig.lab);
        rig.ready();
        peer.silent = e -> e.opcode() == Opcodes.READ || e.opcode() == Opcodes.ASYNC_EVENT;
        RemoteQueue q = rig.controller().queues().get(0);
        List<Long> answers = new ArrayList<>();
        rig.on(() -> {
            q.transfer(Opcodes.READ, 1, 8, 8, rig.va(0), 4096, 3);
            assertThat(q.cidOf(3)).isNotNegative();
            assertThat(q.cidOf(4)).isEqualTo(-1);
            rig.controller().abort(1, q.cidOf(3), (tag, status, result) -> answers.add(status * 10L + result));
        });
        assertThat(rig.until(100, () -> answers.size() == 1)).isTrue();
        assertThat(answers).containsExactly(1L);
        SqEntry abort = peer.capsules.stream()
                .filter(b -> b[0] == Opcodes.ABORT)
                .map(b -> new SqEntry().load(b, 0))
                .findFirst()
                .orElseThrow();
        assertThat(abort.dword(10)).as("queue and command").isEqualTo(q.cidOf(3) << 16 | 1);
        assertThat(q.outstanding()).isEqualTo(1);
        assertThat(rig.ended).isEmpty();
    }

    @Test
    void refusalsAreNamed() {
        InitiatorRig rig = rig(false, SPEC);
        CapturedPeer peer = new CapturedPeer(rig.lab);
        peer.refusal = RdmaPrivateData.BAD_SEND_SIZE;
        rig.start();
        assertThat(rig.until(1_000, () -> rig.ready > 0)).isTrue();
        assertThat(rig.controller().stage()).isEqualTo(RemoteController.Stage.FAILED);
        assertThat(rig.controller().failure()).contains("refused, consumer defined, NVMe status 4");
    }

    /** A command that is never answered is aborted, and when that does not help the queue is given up. Behind the loss timeout it fails. */
    @Test
    void whatIsNotAnsweredFailsInTheEnd() {
        long ms = InitiatorRig.MS;
        InitiatorRig rig =
                rig(false, SPEC.withQueues(1, 16).withCommandTimeout(50 * ms).withReconnect(30 * ms, 400 * ms, 0));
        CapturedPeer peer = new CapturedPeer(rig.lab);
        rig.ready();
        peer.silent = e -> e.opcode() == Opcodes.READ || e.opcode() == Opcodes.ASYNC_EVENT;
        RemoteQueue q = rig.controller().queues().get(0);
        rig.on(() -> q.transfer(Opcodes.READ, 1, 8, 8, rig.va(0), 4096, 3));
        assertThat(rig.until(1_000, () -> q.resent() == 1)).isTrue();
        assertThat(peer.capsules.stream().anyMatch(b -> b[0] == Opcodes.ABORT)).isTrue();
        assertThat(rig.ended).isEmpty();
        peer.refusal = RdmaPrivateData.NO_RESOURCES;
        assertThat(rig.until(3_000, () -> rig.controller().stage() == RemoteController.Stage.FAILED))
                .isTrue();
        assertThat(rig.until(100, () -> !rig.ended.isEmpty())).isTrue();
        assertThat(rig.ended).containsExactly("1:3:" + Integer.toHexString(NvmeStatus.HOST_PATH.code()));
        assertThat(q.free()).isZero();
    }

    /** The target takes commands and answers none any more: the second Keep Alive is not sent. */
    @Test
    void aSilentTargetIsGivenUp() {
        long ms = InitiatorRig.MS;
        InitiatorRig rig = rig(true, SPEC.withQueues(1, 16).withKeepAlive(1_000).withReconnect(50 * ms, 5_000 * ms, 0));
        CapturedPeer peer = new CapturedPeer(rig.lab);
        rig.ready();
        peer.silent = e -> e.opcode() == Opcodes.ASYNC_EVENT || e.opcode() == Opcodes.KEEP_ALIVE;
        assertThat(rig.until(1_100, () -> rig.controller().losses() == 1)).isTrue();
        assertThat(rig.controller().failure()).isEqualTo("Keep Alive was not answered within 500 ms");
        assertThat(rig.controller().keepAlives()).isEqualTo(1);
        peer.silent = e -> e.opcode() == Opcodes.ASYNC_EVENT;
        assertThat(rig.until(1_000, () -> rig.controller().stage() == RemoteController.Stage.READY))
                .isTrue();
        rig.lab.sim().run(rig.lab.sim().now() + 2_000 * ms);
        assertThat(rig.controller().losses()).isEqualTo(1);
    }

    @Test
    void itKeepsAliveAndEndsInOrder() {
        InitiatorRig rig = rig(false, SPEC.withQueues(2, 16).withKeepAlive(1_000));
        CapturedPeer peer = new CapturedPeer(rig.lab);
        rig.ready();
        long now = rig.lab.sim().now();
        rig.lab.sim().run(now + 2_100 * InitiatorRig.MS);
        assertThat(rig.controller().keepAlives()).isEqualTo(4);
        boolean[] stopped = new boolean[1];
        rig.on(() -> rig.controller().stop(() -> stopped[0] = true));
        // the captured target reads CSTS always as ready: the first answer of its kind
        rig.lab.sim().run(rig.lab.sim().now() + 5 * InitiatorRig.MS);
        assertThat(rig.controller().queues().get(1).state()).isEqualTo(RemoteQueue.State.CLOSED);
        SqEntry last = new SqEntry().load(peer.capsules.get(peer.capsules.size() - 1), 0);
        assertThat(FabricsCommand.propertyOffset(last)).isEqualTo(0x1C);
        assertThat(peer.capsules.stream()
                        .map(b -> new SqEntry().load(b, 0))
                        .filter(e ->
                                e.opcode() == Opcodes.FABRICS && FabricsCommand.type(e) == FabricsCommand.PROPERTY_SET)
                        .map(FabricsCommand::propertyValue))
                .containsExactly(0x0046_0061L, 0x0046_4061L);
        assertThat(Objects.requireNonNull(rig.host).groups()).hasSize(1);
    }
}
