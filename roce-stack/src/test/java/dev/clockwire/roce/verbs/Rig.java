package dev.clockwire.roce.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.roce.transport.AccessFlag;
import dev.clockwire.roce.transport.QpState;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.sim.host.ZeroCostCpu;
import dev.clockwire.sim.mem.AddressSpace;
import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.sim.mem.PayloadMode;
import java.util.EnumSet;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** A context on a fake device with one of everything. */
final class Rig {
    static final int BUFFER = 8192;
    static final Set<AccessFlag> ALL = EnumSet.of(
            AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ, AccessFlag.REMOTE_ATOMIC);

    final FakeProvider provider = new FakeProvider();
    final Device device = new Device(provider);
    final AddressSpace memory = new AddressSpace("host", PayloadMode.BYTES);
    final Allocation buffer = memory.allocate("buffer", BUFFER, Allocation.Kind.REAL);
    final Context context = device.open(new ZeroCostCpu("cpu0", memory, () -> 0, (ps, address, data, off, len) -> {}));
    final ProtectionDomain pd = context.allocPd().get();
    final CompletionQueue cq = context.createCq(100).get();
    final MemoryRegion mr = pd.regMr(buffer.address(), BUFFER, ALL).get();

    QueuePair qp(QpType type) {
        return pd.createQp(QpInit.of(type, cq, new QpCapabilities(4, 4, 2, 2, 64)))
                .get();
    }

    FakeProvider.FakeQueue queue() {
        return provider.queues.get(provider.queues.size() - 1);
    }

    static QpAttributes toInit(QpType type) {
        QpAttributes x = new QpAttributes().state(QpState.INIT).pkeyIndex(0).port(1);
        return type == QpType.UD ? x.qkey(0x1111) : x.access(EnumSet.of(AccessFlag.REMOTE_WRITE));
    }

    static QpAttributes toRtr(QpType type) {
        QpAttributes x = new QpAttributes().state(QpState.RTR);
        if (type != QpType.UD) {
            x.addressVector(AddressVector.to(Gid.ofIpv4(0x0A000002)))
                    .pathMtu(Mtu.MTU_1024)
                    .destQpn(0x77)
                    .rqPsn(5);
        }
        return type == QpType.RC ? x.maxDestRdAtomic(16).minRnrTimer(12) : x;
    }

    static QpAttributes toRts(QpType type) {
        QpAttributes x = new QpAttributes().state(QpState.RTS).sqPsn(9);
        return type == QpType.RC ? x.timeout(14).retryCount(7).rnrRetry(7).maxRdAtomic(16) : x;
    }

    QueuePair ready(QpType type) {
        QueuePair qp = qp(type);
        qp.modify(toInit(type)).get();
        qp.modify(toRtr(type)).get();
        qp.modify(toRts(type)).get();
        return qp;
    }

    ScatterGather sge(long length) {
        return ScatterGather.of(mr, 0, length);
    }

    static void refused(ThrowingCallable call, Errno errno, String message) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(errno))
                .hasMessage(message);
    }
}
