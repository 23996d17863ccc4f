package dev.clockwire.nic.driver;

import dev.clockwire.nic.context.EqContext;
import dev.clockwire.nic.format.Eqe;
import dev.clockwire.pcie.host.HostMemory;
import dev.clockwire.pcie.host.InterruptVector;
import dev.clockwire.roce.verbs.AsyncEventType;
import dev.clockwire.sim.mem.AddressSpace;
import dev.clockwire.sim.mem.Allocation;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The event queue of a device: the interrupt handler looks at the entries that came and tells whom they concern. The queue is made
 * when a program first asks for events, or when the first thing happens; programs that only poll have none.
 */
final class HwEvents {
    private static final int LARGE = 12;
    private static final int PAGE = 4096;
    private static final int VECTOR = 0;

    private final HwDevice device;
    private final int log;
    /** The device asks how far the driver is. */
    private final boolean bounded;

    private final InterruptVector vector;
    private final List<HwCompletionQueue> queues = new ArrayList<>();
    private final List<HwQueuePair> pairs = new ArrayList<>();
    private final List<HwSharedQueue> shared = new ArrayList<>();
    private final byte[] entry = new byte[Eqe.BYTES];
    private long base;
    private long consumer;

    HwEvents(HwDevice device) {
        this.device = device;
        int given = device.nic().spec().queues().logEvents();
        bounded = given > 0;
        log = bounded ? given : LARGE;
        vector = device.host().addVector("nic", this::interrupt);
        device.nic().onFirstEvent(this::open);
    }

    void add(HwCompletionQueue queue) {
        queues.add(queue);
    }

    void add(HwSharedQueue queue) {
        shared.add(queue);
    }

    void add(HwQueuePair pair) {
        pairs.add(pair);
    }

    void remove(HwQueuePair pair) {
        pairs.remove(pair);
    }

    /** Makes the event queue unless it is there. */
    void open() {
        if (base != 0) {
            return;
        }
        HostMemory places = device.host().hostMemory();
        Allocation ring =
                places.allocate("eq", ((long) Eqe.BYTES << log) + PAGE, Allocation.Kind.REAL, PAGE, places.cache());
        base = ring.address();
        long message = base + ((long) Eqe.BYTES << log);
        AddressSpace memory = device.host().memory();
        for (int i = 0; i < 1 << log; i++) {
            memory.putByte(base + (long) i * Eqe.BYTES + Eqe.BYTES - 1, (byte) 1);
        }
        vector.at(message);
        device.nic().registers().vectors().program(VECTOR, message, VECTOR);
        device.nic().config().setVectors(true, false);
        device.nic().parts().table().setEvents(new EqContext(base, log, VECTOR));
    }

    private void interrupt() {
        long before = consumer;
        takeEntries();
        if (bounded && consumer != before) {
            device.consumedEvents((int) consumer);
        }
    }

    private void takeEntries() {
        AddressSpace memory = device.host().memory();
        for (; ; ) {
            long at = base + (consumer & (1L << log) - 1) * Eqe.BYTES;
            boolean lap = (consumer >>> log & 1) != 0;
            if (Eqe.owner(memory.getByte(at + Eqe.BYTES - 1)) != lap) {
                return;
            }
            memory.getBytes(at, entry, 0, Eqe.BYTES);
            consumer++;
            handle(Eqe.type(entry), Eqe.number(entry));
        }
    }

    private void handle(int type, int number) {
        switch (type) {
            case Eqe.COMP -> queue(number).fired();
            case Eqe.CQ_ERROR -> queue(number).happened(AsyncEventType.CQ_ERR);
            case Eqe.COMM_EST -> pair(number, AsyncEventType.COMM_EST);
            case Eqe.SQ_DRAINED -> pair(number, AsyncEventType.SQ_DRAINED);
            case Eqe.WQ_CATAS -> pair(number, AsyncEventType.QP_FATAL);
            case Eqe.WQ_INVAL_REQ -> pair(number, AsyncEventType.QP_REQ_ERR);
            case Eqe.WQ_ACCESS -> pair(number, AsyncEventType.QP_ACCESS_ERR);
            case Eqe.SRQ_LAST_WQE -> pair(number, AsyncEventType.QP_LAST_WQE_REACHED);
            case Eqe.CMD -> wasReset(number);
            case Eqe.INTERNAL_ERROR -> device.happened(AsyncEventType.DEVICE_FATAL, 0);
            case Eqe.PORT_CHANGE ->
                device.happened(number == Eqe.Port.ACTIVE ? AsyncEventType.PORT_ACTIVE : AsyncEventType.PORT_ERR, 1);
            case Eqe.SRQ_CATAS -> shared.get(number).failed();
            case Eqe.SRQ_LIMIT -> shared.get(number).limitReached();
            default -> {}
        }
    }

    private HwCompletionQueue queue(int number) {
        return queues.get(number);
    }

    private void pair(int qpn, AsyncEventType type) {
        HwQueuePair pair = find(qpn);
        if (pair != null) {
            pair.happened(type);
        }
    }

    private void wasReset(int qpn) {
        HwQueuePair pair = find(qpn);
        if (pair != null) {
            pair.wasReset();
        }
    }

    private @Nullable HwQueuePair find(int qpn) {
        for (int i = pairs.size() - 1; i >= 0; i--) {
            HwQueuePair pair = pairs.get(i);
            if (pair.qpn() == qpn) {
                return pair;
            }
        }
        return null;
    }
}
