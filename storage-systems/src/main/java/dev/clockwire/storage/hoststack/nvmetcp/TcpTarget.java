package dev.clockwire.storage.hoststack.nvmetcp;

import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.storage.hoststack.kernel.IoStage;
import dev.clockwire.storage.hoststack.kernel.KernelCore;
import dev.clockwire.storage.hoststack.net.TcpStack;
import dev.clockwire.storage.hoststack.nvmet.NvmetController;
import dev.clockwire.storage.hoststack.nvmet.SsdBackend;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** A target of nvmet-tcp: a port that listens, queues as they come, one controller, one SSD. */
public final class TcpTarget {
    private static final int PAGE = 4096;

    private final KernelCore kernel;
    private final NvmetController controller;
    private final Spec spec;
    private final IntFunction<IoStage.Tap> taps;
    private final List<TcpTargetQueue> queues = new ArrayList<>();
    private @Nullable SsdBackend ssd;
    private int lost;

    /**
     * What it takes.
     *
     * @param mostData most bytes of an I/O, and of a PDU
     * @param zeroCopy whether data are sent from where they are
     */
    public record Spec(int mostData, boolean zeroCopy) {}

    /** Creates a target; it listens at once. */
    public TcpTarget(
            KernelCore kernel,
            TcpStack stack,
            NvmetController controller,
            Spec spec,
            int port,
            IntFunction<IoStage.Tap> taps) {
        this.kernel = kernel;
        this.controller = controller;
        this.spec = spec;
        this.taps = taps;
        stack.listen(port, flow -> {
            TcpTargetQueue q = new TcpTargetQueue(kernel, stack, this, queues.size());
            queues.add(q);
            return q;
        });
    }

    /** Has the SSD behind it. */
    public void use(SsdBackend backend) {
        ssd = backend;
    }

    /** An I/O of the SSD has ended. */
    public void ended(long owner, int status) {
        queues.get((int) (owner >>> 32)).ended((int) owner, status);
    }

    /** Returns the connections that broke. */
    public int lost() {
        return lost;
    }

    void lost(TcpTargetQueue q) {
        lost++;
    }

    Spec spec() {
        return spec;
    }

    NvmetController controller() {
        return controller;
    }

    SsdBackend ssd() {
        return Objects.requireNonNull(ssd);
    }

    IoStage.Tap tap(int qid) {
        return taps.apply(qid);
    }

    long buffer() {
        return kernel.cpu()
                .memory()
                .allocate("nvmet.buffer", spec.mostData(), Allocation.Kind.REAL, PAGE)
                .address();
    }
}
