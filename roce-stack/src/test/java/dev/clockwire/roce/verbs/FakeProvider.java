package dev.clockwire.roce.verbs;

import dev.clockwire.roce.transport.QpState;
import dev.clockwire.roce.transport.WrOpcode;
import dev.clockwire.roce.wire.FlowAddress;
import dev.clockwire.sim.host.Cpu;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A provider that notes what reaches it and ends control verbs only when it is told to. */
final class FakeProvider implements VerbsProvider {
    final List<String> log = new ArrayList<>();
    final List<Runnable> pending = new ArrayList<>();
    final List<FakeQueue> queues = new ArrayList<>();
    final List<FakeCq> cqs = new ArrayList<>();
    final List<FakeSrq> srqs = new ArrayList<>();
    boolean prompt = true;

    @Nullable
    VerbsException nextFailure;

    @Nullable
    Consumer<AsyncEvent> events;

    private int numbers = 0x100;

    static DeviceAttributes limits() {
        return DeviceAttributes.connectX(0x0002_C903_0000_0001L, "16.35", 4119);
    }

    @Override
    public String name() {
        return "fake_0";
    }

    @Override
    public DeviceAttributes attributes() {
        return limits();
    }

    @Override
    public PortAttributes port(int number) {
        return new PortAttributes(true, Mtu.MTU_4096, Mtu.MTU_1024, 1 << 30, 100, List.of(Gid.ofIpv4(0x0A000001)));
    }

    @Override
    public ContextProvider open(Cpu cpu, Consumer<AsyncEvent> sink) {
        events = sink;
        return new FakeContext();
    }

    void raise(AsyncEvent event) {
        Objects.requireNonNull(events).accept(event);
    }

    private <T> void end(Completion<T> done, T value) {
        VerbsException failure = nextFailure;
        nextFailure = null;
        Runnable end = () -> {
            if (failure != null) {
                done.fail(failure);
            } else {
                done.complete(value);
            }
        };
        if (prompt) {
            end.run();
        } else {
            pending.add(end);
        }
    }

    private final class FakeContext implements ContextProvider {
        @Override
        public void allocPd(Completion<Integer> done) {
            end(done, numbers++);
        }

        @Override
        public void deallocPd(int pd, Completion<Integer> done) {
            log.add("dealloc " + pd);
            end(done, pd);
        }

        @Override
        public void regMr(int pd, MrRange range, Completion<MrKeys> done) {
            log.add("reg " + range.length() + " " + range.access() + " iova " + range.iova());
            end(done, new MrKeys(numbers, numbers++));
        }

        @Override
        public void deregMr(MrKeys keys, Completion<MrKeys> done) {
            log.add("dereg");
            end(done, keys);
        }

        @Override
        public void createCq(int cqe, Runnable fired, Completion<CompletionQueueProvider> done) {
            FakeCq cq = new FakeCq(numbers++, cqe, fired);
            cqs.add(cq);
            end(done, cq);
        }

        @Override
        public void createQp(int pd, QpInit init, Completion<QueuePairProvider> done) {
            FakeQueue queue = new FakeQueue(numbers++);
            queues.add(queue);
            end(done, queue);
        }

        @Override
        public void createSrq(int pd, SrqAttributes size, Completion<SharedReceiveQueueProvider> done) {
            FakeSrq srq = new FakeSrq(numbers++);
            srqs.add(srq);
            end(done, srq);
        }

        @Override
        public void allocMw(int pd, MwType type, Completion<Integer> done) {
            end(done, 0x1234FF);
        }

        @Override
        public void deallocMw(int key, Completion<Integer> done) {
            log.add("dealloc_mw " + Integer.toHexString(key));
            end(done, key);
        }

        @Override
        public void allocDm(long length, Completion<DeviceMemoryProvider> done) {
            end(done, new FakeMemory());
        }

        @Override
        public void regDmMr(int pd, DeviceMemoryProvider memory, MrRange range, Completion<MrKeys> done) {
            log.add("reg_dm " + range.address() + " " + range.length() + " iova " + range.iova());
            end(done, new MrKeys(numbers, numbers++));
        }

        @Override
        public void createAh(int pd, AddressVector to, Completion<FlowAddress> done) {
            FlowAddress flow = new FlowAddress();
            flow.setIpv4(0x0A000001, to.dgid().ipv4());
            end(done, flow);
        }
    }

    final class FakeMemory implements DeviceMemoryProvider {
        @Override
        public void copyTo(long offset, long address, int length) {
            log.add("copy_to " + offset + " " + length);
        }

        @Override
        public void copyFrom(long address, long offset, int length) {
            log.add("copy_from " + offset + " " + length);
        }

        @Override
        public void free(Completion<Integer> done) {
            end(done, 0);
        }
    }

    final class FakeSrq implements SharedReceiveQueueProvider {
        final List<Long> receives = new ArrayList<>();
        int space = 2;
        int rings;
        int limit;
        private final int number;

        FakeSrq(int number) {
            this.number = number;
        }

        @Override
        public int number() {
            return number;
        }

        @Override
        public int space() {
            return space;
        }

        @Override
        public void postReceive(ReceiveEntry wr) {
            receives.add(wr.wrId);
            space--;
        }

        @Override
        public void ring() {
            rings++;
        }

        @Override
        public void modifyLimit(int to, Completion<Integer> done) {
            limit = to;
            end(done, to);
        }

        @Override
        public void query(Completion<SrqAttributes> done) {
            end(done, new SrqAttributes(2, 2, limit));
        }

        @Override
        public void destroy(Completion<Integer> done) {
            end(done, number);
        }
    }

    final class FakeCq implements CompletionQueueProvider {
        final Runnable fired;
        final List<WorkCompletion> ready = new ArrayList<>();
        boolean broken;
        boolean solicitedOnly;
        private final int number;
        private final int cqe;

        FakeCq(int number, int cqe, Runnable fired) {
            this.number = number;
            this.cqe = cqe;
            this.fired = fired;
        }

        @Override
        public int number() {
            return number;
        }

        @Override
        public int capacity() {
            return Integer.highestOneBit(2 * cqe - 1);
        }

        @Override
        public int poll(WorkCompletion[] out, int max) {
            int n = 0;
            while (n < max && !ready.isEmpty()) {
                out[n++].wrId = ready.remove(0).wrId;
            }
            return broken ? BROKEN : n;
        }

        @Override
        public boolean hasCompletion() {
            return !ready.isEmpty();
        }

        @Override
        public long watchAddress() {
            return number;
        }

        @Override
        public void reqNotify(boolean only) {
            solicitedOnly = only;
        }

        @Override
        public void destroy(Completion<Integer> done) {
            end(done, number);
        }
    }

    final class FakeQueue implements QueuePairProvider {
        QpState state = QpState.RESET;
        int sendSpace = 4;
        int receiveSpace = 4;
        int rings;
        boolean draining;
        final List<WrOpcode> sends = new ArrayList<>();
        final List<Integer> flags = new ArrayList<>();
        final List<Long> receives = new ArrayList<>();

        @Nullable
        QpAttributes lastAll;

        private final int qpn;

        FakeQueue(int qpn) {
            this.qpn = qpn;
        }

        @Override
        public int qpn() {
            return qpn;
        }

        @Override
        public QpState state() {
            return state;
        }

        @Override
        public void modify(QpState to, QpAttributes change, QpAttributes all, Completion<QpState> done) {
            lastAll = all;
            done.whenDone(reached -> state = reached);
            end(done, to);
        }

        @Override
        public boolean sqDraining() {
            return draining;
        }

        @Override
        public int sendSpace() {
            return sendSpace;
        }

        @Override
        public int receiveSpace() {
            return receiveSpace;
        }

        @Override
        public void postSend(SendEntry wr) {
            sends.add(wr.opcode);
            flags.add(wr.flags);
            sendSpace--;
        }

        @Override
        public void ringSend() {
            rings++;
        }

        @Override
        public void postReceive(ReceiveEntry wr) {
            receives.add(wr.wrId);
            receiveSpace--;
        }

        @Override
        public void ringReceive() {
            rings++;
        }

        @Override
        public void destroy(Completion<Integer> done) {
            end(done, qpn);
        }
    }
}
