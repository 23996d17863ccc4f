package dev.clockwire.nic.driver;

import dev.clockwire.nic.context.SrqContext;
import dev.clockwire.roce.verbs.AsyncEvent;
import dev.clockwire.roce.verbs.AsyncEventType;
import dev.clockwire.roce.verbs.Completion;
import dev.clockwire.roce.verbs.ReceiveEntry;
import dev.clockwire.roce.verbs.SharedReceiveQueueProvider;
import dev.clockwire.roce.verbs.SrqAttributes;
import dev.clockwire.sim.host.Cpu;
import dev.clockwire.sim.host.HostCost;
import java.util.function.Consumer;

/** A shared receive queue: one ring that the device takes from for several queue pairs. */
final class HwSharedQueue implements SharedReceiveQueueProvider {
    private final HwDevice device;
    private final SrqContext context;
    private final ReceiveRing ring;
    private final SrqAttributes size;
    private final Cpu cpu;
    private final Consumer<AsyncEvent> events;
    private int limit;

    HwSharedQueue(
            HwDevice device,
            SrqContext context,
            ReceiveRing ring,
            SrqAttributes size,
            Cpu cpu,
            Consumer<AsyncEvent> events) {
        this.device = device;
        this.context = context;
        this.ring = ring;
        this.size = size;
        this.cpu = cpu;
        this.events = events;
    }

    SrqContext context() {
        return context;
    }

    ReceiveRing receives() {
        return ring;
    }

    @Override
    public int number() {
        return context.srqn();
    }

    @Override
    public int space() {
        return Math.min(ring.space(), size.maxWr() - ring.outstanding());
    }

    @Override
    public void postReceive(ReceiveEntry wr) {
        cpu.charge(HostCost.POST, 1);
        ring.post(cpu, wr.sges(), wr.wrId);
    }

    @Override
    public void ring() {
        ring.ring(cpu);
    }

    @Override
    public void modifyLimit(int to, Completion<Integer> done) {
        device.commands().submit(() -> {
            limit = to;
            device.nic().limit(number(), to);
            done.complete(to);
        });
    }

    /** The limit event came: it comes once. */
    void limitReached() {
        limit = 0;
        cpu.charge(HostCost.INTERRUPT, 1);
        events.accept(new AsyncEvent(AsyncEventType.SRQ_LIMIT_REACHED, number()));
        cpu.wake();
    }

    /** Receives could not be read. */
    void failed() {
        cpu.charge(HostCost.INTERRUPT, 1);
        events.accept(new AsyncEvent(AsyncEventType.SRQ_ERR, number()));
        cpu.wake();
    }

    @Override
    public void query(Completion<SrqAttributes> done) {
        device.commands().submit(() -> done.complete(new SrqAttributes(size.maxWr(), size.maxSge(), limit)));
    }

    @Override
    public void destroy(Completion<Integer> done) {
        device.commands().submit(() -> done.complete(number()));
    }
}
