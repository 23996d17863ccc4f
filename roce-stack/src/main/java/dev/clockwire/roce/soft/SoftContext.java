package dev.clockwire.roce.soft;

import dev.clockwire.roce.transport.MemoryKey;
import dev.clockwire.roce.transport.MemoryKey.Kind;
import dev.clockwire.roce.verbs.AddressVector;
import dev.clockwire.roce.verbs.AsyncEvent;
import dev.clockwire.roce.verbs.AsyncEventType;
import dev.clockwire.roce.verbs.Completion;
import dev.clockwire.roce.verbs.CompletionQueueProvider;
import dev.clockwire.roce.verbs.ContextProvider;
import dev.clockwire.roce.verbs.DeviceLife;
import dev.clockwire.roce.verbs.DeviceMemoryProvider;
import dev.clockwire.roce.verbs.DmaBuf;
import dev.clockwire.roce.verbs.Errno;
import dev.clockwire.roce.verbs.MrKeys;
import dev.clockwire.roce.verbs.MrRange;
import dev.clockwire.roce.verbs.MwType;
import dev.clockwire.roce.verbs.QpInit;
import dev.clockwire.roce.verbs.QueuePairProvider;
import dev.clockwire.roce.verbs.SharedReceiveQueueProvider;
import dev.clockwire.roce.verbs.SrqAttributes;
import dev.clockwire.roce.verbs.VerbsException;
import dev.clockwire.roce.wire.FlowAddress;
import dev.clockwire.sim.host.Cpu;
import dev.clockwire.sim.host.HostCost;
import java.util.function.Consumer;

/** A device opened by the programs of one core. */
final class SoftContext implements ContextProvider {
    private final SoftDevice device;
    private final Cpu cpu;
    private final Consumer<AsyncEvent> events;
    private final int opened;

    SoftContext(SoftDevice device, Cpu cpu, Consumer<AsyncEvent> events) {
        this.device = device;
        this.cpu = cpu;
        this.events = events;
        opened = device.life().failures();
    }

    /** Whether the device has failed since it was opened. */
    boolean isLost() {
        return device.life().failures() != opened;
    }

    /** Carries out a control verb that makes something; it fails if the device has failed. */
    private void command(String verb, Completion<?> done, Runnable action) {
        device.command(() -> {
            if (isLost()) {
                done.fail(DeviceLife.lost(verb, device.name()));
            } else {
                action.run();
            }
        });
    }

    @Override
    public void close() {
        device.closed(this);
    }

    SoftDevice device() {
        return device;
    }

    Cpu cpu() {
        return cpu;
    }

    /** Tells the program of something, in a step of its core. */
    void interrupt(Runnable handler) {
        cpu.charge(HostCost.INTERRUPT, 1);
        if (cpu.now() <= device.now()) {
            cpu.charge(1); // nothing is seen in the instant in which it happens
        }
        handler.run();
        cpu.wake();
    }

    /** Something happened beside the completions. */
    void raise(AsyncEventType type, int number) {
        interrupt(() -> events.accept(new AsyncEvent(type, number)));
    }

    @Override
    public void allocPd(Completion<Integer> done) {
        int pd = device.newPd();
        command("alloc_pd", done, () -> done.complete(pd));
    }

    @Override
    public void deallocPd(int pd, Completion<Integer> done) {
        device.command(() -> done.complete(pd));
    }

    @Override
    public void regMr(int pd, MrRange range, Completion<MrKeys> done) {
        command("reg_mr", done, () -> {
            int key = device.newKey();
            if (key == 0) {
                done.fail(taken("reg_mr", "key"));
                return;
            }
            device.keys().addRegion(key, pd, range.iova(), range.length(), range.address(), range.access());
            done.complete(new MrKeys(key, key));
        });
    }

    @Override
    public void regDmabufMr(int pd, DmaBuf memory, MrRange range, Completion<MrKeys> done) {
        String why = "a software device moves data with its host's core, which has no memory at " + memory.name();
        done.fail(new VerbsException(Errno.EOPNOTSUPP, "reg_dmabuf_mr", why));
    }

    @Override
    public void deregMr(MrKeys keys, Completion<MrKeys> done) {
        device.command(() -> {
            MemoryKey region = device.keys().find(keys.lkey());
            if (region != null && region.windows() > 0) {
                String text = region.windows() + " windows are bound to it";
                done.fail(new VerbsException(Errno.EBUSY, "dereg_mr", text));
                return;
            }
            if (region != null) {
                device.keys().remove(region);
            }
            done.complete(keys);
        });
    }

    @Override
    public void createCq(int cqe, Runnable events, Completion<CompletionQueueProvider> done) {
        command("create_cq", done, () -> {
            SoftCompletionQueue cq = new SoftCompletionQueue(device.newCqn(), cqe, this, events);
            device.add(cq);
            done.complete(cq);
        });
    }

    @Override
    public void createQp(int pd, QpInit init, Completion<QueuePairProvider> done) {
        command("create_qp", done, () -> {
            if (init.managedSends()) {
                String text = "send queues of this device are released by doorbells only";
                done.fail(new VerbsException(Errno.EOPNOTSUPP, "create_qp", text));
                return;
            }
            SoftCompletionQueue send = queue(init.sendCq().provider());
            SoftCompletionQueue receive = queue(init.recvCq().provider());
            int qpn = device.newQpn(init.gsi());
            if (qpn < 0) {
                done.fail(taken("create_qp", "queue pair number"));
                return;
            }
            SoftQueuePair qp = new SoftQueuePair(this, qpn, pd, init, send, receive);
            device.add(qp);
            done.complete(qp);
        });
    }

    @Override
    public void createSrq(int pd, SrqAttributes size, Completion<SharedReceiveQueueProvider> done) {
        command("create_srq", done, () -> done.complete(new SoftSharedQueue(device.newSrqn(), pd, size, this)));
    }

    @Override
    public void allocMw(int pd, MwType type, Completion<Integer> done) {
        command("alloc_mw", done, () -> {
            int key = device.newKey();
            if (key == 0) {
                done.fail(taken("alloc_mw", "key"));
                return;
            }
            device.keys().addWindow(type == MwType.TYPE_1 ? Kind.WINDOW_1 : Kind.WINDOW_2, key, pd);
            done.complete(key);
        });
    }

    @Override
    public void deallocMw(int key, Completion<Integer> done) {
        device.command(() -> {
            MemoryKey window = device.keys().findIndex(key);
            if (window != null) {
                device.keys().remove(window);
            }
            done.complete(key);
        });
    }

    @Override
    public void allocDm(long length, Completion<DeviceMemoryProvider> done) {
        command("alloc_dm", done, () -> done.complete(new SoftMemory(this, length)));
    }

    @Override
    public void regDmMr(int pd, DeviceMemoryProvider memory, MrRange range, Completion<MrKeys> done) {
        if (memory instanceof SoftMemory own) {
            long address = own.address() + range.address();
            regMr(pd, new MrRange(address, range.length(), range.iova(), range.access()), done);
        } else {
            done.fail(new VerbsException(Errno.EINVAL, "reg_dm_mr", "the memory belongs to another device"));
        }
    }

    private static VerbsException taken(String verb, String what) {
        return new VerbsException(Errno.EINVAL, verb, "the " + what + " chosen is in use already");
    }

    private static SoftCompletionQueue queue(CompletionQueueProvider provider) {
        if (provider instanceof SoftCompletionQueue cq) {
            return cq;
        }
        throw new VerbsException(Errno.EINVAL, "create_qp", "the completion queue belongs to another device");
    }

    @Override
    public void createAh(int pd, AddressVector to, Completion<FlowAddress> done) {
        command("create_ah", done, () -> {
            FlowAddress flow = new FlowAddress();
            if (device.resolve(to, 0, 0, flow)) {
                done.complete(flow);
            } else {
                done.fail(new VerbsException(Errno.ETIMEDOUT, "create_ah", "nobody has the address " + to.dgid()));
            }
        });
    }
}
