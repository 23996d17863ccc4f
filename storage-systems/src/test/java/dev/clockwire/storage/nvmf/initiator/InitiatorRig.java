package dev.clockwire.storage.nvmf.initiator;

import dev.clockwire.nic.lab.Lab;
import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.roce.cm.CmTimes;
import dev.clockwire.roce.soft.SoftSpec;
import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.storage.reactor.CoreMask;
import dev.clockwire.storage.reactor.ReactorSpec;
import dev.clockwire.storage.reactor.Reactors;
import dev.clockwire.storage.reactor.StorageThread;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A lab whose first host is an initiator on one reactor. */
final class InitiatorRig {
    static final long MS = 1_000_000_000L;
    static final String HOST_NQN = "nqn.2014-08.org.nvmexpress:uuid:11111111-2222-3333-4444-555555555555";
    static final SubsystemAddress WHERE =
            new SubsystemAddress("10.0.0.2", SubsystemAddress.PORT, "nqn.2024-01.example:rxe");
    /** 17 ms, 3 times. */
    static final CmTimes QUICK = new CmTimes(12, 3, 12);

    final Lab lab;
    final InitiatorSpec spec;
    final List<String> ended = new ArrayList<>();

    @Nullable
    Reactors reactors;

    @Nullable
    NvmfHost host;

    @Nullable
    RemoteController controller;

    @Nullable
    Allocation data;

    int ready;

    InitiatorRig(boolean soft, LabSpec given, InitiatorSpec spec, int queues) {
        this.spec = spec;
        LabSpec labSpec = soft ? given.withSoft(SoftSpec.usual()) : given;
        lab = Lab.twoHosts(Profiles.named("cx7-400g"), labSpec, (sim, a, b) -> {
            Reactors r = new Reactors(a.host(), CoreMask.first(1), ReactorSpec.server());
            reactors = r;
            StorageThread main = r.thread("app");
            NvmfHost h = new NvmfHost(r, a.device(), main, spec);
            host = h;
            PollGroup group = h.group(main, 2048);
            RemoteController c = new RemoteController(h, WHERE);
            controller = c;
            for (int i = 0; i < queues; i++) {
                int id = i + 1;
                c.addQueue(
                        group, (tag, status, result) -> ended.add(id + ":" + tag + ":" + Integer.toHexString(status)));
            }
        });
    }

    NvmfHost host() {
        return Objects.requireNonNull(host);
    }

    RemoteController controller() {
        return Objects.requireNonNull(controller);
    }

    long va(int at) {
        return Objects.requireNonNull(data).address() + at;
    }

    /** Opens the device and starts the controller. */
    InitiatorRig start() {
        host().open(QUICK, lab.sim().random("cm.host0"), () -> {
            Allocation d = lab.a().host().memory().allocate("data", 1 << 20, Allocation.Kind.BULK, 4096);
            data = d;
            host().groups()
                    .get(0)
                    .register(d.address(), d.length())
                    .whenDone(mr -> on(() -> controller().start(() -> ready++)));
        });
        return this;
    }

    void on(Runnable what) {
        host().on(host().main(), what);
    }

    boolean until(long ms, BooleanSupplier done) {
        return lab.sim().runUntil(done, lab.sim().now() + ms * MS);
    }

    InitiatorRig ready() {
        start();
        if (!until(10_000, () -> ready > 0)) {
            throw new AssertionError(controller().stage() + " " + controller().failure());
        }
        return this;
    }

    byte[] bytes(int at, int length) {
        byte[] b = new byte[length];
        lab.a().host().memory().getBytes(va(at), b, 0, length);
        return b;
    }
}
