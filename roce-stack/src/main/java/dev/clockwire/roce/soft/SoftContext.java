package dev.clockwire.roce.soft;

import dev.clockwire.roce.transport.MemoryKey;
import dev.clockwire.roce.verbs.AddressVector;
import dev.clockwire.roce.verbs.Completion;
import dev.clockwire.roce.verbs.CompletionQueueProvider;
import dev.clockwire.roce.verbs.ContextProvider;
import dev.clockwire.roce.verbs.Errno;
import dev.clockwire.roce.verbs.MrKeys;
import dev.clockwire.roce.verbs.MrRange;
import dev.clockwire.roce.verbs.QpInit;
import dev.clockwire.roce.verbs.QueuePairProvider;
import dev.clockwire.roce.verbs.VerbsException;
import dev.clockwire.roce.wire.FlowAddress;
import dev.clockwire.sim.host.Cpu;

/** A device opened by the programs of one core. */
final class SoftContext implements ContextProvider {
    private final SoftDevice device;
    private final Cpu cpu;
    private int nextPd = 1;

    SoftContext(SoftDevice device, Cpu cpu) {
        this.device = device;
        this.cpu = cpu;
    }

    @Override
    public void allocPd(Completion<Integer> done) {
        int pd = nextPd++;
        device.command(() -> done.complete(pd));
    }

    @Override
    public void deallocPd(int pd, Completion<Integer> done) {
        device.command(() -> done.complete(pd));
    }

    @Override
    public void regMr(int pd, MrRange range, Completion<MrKeys> done) {
        device.command(() -> {
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
    public void deregMr(MrKeys keys, Completion<MrKeys> done) {
        device.command(() -> {
            MemoryKey region = device.keys().find(keys.lkey());
            if (region != null) {
                device.keys().remove(region);
            }
            done.complete(keys);
        });
    }

    @Override
    public void createCq(int cqe, Runnable events, Completion<CompletionQueueProvider> done) {
        device.command(() -> {
            SoftCompletionQueue cq = new SoftCompletionQueue(device.newCqn(), cqe, device, cpu);
            device.add(cq);
            done.complete(cq);
        });
    }

    @Override
    public void createQp(int pd, QpInit init, Completion<QueuePairProvider> done) {
        device.command(() -> {
            SoftCompletionQueue send = queue(init.sendCq().provider());
            SoftCompletionQueue receive = queue(init.recvCq().provider());
            int qpn = device.newQpn(init.gsi());
            if (qpn < 0) {
                done.fail(taken("create_qp", "queue pair number"));
                return;
            }
            SoftQueuePair qp = new SoftQueuePair(device, qpn, pd, init, send, receive, cpu);
            device.add(qp);
            done.complete(qp);
        });
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
        device.command(() -> {
            FlowAddress flow = new FlowAddress();
            if (device.resolve(to, 0, 0, flow)) {
                done.complete(flow);
            } else {
                done.fail(new VerbsException(Errno.ETIMEDOUT, "create_ah", "nobody has the address " + to.dgid()));
            }
        });
    }
}
