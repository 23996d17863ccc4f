package dev.clockwire.storage.nvmf.target;

import dev.clockwire.roce.transport.AccessFlag;
import dev.clockwire.roce.verbs.Completion;
import dev.clockwire.roce.verbs.CompletionQueue;
import dev.clockwire.roce.verbs.Context;
import dev.clockwire.roce.verbs.Device;
import dev.clockwire.roce.verbs.MemoryRegion;
import dev.clockwire.roce.verbs.ProtectionDomain;
import dev.clockwire.roce.verbs.SharedReceiveQueue;
import dev.clockwire.roce.verbs.SrqAttributes;
import dev.clockwire.sim.error.InvariantViolation;
import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.storage.nvmf.subsystem.TransportSpec;
import dev.clockwire.storage.reactor.StorageThread;
import java.util.EnumSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a poller has of its RDMA device: a protection domain, a completion queue, registered buffers and, if receives are shared, a queue of these. It is
 * made anew when the device has failed and is back.
 */
final class PollerDevice {
    private final RdmaTransport transport;
    private final Device device;
    private final StorageThread thread;
    private final TransportSpec limits;
    private Context context;
    private @Nullable Opened opened;
    private @Nullable RdmaResources common;

    /** What belongs to one time of having the device open. */
    private record Opened(
            Context context,
            ProtectionDomain pd,
            CompletionQueue cq,
            @Nullable SharedReceiveQueue srq,
            MemoryRegion small,
            MemoryRegion large) {
        Opened with(SharedReceiveQueue queue) {
            return new Opened(context, pd, cq, queue, small, large);
        }

        /** Lets all go behind a failure; queues and registrations of capsules are gone already. */
        void close() {
            if (srq != null) {
                srq.close();
            }
            small.close();
            large.close();
            cq.close();
            pd.close();
            context.close();
        }
    }

    PollerDevice(RdmaTransport transport, Device device, StorageThread thread, TransportSpec limits) {
        this.transport = transport;
        this.device = device;
        this.thread = thread;
        this.limits = limits;
        context = device.open(thread.reactor().core());
    }

    Device device() {
        return device;
    }

    Context context() {
        return context;
    }

    /** Makes all of it, one after the other. */
    void open(Runnable then) {
        Completion<ProtectionDomain> domain = context.allocPd();
        domain.whenFailed(transport::failed);
        domain.whenDone(pd -> {
            Completion<CompletionQueue> queue = context.createCq(limits.completions());
            queue.whenFailed(transport::failed);
            queue.whenDone(cq -> region(
                    pd,
                    transport.buffers().small(),
                    small -> region(
                            pd,
                            transport.buffers().large(),
                            large -> share(new Opened(context, pd, cq, null, small, large), then))));
        });
    }

    /** Makes it all anew, of a device that is back. */
    void reopen(Runnable then) {
        context = device.open(thread.reactor().core());
        open(then);
    }

    private void region(ProtectionDomain pd, Allocation memory, Consumer<MemoryRegion> then) {
        Completion<MemoryRegion> made = pd.regMr(memory.address(), memory.length(), EnumSet.of(AccessFlag.LOCAL_WRITE));
        made.whenFailed(transport::failed);
        made.whenDone(then);
    }

    private void share(Opened now, Runnable then) {
        if (!limits.srq()) {
            complete(now, then);
            return;
        }
        int depth = Math.min(limits.srqDepth(), context.device().attributes().maxSrqWr());
        RdmaResources before = common;
        RdmaResources all = before == null
                ? new RdmaResources(context.cpu().memory(), "nvmf." + thread.name(), depth, limits.inCapsuleBytes())
                : before;
        all.forget();
        common = all;
        Completion<SharedReceiveQueue> queue = now.pd.createSrq(new SrqAttributes(depth, 2, 0));
        queue.whenFailed(transport::failed);
        queue.whenDone(srq -> all.register(now.pd, () -> complete(now.with(srq), then), transport::failed));
    }

    private void complete(Opened now, Runnable then) {
        Opened before = opened;
        opened = now;
        if (before != null) {
            TargetOffload offload = transport.target().offload(device);
            if (offload != null) {
                offload.leave(before.pd);
            }
            before.close();
        }
        then.run();
    }

    private Opened opened() {
        Opened o = opened;
        if (o == null) {
            throw new InvariantViolation("a poller is used before its device is open");
        }
        return o;
    }

    boolean isOpen() {
        return opened != null;
    }

    ProtectionDomain pd() {
        return opened().pd;
    }

    CompletionQueue cq() {
        return opened().cq;
    }

    MemoryRegion small() {
        return opened().small;
    }

    MemoryRegion large() {
        return opened().large;
    }

    /** Returns the shared receive queue, null if there is none. */
    @Nullable
    SharedReceiveQueue srq() {
        return opened().srq;
    }

    /** Returns the memory of shared receives, null if there are none. */
    @Nullable
    RdmaResources common() {
        return common;
    }
}
