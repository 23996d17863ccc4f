package dev.clockwire.storage.threefs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.storage.cluster.DiskKind;
import dev.clockwire.storage.cluster.Node;
import dev.clockwire.storage.threefs.meta.FileClient;
import dev.clockwire.storage.threefs.meta.Inode;
import dev.clockwire.storage.threefs.meta.MetaOp;
import dev.clockwire.storage.threefs.rpc.DataPath;
import dev.clockwire.storage.threefs.rpc.Status;
import dev.clockwire.storage.threefs.server.ProtocolTap;
import java.util.Arrays;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Names, lengths, and bytes across chunks. */
class FilesTest {
    private static final int CHUNK = 16_384;
    private final Rig rig =
            new Rig(Rig.service(DataPath.PULL), true, DiskKind.MEDIA, 3, 1, FaultPlan.NONE, ProtocolTap.NONE);
    private final Node node = rig.cluster.clients().get(0);
    private final FileClient files = rig.fs.files(node);
    private Status status = Status.INVALID;
    private Inode file = new Inode(1, 0, 1, 1, 1);
    private int moved;

    @BeforeEach
    void create() {
        ask(MetaOp.CREATE, "/a");
        assertThat(status).isEqualTo(Status.OK);
    }

    private void step(Consumer<Runnable> what) {
        boolean[] done = new boolean[1];
        node.worker(0).post((a, b) -> what.accept(() -> done[0] = true), 0, 0);
        rig.cluster.await(() -> done[0], "an end");
    }

    private void ask(MetaOp op, String path) {
        step(end -> files.ask(op, path, (s, f) -> {
            status = s;
            file = f;
            end.run();
        }));
    }

    private void write(long offset, byte[] b) {
        long va = rig.buffers.get(0).address();
        node.host().host().memory().putBytes(va, b, 0, b.length);
        step(end -> files.write(file, offset, va, b.length, rig.buffers.get(0), n -> {
            moved = n;
            end.run();
        }));
    }

    private byte[] read(long offset, int length) {
        long va = rig.buffers.get(0).address() + 65_536;
        step(end -> files.read(file, offset, va, length, rig.buffers.get(0), n -> {
            moved = n;
            end.run();
        }));
        byte[] b = new byte[length];
        node.host().host().memory().getBytes(va, b, 0, length);
        return b;
    }

    @Test
    void bytesAcrossChunksComeBack() {
        byte[] b = new byte[40_000];
        new Random(1).nextBytes(b);
        write(0, b);
        assertThat(moved).isEqualTo(b.length);
        assertThat(read(0, b.length)).isEqualTo(b);
        byte[] middle = new byte[5_000];
        new Random(2).nextBytes(middle);
        write(CHUNK - 1_536, middle);
        System.arraycopy(middle, 0, b, CHUNK - 1_536, middle.length);
        assertThat(read(0, b.length)).as("a part of two chunks was replaced").isEqualTo(b);
        assertThat(read(1_001, 700)).as("from the middle of a block").isEqualTo(Arrays.copyOfRange(b, 1_001, 1_701));
        assertThat(file.chain(0)).isEqualTo(1);
        assertThat(file.key(1)).isNotEqualTo(file.key(0));
    }

    @Test
    void lengthsAndNames() {
        step(end -> files.sync(file, 40_000, (s, f) -> {
            file = f;
            end.run();
        }));
        assertThat(file.length()).isEqualTo(40_000);
        long id = file.id();
        ask(MetaOp.OPEN, "/a");
        assertThat(file.id()).isEqualTo(id);
        assertThat(file.length()).isEqualTo(40_000);
        ask(MetaOp.CREATE, "/a");
        assertThat(status).as("it is there").isEqualTo(Status.INVALID);
        ask(MetaOp.REMOVE, "/a");
        assertThat(status).isEqualTo(Status.OK);
        ask(MetaOp.OPEN, "/a");
        assertThat(status).isEqualTo(Status.CHUNK_NOT_FOUND);
    }
}
