package dev.clockwire.storage.threefs.meta;

import dev.clockwire.roce.verbs.MemoryRegion;
import dev.clockwire.storage.threefs.client.StorageClient;
import dev.clockwire.storage.threefs.rpc.Message;
import dev.clockwire.storage.threefs.rpc.Method;
import dev.clockwire.storage.threefs.rpc.Status;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/** Files for a client: names are resolved by the metadata service, bytes go to and come from the chunks directly, those of several chunks at the same time. */
public final class FileClient {
    private final StorageClient storage;

    /** Takes what became of an operation on bytes. */
    @FunctionalInterface
    public interface Moved {
        /** It has ended: how many bytes were moved, -1 if nobody knows. */
        void moved(int bytes);
    }

    /** Takes a file, or why there is none. */
    @FunctionalInterface
    public interface Found {
        /** The answer; the file means something only if the status is OK. */
        void found(Status status, Inode file);
    }

    /** Creates files on top of chunks. */
    public FileClient(StorageClient storage) {
        this.storage = storage;
    }

    /** Asks about a path. */
    public void ask(MetaOp op, String path, Found then) {
        byte[] name = path.getBytes(StandardCharsets.UTF_8);
        send(new Message().with(name, name.length), op, then);
    }

    /** Says that a file is at least so long. */
    public void sync(Inode file, long length, Found then) {
        Message m = new Message();
        m.key = file.id();
        m.address = length;
        send(m, MetaOp.SYNC, then);
    }

    /** Asks how long a file is. */
    public void stat(Inode file, Found then) {
        Message m = new Message();
        m.key = file.id();
        send(m, MetaOp.STAT, then);
    }

    /** Runs what submits reads: they are asked for together. */
    public void together(Runnable submits) {
        storage.together(submits);
    }

    private void send(Message m, MetaOp op, Found then) {
        m.method = Method.META;
        m.flags = op.code();
        storage.askManager(m, answer -> {
            boolean ok = answer.status == Status.OK && answer.chunkLength > 0;
            then.found(answer.status, ok ? MetaService.inode(answer) : new Inode(1, 0, 1, 1, 1));
        });
    }

    /** Writes bytes of a file from a registered region. */
    public void write(Inode file, long offset, long va, int length, MemoryRegion region, Moved then) {
        new Whole(then)
                .run(
                        file,
                        offset,
                        length,
                        (chunk, at, n, done) -> storage.write(
                                file.chain(chunk),
                                file.key(chunk),
                                (int) ((offset + at) % file.chunkBytes()),
                                va + at,
                                n,
                                region,
                                (status, version, got) -> done.accept(status == Status.OK ? n : -1)));
    }

    /** Reads bytes of a file into a registered region; what was never written is not moved. */
    public void read(Inode file, long offset, long va, int length, MemoryRegion region, Moved then) {
        new Whole(then)
                .run(
                        file,
                        offset,
                        length,
                        (chunk, at, n, done) -> storage.read(
                                file.chain(chunk),
                                file.key(chunk),
                                (int) ((offset + at) % file.chunkBytes()),
                                va + at,
                                n,
                                region,
                                (status, version, got) -> done.accept(
                                        status == Status.OK ? got : status == Status.CHUNK_NOT_FOUND ? 0 : -1)));
    }

    /** An operation in as many parts as chunks. */
    private static final class Whole {
        private final Moved then;
        private int open;
        private int moved;
        private boolean failed;

        Whole(Moved then) {
            this.then = then;
        }

        /** Moves a part. */
        interface Part {
            void move(int chunk, int at, int length, Consumer<Integer> done);
        }

        void run(Inode file, long offset, int length, Part part) {
            open = 1;
            int at = 0;
            while (at < length) {
                int inside = (int) ((offset + at) % file.chunkBytes());
                int n = Math.min(length - at, file.chunkBytes() - inside);
                open++;
                part.move(file.index(offset + at), at, n, this::ended);
                at += n;
            }
            ended(0);
        }

        private void ended(int bytes) {
            failed |= bytes < 0;
            moved += Math.max(0, bytes);
            open--;
            if (open == 0) {
                then.moved(failed ? -1 : moved);
            }
        }
    }
}
