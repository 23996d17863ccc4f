package dev.clockwire.storage.nvmf.initiator;

import dev.clockwire.nvme.fabrics.DiscoveryLog;
import dev.clockwire.nvme.format.LittleEndian;
import dev.clockwire.nvme.format.Opcodes;
import dev.clockwire.nvme.format.SqEntry;
import dev.clockwire.sim.mem.Allocation;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Asks a discovery controller which subsystems there are. The log is read in pieces; if its generation has changed meanwhile it is read again.
 */
public final class Discovery {
    private static final int RECORD = 1024;
    private static final int PIECE = 4096;
    private static final int RECORDS_AT = 8;

    private final NvmfHost host;
    private final RemoteController controller;
    private final SqEntry entry = new SqEntry();
    private long page;
    private byte[] log = {};
    private int readings;
    private Consumer<@Nullable DiscoveryLog> then = found -> {};

    /** Prepares to ask; while a design is built. The address is that of the target, whatever subsystem it names. */
    public Discovery(NvmfHost host, SubsystemAddress where) {
        this.host = host;
        controller = new RemoteController(host, where.withSubsystem(DiscoveryLog.NQN));
    }

    /** Connects, reads and disconnects, on the main thread; gives null if that cannot be done, see {@link RemoteController#failure}. */
    public void start(Consumer<@Nullable DiscoveryLog> taker) {
        then = taker;
        Allocation memory = host.allocate("nvmf.discovery", PIECE);
        page = memory.address();
        host.admin()
                .register(page, PIECE)
                .whenDone(mr -> host.on(host.main(), () -> controller.start(this::connected)));
    }

    private void connected() {
        if (controller.stage() == RemoteController.Stage.READY) {
            header();
        } else if (controller.stage() == RemoteController.Stage.FAILED) {
            then.accept(null);
        }
    }

    private void header() {
        readings++;
        read(0, RECORD, bytes -> {
            long records = LittleEndian.get64(bytes, RECORDS_AT);
            log = Arrays.copyOf(bytes, (int) (RECORD * (1 + records)));
            rest(RECORD);
        });
    }

    private void rest(int from) {
        int left = Math.min(PIECE, log.length - from);
        if (left > 0) {
            read(from, left, bytes -> {
                System.arraycopy(bytes, 0, log, from, left);
                rest(from + left);
            });
            return;
        }
        read(0, RECORD, bytes -> {
            if (LittleEndian.get64(bytes, 0) == LittleEndian.get64(log, 0)) {
                controller.stop(
                        () -> then.accept(DiscoveryLog.load(log, log.length).orElse(null)));
            } else {
                header();
            }
        });
    }

    private void read(int offset, int bytes, Consumer<byte[]> taker) {
        int dwords = bytes / Integer.BYTES - 1;
        entry.clear()
                .command(Opcodes.GET_LOG_PAGE, 0, 0)
                .dword(10, dwords << Short.SIZE | DiscoveryLog.PAGE)
                .dword(12, offset);
        controller.must(entry, page, bytes, "Get Log Page 70h", x -> {
            byte[] b = new byte[bytes];
            host.main().reactor().core().memory().getBytes(page, b, 0, bytes);
            taker.accept(b);
        });
    }

    /** Returns the controller. */
    public RemoteController controller() {
        return controller;
    }

    /** Returns how often the log was read from its beginning. */
    public int readings() {
        return readings;
    }
}
