package dev.clockwire.nic.send;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.chip.ChipMemory;
import dev.clockwire.nic.complete.CqWriter;
import dev.clockwire.nic.context.Completion;
import dev.clockwire.nic.context.ContextTable;
import dev.clockwire.nic.context.DeviceParts;
import dev.clockwire.nic.context.LoneParts;
import dev.clockwire.nic.context.QpContext;
import dev.clockwire.nic.format.Cqe;
import dev.clockwire.nic.format.CqeSyndrome;
import dev.clockwire.nic.format.Wqe;
import dev.clockwire.nic.format.WqeOpcode;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.nic.sched.QpScheduler;
import dev.clockwire.pcie.endpoint.DmaWrite;
import dev.clockwire.roce.transport.QpState;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.transport.Requester;
import dev.clockwire.roce.transport.RequesterSpec;
import dev.clockwire.roce.transport.ResponseResult;
import dev.clockwire.roce.transport.SendWork;
import dev.clockwire.roce.transport.WcStatus;
import dev.clockwire.roce.transport.WrOpcode;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.Channel;
import dev.clockwire.sim.Clock;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.Frequency;
import dev.clockwire.sim.Inlet;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.SimModule;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.sim.mem.Payload;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.Token;
import dev.clockwire.testkit.Stall;
import dev.clockwire.testkit.TokenSink;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The end of the send engine alone: what it reports, where it places, what it asks for local work. */
class FinishingTest {
    private final Sim sim = new Sim(SimSpec.of(1));
    private final Clock clock = new Clock(sim.root(), "clock", Frequency.mhz(250));
    private final ContextTable table = new ContextTable();
    private final DeviceParts parts =
            LoneParts.of(sim, clock, Profiles.named("cx7-400g").with("nic.pci_wr_ordering", "force_relax"), table);
    private final List<Completion> completions = new ArrayList<>();
    private final List<DmaWrite> writes = new ArrayList<>();
    private final List<String> questions = new ArrayList<>();
    private final Channel<Completion> out = new Channel<>(sim.root(), "out", clock, 2);
    private final Engine engine = new Engine();
    private final Finisher finisher;
    private final QpContext qp = new QpContext(0x77, QpType.RC, 1, 0, 4, 0, 4, 16, 0, 5, 6);
    private final SendQueue queue;

    /** Runs the finisher in each cycle, as the engine does. */
    private final class Engine extends SimModule {
        final Inlet<DmaWrite> written = new Inlet<>(this, "written", 64, 1);
        final EventPort port = new EventPort(this, "writes") {
            @Override
            protected void event(int kind, long a, long b, @Nullable Token token) {
                if (token instanceof DmaWrite w) {
                    writes.add(w);
                    Objects.requireNonNull(w.done).write(w);
                } else {
                    wake();
                    questions.add(kind + " " + (a >>> 32) + "/" + (int) a + " " + (b >>> 32) + "/" + (int) b);
                }
            }
        };

        Engine() {
            super(sim.root(), "engine", clock);
            out.from(this);
        }

        @Override
        protected boolean tick(long cycle) {
            return finisher.tick(cycle);
        }
    }

    FinishingTest() {
        table.setUars(8);
        table.add(qp);
        qp.state = QpState.RTS;
        qp.requester = RequesterSpec.of(QpType.RC, 1024, 0x77, 0x78);
        queue = new SendQueue(qp, parts.spec());
        finisher = new Finisher(out, engine.port, engine.written, parts);
        new TokenSink<>(sim.root(), "sink", clock, out, Stall.none(), c -> {
            completions.add(c);
            return c.opcode;
        });
        sim.elaborate();
    }

    private static Wqe wqe(int opcode, int index, boolean signaled) {
        Wqe w = new Wqe();
        w.opcode = opcode;
        w.index = index;
        w.signaled = signaled;
        w.length = 1L << 31;
        w.journey = 9;
        return w;
    }

    private void run() {
        engine.port.send(sim.now() + 1, 1, 0, 0); // an event wakes the engine's clock
        sim.run(sim.now() + 100_000);
    }

    @ParameterizedTest
    @CsvSource({"10,0", "8,0", "16,-2147483648", "17,-2147483648", "18,-2147483648", "27,0"})
    void aSuccessSaysWhatWasRead(int opcode, int bytes) {
        Completion used = new Completion();
        used.imm = 1;
        used.srcQp = 2;
        used.solicited = true;
        used.hash = 3;
        parts.completions().give(used);
        finisher.localSuccess(queue, wqe(opcode, 44, true), 500);
        finisher.localSuccess(queue, wqe(opcode, 45, false), 500);
        run();
        assertThat(completions).as("the unsignalled one is not told").hasSize(1);
        Completion c = completions.get(0);
        assertThat(new long[] {
                    c.opcode, c.wqeOpcode, c.cqn, c.qpn, c.wqeCounter, c.byteCount, c.syndrome, c.journey, c.donePs
                })
                .containsExactly(Cqe.REQ, opcode, 5, 0x77, 44, bytes, 0, 9, 500);
        assertThat(new long[] {c.imm, c.srcQp, c.hash}).containsOnly(0);
        assertThat(c.solicited).isFalse();
    }

    @Test
    void anErrorIsAlwaysTold() {
        List<String> retired = new ArrayList<>();
        parts.setRetireTap((qpn, index, ps) -> retired.add(qpn + " " + index + " " + ps));
        finisher.error(queue, wqe(WqeOpcode.SEND, 3, false), WcStatus.REM_ACCESS_ERR, 700);
        run();
        assertThat(completions.get(0).opcode).isEqualTo(Cqe.REQ_ERR);
        assertThat(completions.get(0).syndrome).isEqualTo(CqeSyndrome.of(WcStatus.REM_ACCESS_ERR));
        assertThat(retired).containsExactly("119 3 700");
        qp.resetting = true;
        Wqe last = wqe(WqeOpcode.SEND, 4, true);
        finisher.error(queue, last, WcStatus.WR_FLUSH_ERR, 800);
        finisher.end(queue);
        run();
        assertThat(completions).as("on the way to RESET only the end comes").hasSize(2);
        assertThat(completions.get(1).isEnd()).isTrue();
        assertThat(completions.get(1).cqn).isEqualTo(5);
        assertThat(parts.wqes().take()).as("free again").isSameAs(last);
    }

    private long admit() {
        SendWork work = new SendWork();
        work.opcode = WrOpcode.RDMA_READ;
        work.length = 100;
        return Requester.admit(queue.connected(16), work);
    }

    @Test
    void whatSucceedsIsFinishedUpToItself() {
        for (int i = 0; i < 3; i++) {
            queue.setInFlight(admit(), wqe(WqeOpcode.RDMA_READ, i, i != 1));
        }
        finisher.success(queue, 0, 1);
        assertThat(queue.reported).isEqualTo(1);
        finisher.success(queue, 1, 2);
        finisher.success(queue, 2, 3);
        assertThat(queue.reported).isEqualTo(3);
        run();
        assertThat(completions).extracting(c -> c.wqeCounter).containsExactly(0, 2);
    }

    @Test
    void thereIsRoomForSoMany() {
        for (int i = 0; i < 256; i++) {
            assertThat(finisher.hasRoom()).isTrue();
            finisher.localSuccess(queue, wqe(WqeOpcode.NOP, i, true), 1);
        }
        assertThat(finisher.hasRoom()).isFalse();
        Snapshot saved = new Snapshot();
        finisher.save(saved);
        saved.rewind();
        run();
        assertThat(finisher.hasRoom()).isTrue();
        assertThat(completions).hasSizeGreaterThan(20);
        finisher.load(saved);
        assertThat(finisher.hasRoom()).isFalse();
    }

    private static ResponseResult result(long entry, int offset, int length) {
        ResponseResult r = new ResponseResult();
        r.placeEntry = entry;
        r.placeOffset = offset;
        r.placeLength = length;
        return r;
    }

    /** Data of a READ go into the elements of its WQE, wherever the packet begins in them. */
    @ParameterizedTest
    @CsvSource({
        "0,10,'1000:10'",
        "90,30,'105a:10,2000:20'",
        "100,50,'2000:50'",
        "150,5,'4000:5'",
        "99,2,'1063:1,2000:1'"
    })
    void dataArePlacedInTheElements(int offset, int length, String wanted) {
        Wqe w = wqe(WqeOpcode.RDMA_READ, 0, true);
        long[] lengths = {100, 50, 0, 1000};
        for (int i = 0; i < 4; i++) {
            w.sgeVa[i] = 0x1000L * (i + 1);
            w.sgeLength[i] = (int) lengths[i];
            w.sgeLkey[i] = 0x500 + i;
        }
        w.sgeCount = 4;
        queue.setInFlight(admit(), w);
        RocePacket p = new RocePacket();
        p.psn = 12;
        p.journey = 9;
        byte[] data = new byte[length];
        for (int i = 0; i < length; i++) {
            data[i] = (byte) (i + 1);
        }
        p.payload.appendBytes(data, 0, length);
        finisher.place(queue, p, result(0, offset, length), sim.now());
        run();
        assertThat(String.join(
                        ",",
                        writes.stream()
                                .map(x -> Long.toHexString(x.address) + ":" + x.length)
                                .toList()))
                .isEqualTo(wanted);
        DmaWrite first = writes.get(0);
        assertThat(new long[] {first.part, first.cookie, first.journey, first.stage})
                .containsExactly(12, 0x77, 9, parts.journal().rxDma);
        assertThat(first.relaxed).isTrue();
        int next = 1;
        for (DmaWrite x : writes) {
            for (int i = 0; i < x.length; i++) {
                assertThat(x.data.byteAt(i)).isEqualTo((byte) next++);
            }
        }
    }

    /** The result of an atomic is written as the host has numbers: little end first. */
    @Test
    void anAtomicsResultIsEightBytes() {
        Wqe w = wqe(WqeOpcode.ATOMIC_FA, 0, true);
        w.sgeVa[0] = 0x1000;
        w.sgeLength[0] = 8;
        w.sgeCount = 1;
        queue.setInFlight(admit(), w);
        ResponseResult r = result(0, 0, 8);
        r.atomic = true;
        r.original = 0x0807_0605_0403_0201L;
        finisher.place(queue, new RocePacket(), r, sim.now());
        run();
        byte[] found = new byte[8];
        writes.get(0).data.copyTo(0, found, 0, 8);
        assertThat(found).containsExactly(1, 2, 3, 4, 5, 6, 7, 8);
        assertThat(writes.get(0).stage).as("nobody follows it").isZero();
    }

    @Test
    void dataForTheDevicesOwnMemoryStayInIt() {
        Allocation own = Objects.requireNonNull(parts.chipMemory().allocate(64));
        Wqe w = wqe(WqeOpcode.RDMA_READ, 0, true);
        w.sgeVa[0] = own.address();
        w.sgeLength[0] = 8;
        w.sgeCount = 1;
        queue.setInFlight(admit(), w);
        RocePacket p = new RocePacket();
        p.payload.appendBytes(new byte[] {7}, 0, 1);
        finisher.place(queue, p, result(0, 0, 1), sim.now());
        run();
        assertThat(writes).isEmpty();
        Payload found = new Payload();
        parts.chipMemory().read(own.address(), 1, found);
        assertThat(found.byteAt(0)).isEqualTo((byte) 7);
        assertThat(own.address()).isGreaterThanOrEqualTo(ChipMemory.BASE);
    }

    /** 256 KB may wait for PCIe. */
    @Test
    void moreIsNotPlacedWhileTooMuchWaits() {
        Wqe w = wqe(WqeOpcode.RDMA_READ, 0, true);
        w.sgeVa[0] = 0x1000;
        w.sgeLength[0] = 1 << 30;
        w.sgeCount = 1;
        queue.setInFlight(admit(), w);
        RocePacket p = new RocePacket();
        p.payload.appendZeros(4096);
        for (int i = 0; i < 64; i++) {
            assertThat(finisher.mayPlace()).isTrue();
            finisher.place(queue, p, result(0, 0, 4096), sim.now());
        }
        assertThat(finisher.mayPlace()).isFalse();
        run();
        assertThat(finisher.mayPlace()).as("it has been written").isTrue();
    }

    @Test
    void localWorkIsAskedForOnce() {
        Questions q = new Questions(parts);
        q.waitAt(engine.port);
        q.enableAt(engine.port);
        Wqe wait = wqe(WqeOpcode.WAIT, 0, false);
        wait.waitNumber = -3;
        wait.waitIndex = -4;
        q.ask(queue, wait, sim.now());
        q.ask(queue, wait, sim.now());
        run();
        assertThat(q.asked()).isEqualTo(1);
        assertThat(questions).contains(CqWriter.WAIT + " 0/-3 1/-4").hasSize(2);
        assertThat(queue.local.isIdle()).isFalse();
        queue.local.released(1, true);
        assertThat(queue.local.succeeded()).isTrue();
        Snapshot saved = new Snapshot();
        q.save(saved);
        saved.rewind();
        Questions copy = new Questions(parts);
        copy.load(saved);
        assertThat(copy.asked()).isEqualTo(1);
    }

    @Test
    void releasesGoToQueuesThatAreManaged() {
        Questions q = new Questions(parts);
        q.enableAt(engine.port);
        QpContext other = new QpContext(0x99, QpType.RC, 1, 0, 4, 0, 4, 16, 0, 5, 6);
        table.add(other);
        Wqe enable = wqe(WqeOpcode.SEND_EN, 0, false);
        enable.waitNumber = 0x99;
        enable.waitIndex = 0xABCD_0007;
        q.ask(queue, enable, sim.now());
        assertThat(queue.local.isOver()).isTrue();
        assertThat(queue.local.succeeded()).as("it is not managed").isFalse();
        queue.local.reset();
        other.managedSends = true;
        q.ask(queue, enable, sim.now());
        assertThat(queue.local.succeeded()).isTrue();
        run();
        assertThat(questions).contains(QpScheduler.ENABLE + " 0/1 0/7");
        queue.local.reset();
        other.closed = true;
        q.ask(queue, enable, sim.now());
        assertThat(queue.local.succeeded()).isFalse();
        queue.local.reset();
        enable.waitNumber = 0x55;
        q.ask(queue, enable, sim.now());
        assertThat(queue.local.succeeded()).as("there is none").isFalse();
    }

    @Test
    void keysChangeWhenAllEarlierWorkIsComplete() {
        Questions q = new Questions(parts);
        admit();
        Wqe bind = wqe(WqeOpcode.UMR, 0, false);
        q.ask(queue, bind, sim.now());
        assertThat(queue.local.isIdle()).as("a READ is in flight").isTrue();
        assertThat(q.asked()).isZero();
        queue.reported = 1;
        q.ask(queue, bind, sim.now());
        assertThat(queue.local.isIdle()).isFalse();
        assertThat(queue.local.isOver()).isFalse();
    }
}
