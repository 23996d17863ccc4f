package dev.clockwire.nic.driver;

import dev.clockwire.nic.ether.EthCounter;
import dev.clockwire.nic.ether.EthFrame;
import dev.clockwire.nic.ether.EthTable;
import dev.clockwire.nic.ether.EthernetPort;
import dev.clockwire.nic.ether.FlowRule;
import dev.clockwire.nic.format.Cqe;
import dev.clockwire.nic.format.RawPacketWqe;
import dev.clockwire.nic.regs.NicRegisters;
import dev.clockwire.roce.verbs.Completion;
import dev.clockwire.roce.verbs.CompletionQueueProvider;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.host.Cpu;
import dev.clockwire.sim.host.HostCost;
import dev.clockwire.sim.mem.Allocation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The Ethernet queues of a NIC, as the driver of a network stack uses them: frames from memory, frames into buffers that go back by themselves,
 * completion queues polled or armed, and what {@code ethtool} sets and shows. Data calls charge the core that opened it.
 */
public final class NicEthernet {
    private static final int PAGE = 4096;
    private static final int RECEIVE_BYTES = 16;
    private static final int SLACK = 32;

    /** Takes what a poll finds. */
    public interface Sink {
        /** A frame was received; its buffer is posted again when this returns. */
        void received(int queue, long address, int bytes, int hash);

        /**
         * The same, with what the device found out about checksums, if it does.
         *
         * @param right checksums that are right: bit 1: of the IPv4 header, bit 2: of TCP or UDP
         * @param sum one's complement sum of what is behind the Ethernet header, 0 without IP
         */
        default void received(int queue, long address, int bytes, int hash, int right, int sum) {
            received(queue, address, bytes, hash);
        }

        /** The oldest frame sent by a queue that was not reported is on its way: its memory is free. */
        void sent(int queue);
    }

    /** One send and one receive ring. */
    private static final class Queue {
        HwCompletionQueue cq;
        long sends;
        long receives;
        long buffers;
        long posted;
        long done;
        long received;
        long receivedBytes;
        /** Null: its moderation is fixed. */
        @Nullable
        Dim dim;

        Queue(HwCompletionQueue cq) {
            this.cq = cq;
        }
    }

    private final HwDevice device;
    private final Cpu cpu;
    private final EthernetSpec spec;
    private final EthernetPort port;
    private final int bufferBytes;
    private final List<Queue> queues = new ArrayList<>();
    private final RawPacketWqe wqe = new RawPacketWqe();
    private final byte[] head = new byte[RawPacketWqe.INLINE];

    private int txChecksums;
    private boolean rxChecksums;

    private NicEthernet(HwDevice device, Cpu cpu, EthernetSpec spec, EthernetPort port) {
        this.device = device;
        this.cpu = cpu;
        this.spec = spec;
        this.port = port;
        bufferBytes = spec.mtu() + SLACK;
    }

    /**
     * Opens the queues of a device, once.
     *
     * @param events gets the number of a queue whose completion queue was armed and fired
     * @throws ConfigurationException if the NIC has fewer queues, or they are open already
     */
    static Completion<NicEthernet> open(HwDevice device, HwContext context, EthernetSpec spec, IntConsumer events) {
        EthernetPort port = device.nic().ethernetPort();
        int has = device.nic().spec().queues().ethernet();
        if (port == null || spec.queues() > has) {
            throw new ConfigurationException("Ethernet queues: " + spec.queues() + " wanted, nic.eth.queues=" + has);
        }
        if (port.table().queues() > 0) {
            throw new ConfigurationException("Ethernet queues: they are open already");
        }
        NicEthernet self = new NicEthernet(device, context.cpu(), spec, port);
        Completion<NicEthernet> done = new Completion<>();
        self.openNext(context, events, done);
        return done;
    }

    private void openNext(HwContext context, IntConsumer events, Completion<NicEthernet> done) {
        int q = queues.size();
        if (q == spec.queues()) {
            device.commands().submit(() -> {
                start();
                done.complete(this);
            });
            return;
        }
        Completion<CompletionQueueProvider> cq = new Completion<>();
        int entries = (1 << spec.logSends()) + (1 << spec.logReceives());
        cq.whenFailed(done::fail);
        cq.whenDone(made -> {
            queues.add(new Queue((HwCompletionQueue) made));
            openNext(context, events, done);
        });
        context.createCq(entries, () -> events.accept(q), cq);
    }

    private void start() {
        List<EthTable.Ring> sends = new ArrayList<>();
        List<EthTable.Ring> receives = new ArrayList<>();
        for (Queue q : queues) {
            q.sends = device.allocate("ethsq", (long) RawPacketWqe.BYTES << spec.logSends())
                    .address();
            q.receives = device.allocate("ethrq", (long) RECEIVE_BYTES << spec.logReceives())
                    .address();
            q.buffers = cpu.memory()
                    .allocate("ethbuf", (long) bufferBytes << spec.logReceives(), Allocation.Kind.REAL, PAGE)
                    .address();
            sends.add(new EthTable.Ring(q.sends, spec.logSends(), q.cq.number()));
            receives.add(new EthTable.Ring(q.receives, spec.logReceives(), q.cq.number()));
        }
        port.table().open(sends, receives, spec.mtu());
        for (int q = 0; q < queues.size(); q++) {
            for (int i = 0; i < 1 << spec.logReceives(); i++) {
                describe(queues.get(q), i);
            }
            port.line().send(device.nic().now() + 1, EthernetPort.RECEIVE, q, 1 << spec.logReceives());
        }
    }

    private long buffer(Queue q, long index) {
        return q.buffers + (index & (1L << spec.logReceives()) - 1) * bufferBytes;
    }

    private void describe(Queue q, long index) {
        long at = q.receives + (index & (1L << spec.logReceives()) - 1) * RECEIVE_BYTES;
        cpu.memory().putIntBe(at, bufferBytes);
        cpu.memory().putIntBe(at + 4, 0);
        cpu.memory().putLongBe(at + 8, buffer(q, index));
    }

    /** Returns the number of queues. */
    public int queues() {
        return queues.size();
    }

    /** Returns how many more frames fit into a send queue. */
    public int sendSpace(int queue) {
        Queue q = queues.get(queue);
        return (1 << spec.logSends()) - (int) (q.posted - q.done);
    }

    /**
     * Puts a frame, without check sequence, into a send queue; the device hears of it with {@link #ring}. Its memory stays as it is until the
     * frame was {@link Sink#sent}. Short frames are padded by the MAC.
     *
     * @return false if the queue is full
     * @throws ConfigurationException if the frame is longer than the MTU allows or shorter than its header
     */
    public boolean send(int queue, long address, int bytes) {
        int longest = spec.mtu() + EthFrame.HEADER_BYTES + 4;
        if (bytes < EthFrame.HEADER_BYTES || bytes > longest) {
            throw new ConfigurationException(
                    "Ethernet frame: " + bytes + " bytes are not in " + EthFrame.HEADER_BYTES + ".." + longest);
        }
        Queue q = queues.get(queue);
        if (sendSpace(queue) == 0) {
            return false;
        }
        cpu.charge(HostCost.POST, 1);
        int inlined = Math.min(bytes, RawPacketWqe.INLINE);
        cpu.memory().getBytes(address, head, 0, inlined);
        wqe.write((int) q.posted, queue, head, inlined, bytes - inlined, address + inlined);
        wqe.ask(txChecksums);
        long at = q.sends + (q.posted & (1L << spec.logSends()) - 1) * RawPacketWqe.BYTES;
        cpu.memory().putBytes(at, wqe.raw, 0, RawPacketWqe.BYTES);
        q.posted++;
        return true;
    }

    /** Tells the device of the frames put into a queue. */
    public void ring(int queue) {
        ring(NicRegisters.ETH_SQ_DB, queue, queues.get(queue).posted);
    }

    private void ring(int register, int queue, long index) {
        long at = device.nic().endpoint().barAddress(NicRegisters.BAR) + register + 8L * queue;
        cpu.mmioWrite(at, index & 0xFFFF, Integer.BYTES);
    }

    /**
     * Takes completions off a queue, oldest first; the buffers of what was received are posted again.
     *
     * @return how many
     */
    public int poll(int queue, int most, Sink sink) {
        Queue q = queues.get(queue);
        cpu.charge(HostCost.POLL, 1);
        int n = 0;
        long before = q.received;
        for (byte[] cqe = q.cq.takeEntry(most > 0); cqe != null; cqe = q.cq.takeEntry(n < most)) {
            n++;
            if (Cqe.opcode(cqe) == Cqe.REQ || Cqe.opcode(cqe) == Cqe.REQ_ERR) {
                q.done++;
                sink.sent(queue);
            } else {
                int bytes = Cqe.byteCount(cqe);
                q.receivedBytes += bytes;
                if (bytes > 0) {
                    int right = rxChecksums ? Cqe.checksums(cqe) : 0;
                    int sum = rxChecksums ? Cqe.sum(cqe) : 0;
                    sink.received(queue, buffer(q, q.received), bytes, Cqe.hash(cqe), right, sum);
                }
                describe(q, q.received + (1L << spec.logReceives()));
                q.received++;
            }
        }
        if (q.received != before) {
            ring(NicRegisters.ETH_RQ_DB, queue, q.received + (1L << spec.logReceives()));
        }
        return n;
    }

    /** Whether a poll of a queue would find something; costs nothing. */
    public boolean hasCompletion(int queue) {
        return queues.get(queue).cq.hasCompletion();
    }

    /** Returns the address that an idle core watches for a queue's next completion. */
    public long watchAddress(int queue) {
        return queues.get(queue).cq.watchAddress();
    }

    /** Asks for one interrupt at a queue's next completion. */
    public void arm(int queue) {
        Queue q = queues.get(queue);
        Dim dim = q.dim;
        if (dim != null && dim.sample(cpu.now(), q.cq.events(), q.received, q.receivedBytes)) {
            coalesce(queue, dim.frames(), dim.usecs()).whenDone(done -> dim.isSet());
        }
        q.cq.reqNotify(false);
    }

    /** Sets how many completions, or microseconds, an interrupt of a queue waits for ({@code ethtool -C rx-frames N rx-usecs N}). */
    public Completion<Integer> coalesce(int queue, int frames, int usecs) {
        Completion<Integer> done = new Completion<>();
        queues.get(queue).cq.modify(frames, usecs, done);
        return done;
    }

    /**
     * Lets the driver choose what interrupts of a queue wait for, from the rates that it sees each time it arms the queue
     * ({@code ethtool -C adaptive-rx on}), as Linux does ({@code net_dim}); or leaves what is set as it is.
     */
    public Completion<Integer> adaptive(int queue, boolean on) {
        Dim dim = on ? new Dim() : null;
        queues.get(queue).dim = dim;
        return dim == null ? command(queue, () -> {}) : coalesce(queue, dim.frames(), dim.usecs());
    }

    /** Returns the microseconds that the driver has chosen for a queue; -1 if it does not choose. */
    public int adaptiveUsecs(int queue) {
        Dim dim = queues.get(queue).dim;
        return dim == null ? -1 : dim.usecs();
    }

    /** Adds a flow rule ({@code ethtool -N}). */
    public Completion<FlowRule> addRule(FlowRule rule) {
        port.table().check(rule);
        return command(rule, () -> port.table().add(rule));
    }

    /** Takes a flow rule away ({@code ethtool -N DEV delete N}). */
    public Completion<Integer> deleteRule(int location) {
        return command(location, () -> port.table().remove(location));
    }

    /** Switches the delivery of check sequences ({@code ethtool -K rx-fcs}) and of frames whose check sequence is wrong ({@code rx-all}). */
    public Completion<Boolean> features(boolean rxFcs, boolean rxAll) {
        return command(true, () -> {
            port.table().rxFcs = rxFcs;
            port.table().rxAll = rxAll;
        });
    }

    /**
     * Lets the device make the checksums of the IPv4 header and of TCP and UDP of what is sent from now on ({@code ethtool -K tx}), and says
     * whether what it finds out about those received is looked at ({@code rx}).
     *
     * @throws ConfigurationException if the device does neither
     */
    public void checksums(boolean tx, boolean rx) {
        if ((tx || rx) && !port.checksums()) {
            throw new ConfigurationException("checksums: this device makes and checks none (nic.eth.checksums)");
        }
        txChecksums = tx ? RawPacketWqe.L3_CHECKSUM | RawPacketWqe.L4_CHECKSUM : 0;
        rxChecksums = rx;
    }

    /** Sends an entry of the indirection table to a queue ({@code ethtool -X}). */
    public Completion<Integer> direct(int entry, int queue) {
        if (entry < 0 || entry >= EthTable.INDIRECTION || queue < 0 || queue >= queues.size()) {
            throw new ConfigurationException("indirection: entry " + entry + " to queue " + queue + ": there are "
                    + EthTable.INDIRECTION + " entries and " + queues.size() + " queues");
        }
        return command(entry, () -> port.table().direct(entry, queue));
    }

    private <T> Completion<T> command(T result, Runnable change) {
        Completion<T> done = new Completion<>();
        device.commands().submit(() -> {
            change.run();
            done.complete(result);
        });
        return done;
    }

    /** Returns the counters by the names of {@code ethtool -S}, in its order. */
    public Map<String, Long> counters() {
        Map<String, Long> all = new LinkedHashMap<>();
        long[] sums = new long[4];
        for (int q = 0; q < queues.size(); q++) {
            sums[0] += port.received(q);
            sums[1] += port.receivedBytes(q);
            sums[2] += port.sent(q);
            sums[3] += port.sentBytes(q);
        }
        all.put("rx_packets", sums[0]);
        all.put("rx_bytes", sums[1]);
        all.put("tx_packets", sums[2]);
        all.put("tx_bytes", sums[3]);
        for (EthCounter counter : EthCounter.values()) {
            if (counter.isUsual() || port.checksums()) {
                all.put(counter.text(), port.counter(counter));
            }
        }
        for (int q = 0; q < queues.size(); q++) {
            all.put("rx" + q + "_packets", port.received(q));
            all.put("rx" + q + "_bytes", port.receivedBytes(q));
            all.put("tx" + q + "_packets", port.sent(q));
            all.put("tx" + q + "_bytes", port.sentBytes(q));
        }
        return all;
    }
}
