package dev.clockwire.roce.verbs;

import dev.clockwire.sim.host.Cpu;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A device opened by the programs of one core. What it creates must be destroyed before it is closed. */
public final class Context implements AutoCloseable {
    private final Device device;
    private final Cpu cpu;
    private final ContextProvider provider;
    private final Life life;
    private final Deque<AsyncEvent> events = new ArrayDeque<>();
    private final Deque<Completion<AsyncEvent>> waiting = new ArrayDeque<>();
    private final EventAcks acks = new EventAcks();
    /** Queue pairs that exist, in the order they were made. */
    private final Set<QueuePairProvider> pairs = new LinkedHashSet<>();

    private final @Nullable PostedMemory posted;
    private boolean lost;

    Context(Device device, VerbsProvider provider, Cpu cpu) {
        this.device = device;
        this.cpu = cpu;
        this.provider = provider.open(cpu, this::raise);
        life = new Life("context of " + device.name());
        posted = PostedMemory.of(cpu.memory().sanitizer(), device.name());
    }

    /** Returns the device. */
    public Device device() {
        return device;
    }

    /** Returns the core that pays for this context's verbs. */
    public Cpu cpu() {
        return cpu;
    }

    /** Allocates a protection domain. */
    public Completion<ProtectionDomain> allocPd() {
        life.use("alloc_pd");
        Completion<Integer> done = new Completion<>();
        done.whenFailed(error -> life.release());
        provider.allocPd(done);
        return done.map(number -> new ProtectionDomain(this, provider, life, number));
    }

    /**
     * Creates a completion queue.
     *
     * @param cqe entries at least
     * @throws VerbsException EINVAL if the device has no such large queue
     */
    public Completion<CompletionQueue> createCq(int cqe) {
        return createCq(cqe, new CompletionChannel());
    }

    /** Creates a completion queue whose events come out of a channel. */
    public Completion<CompletionQueue> createCq(int cqe, CompletionChannel channel) {
        Check.range("create_cq", "cqe", cqe, 1, device.attributes().maxCqe());
        life.use("create_cq");
        CqEvents events = new CqEvents(channel);
        Completion<CompletionQueueProvider> done = new Completion<>();
        done.whenFailed(error -> life.release());
        provider.createCq(cqe, events, done);
        return done.map(queue -> {
            CompletionQueue cq = new CompletionQueue(queue, this, life, channel);
            events.queue = cq;
            VerbsTap tap = tap();
            if (tap != null) {
                tap.queueMade(queue.number(), cqe);
            }
            return cq;
        });
    }

    /**
     * Allocates memory inside the device ({@code alloc_dm}).
     *
     * @param length bytes
     * @throws VerbsException EINVAL if the device never has so much
     */
    public Completion<DeviceMemory> allocDm(long length) {
        Check.range("alloc_dm", "length", length, 1, device.attributes().maxDmSize());
        life.use("alloc_dm");
        Completion<DeviceMemoryProvider> done = new Completion<>();
        done.whenFailed(error -> life.release());
        provider.allocDm(length, done);
        return done.map(memory -> new DeviceMemory(memory, life, length));
    }

    /**
     * Acknowledges an event that {@link #asyncEvent} gave ({@code ack_async_event}): destroying its object waits for that.
     *
     * @throws VerbsException EINVAL if no such event is open
     */
    public void ackAsyncEvent(AsyncEvent event) {
        acks.acknowledged(event);
    }

    /** Returns the next event beside the completions, now or when it comes ({@code get_async_event}); acknowledge each. */
    public Completion<AsyncEvent> asyncEvent() {
        life.requireOpen("get_async_event");
        AsyncEvent next = events.poll();
        if (next != null) {
            acks.taken(next);
            return Completion.of(next);
        }
        Completion<AsyncEvent> wait = new Completion<>();
        waiting.add(wait);
        return wait;
    }

    private void raise(AsyncEvent event) {
        if (event.type() == AsyncEventType.DEVICE_FATAL) {
            lose();
        }
        Completion<AsyncEvent> first = waiting.poll();
        if (first != null) {
            acks.taken(event);
            first.complete(event);
        } else {
            events.add(event);
        }
    }

    /** Returns what watches over posted memory, null if nothing does. */
    @Nullable
    PostedMemory posted() {
        return posted;
    }

    /** Returns who looks on, null if nobody does, or nothing of this works any more. */
    @Nullable
    VerbsTap tap() {
        return lost ? null : device.tap();
    }

    private void lose() {
        VerbsTap tap = tap();
        lost = true;
        if (tap != null) {
            pairs.forEach(pair -> tap.pairGone(pair.qpn()));
        }
    }

    EventAcks acks() {
        return acks;
    }

    void made(QueuePairProvider pair) {
        pairs.add(pair);
    }

    void destroyed(QueuePairProvider pair) {
        pairs.remove(pair);
    }

    /**
     * Gives up the device for a program that has died without closing anything, as the kernel does: its queue pairs are destroyed, and it is told
     * nothing any more. Nothing of it may be used afterwards.
     */
    public void abandon() {
        lose();
        for (QueuePairProvider pair : pairs) {
            Completion<Integer> gone = new Completion<>();
            if (posted != null) {
                gone.whenDone(posted::abandoned);
            }
            pair.destroy(gone);
        }
        pairs.clear();
        events.clear();
        waiting.clear();
        provider.close();
    }

    /**
     * Closes the device ({@code close_device}).
     *
     * @throws VerbsException EBUSY if something that was created here still exists
     */
    @Override
    public void close() {
        life.close("close_device");
        provider.close();
    }
}
