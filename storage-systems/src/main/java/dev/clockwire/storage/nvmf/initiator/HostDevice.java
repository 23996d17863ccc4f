package dev.clockwire.storage.nvmf.initiator;

import dev.clockwire.roce.cm.CmTimes;
import dev.clockwire.roce.cm.ConnectionManager;
import dev.clockwire.roce.transport.AccessFlag;
import dev.clockwire.roce.verbs.AsyncEvent;
import dev.clockwire.roce.verbs.AsyncEventType;
import dev.clockwire.roce.verbs.Completion;
import dev.clockwire.roce.verbs.Context;
import dev.clockwire.roce.verbs.Device;
import dev.clockwire.roce.verbs.MemoryRegion;
import dev.clockwire.roce.verbs.Mtu;
import dev.clockwire.roce.verbs.ProtectionDomain;
import dev.clockwire.roce.verbs.VerbsException;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.sim.random.RandomStream;
import dev.clockwire.storage.reactor.PacedPoller;
import dev.clockwire.storage.reactor.Poller;
import dev.clockwire.storage.reactor.StorageThread;
import java.util.EnumSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The RDMA device as a host has opened it: its connection manager, and the poll groups that have it open as well. When the device fails all queues are
 * closed; when it is back everything is opened anew. On the main thread.
 */
final class HostDevice {
    private final NvmfHost host;
    private final Device device;
    private final StorageThread main;
    private final PacedPoller poller;
    private Mtu pathMtu = Mtu.MTU_4096;
    private State state = State.CLOSED;
    private @Nullable Allocation memory;
    private @Nullable CmTimes times;
    private @Nullable RandomStream random;
    private @Nullable Opened opened;
    private boolean polled;
    private long failures;
    private Runnable ready = () -> {};

    private enum State {
        CLOSED,
        OPENING,
        OPEN,
        /** It has failed: all is let go, and made again when it is back. */
        FAILED
    }

    /** What belongs to one time of having it open. */
    private record Opened(Context context, ProtectionDomain pd, MemoryRegion region, ConnectionManager manager) {
        /** Lets all go behind a failure; the connections are gone already. */
        void close() {
            region.close();
            pd.close();
            context.close();
        }
    }

    HostDevice(NvmfHost host, Device device, StorageThread main, long pollPs) {
        this.host = host;
        this.device = device;
        this.main = main;
        poller = new PacedPoller(main, "nvmf.cm", pollPs, this::poll);
    }

    Device device() {
        return device;
    }

    PacedPoller poller() {
        return poller;
    }

    void limitMtu(Mtu most) {
        pathMtu = most;
    }

    boolean isOpen() {
        return state == State.OPEN;
    }

    long failures() {
        return failures;
    }

    ConnectionManager manager() {
        Opened o = opened;
        if (o == null) {
            throw new ConfigurationException(main.name(), host.reactors().now(), "the device is not open yet");
        }
        return o.manager;
    }

    /** Opens it; {@code then} runs on the main thread when all groups can be used for the first time. */
    void open(CmTimes cmTimes, RandomStream stream, Runnable then) {
        times = cmTimes;
        random = stream;
        ready = then;
        Context context = device.open(main.reactor().core());
        memory = host.allocate("nvmf.cm", ConnectionManager.BUFFER_BYTES);
        begin(context);
    }

    private void begin(Context context) {
        state = State.OPENING;
        watch(context);
        Completion<ProtectionDomain> domain = context.allocPd();
        domain.whenFailed(this::refused);
        domain.whenDone(pd -> register(context, pd));
    }

    private void register(Context context, ProtectionDomain pd) {
        Allocation m = memory;
        if (m == null) {
            return;
        }
        Completion<MemoryRegion> region = pd.regMr(m.address(), m.length(), EnumSet.of(AccessFlag.LOCAL_WRITE));
        region.whenFailed(this::refused);
        region.whenDone(mr -> {
            Completion<ConnectionManager> made = manager(pd, mr);
            made.whenFailed(this::refused);
            made.whenDone(cm -> host.on(main, () -> managed(new Opened(context, pd, mr, cm))));
        });
    }

    private Completion<ConnectionManager> manager(ProtectionDomain pd, MemoryRegion mr) {
        Opened before = opened;
        if (before != null) {
            return before.manager.successor(pd, mr);
        }
        CmTimes t = times;
        RandomStream r = random;
        if (t == null || r == null) {
            throw new ConfigurationException(main.name(), host.reactors().now(), "the device is not open yet");
        }
        return ConnectionManager.open(pd, mr, t, r);
    }

    private void managed(Opened now) {
        Opened before = opened;
        opened = now;
        if (before == null) {
            now.manager.limitMtu(pathMtu);
        } else {
            before.close();
        }
        if (state == State.FAILED) {
            now.manager.deviceRemoved();
            return;
        }
        startPolling();
        openGroup(host.everyGroup(), 0);
    }

    private void startPolling() {
        if (!polled) {
            polled = true;
            poller.start();
        }
    }

    private void openGroup(List<PollGroup> groups, int index) {
        if (index == groups.size()) {
            host.on(main, this::complete);
            return;
        }
        Completion<PollGroup> next = groups.get(index).open();
        next.whenFailed(this::refused);
        next.whenDone(g -> host.on(g.thread(), () -> {
            g.start();
            openGroup(groups, index + 1);
        }));
    }

    private void complete() {
        if (state == State.OPENING) {
            state = State.OPEN;
            Runnable then = ready;
            ready = () -> {};
            then.run();
        }
    }

    private void watch(Context context) {
        context.asyncEvent().whenDone(event -> happened(context, event));
    }

    private void happened(Context context, AsyncEvent event) {
        context.ackAsyncEvent(event);
        if (event.type() == AsyncEventType.DEVICE_FATAL) {
            host.on(main, this::failed);
        } else {
            watch(context);
        }
    }

    private void refused(VerbsException why) {
        host.on(main, this::failed);
    }

    /** Ends all connections; the poller goes on when the device is back. */
    private void failed() {
        if (state == State.FAILED) {
            return;
        }
        state = State.FAILED;
        failures++;
        Opened o = opened;
        if (o != null) {
            o.manager.deviceRemoved();
        }
        host.deviceFailed();
        startPolling();
    }

    private int poll(Poller self) {
        Opened o = opened;
        if (state == State.FAILED) {
            if (device.isPresent() && host.isQuiet()) {
                begin(device.open(main.reactor().core()));
                return 1;
            }
            return 0;
        }
        if (o == null || (state == State.OPENING && failures > 0)) {
            return 0;
        }
        ConnectionManager cm = o.manager;
        if (cm.poll()) {
            return 1;
        }
        self.watch(cm.cq().provider().watchAddress(), 1);
        self.quietUntil(cm.nextDeadline());
        return 0;
    }
}
