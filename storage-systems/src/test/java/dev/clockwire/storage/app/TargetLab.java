package dev.clockwire.storage.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.lab.Lab;
import dev.clockwire.nic.lab.LabHost;
import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.nvme.ctrl.NamespaceSpec;
import dev.clockwire.nvme.ctrl.NvmeController;
import dev.clockwire.nvme.ctrl.NvmeSpec;
import dev.clockwire.nvme.format.Opcodes;
import dev.clockwire.nvme.store.MemoryStore;
import dev.clockwire.roce.cm.CmTimes;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.sim.mem.PayloadMode;
import dev.clockwire.storage.nvmf.initiator.InitiatorSpec;
import dev.clockwire.storage.nvmf.initiator.NvmfHost;
import dev.clockwire.storage.nvmf.initiator.PollGroup;
import dev.clockwire.storage.nvmf.initiator.RemoteController;
import dev.clockwire.storage.nvmf.initiator.RemoteQueue;
import dev.clockwire.storage.nvmf.initiator.SubsystemAddress;
import dev.clockwire.storage.reactor.CoreMask;
import dev.clockwire.storage.reactor.MsgFn;
import dev.clockwire.storage.reactor.ReactorSpec;
import dev.clockwire.storage.reactor.Reactors;
import dev.clockwire.storage.reactor.StorageThread;
import dev.clockwire.storage.rpc.JsonValue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A process with an SSD and a NIC on the second of two hosts, and an initiator on the first. */
final class TargetLab {
    private static final String HOST = "nqn.2014-08.org.nvmexpress:uuid:11111111-2222-3333-4444-555555555555";
    private static final long SECOND = 1_000_000_000_000L;
    private static final int IO = 4096;

    final Lab lab;
    final StorageApp app;
    private final List<NvmeController> ssds = new ArrayList<>();
    private final List<Reactors> reactors = new ArrayList<>();
    private final List<Runnable> jobs = new ArrayList<>();
    private final List<String> ended = new ArrayList<>();
    private final StorageThread main;
    private final MsgFn job;
    private final NvmfHost host;
    private final PollGroup group;
    private final RemoteController controller;
    private final RemoteQueue queue;
    private boolean ready;
    private long va;

    TargetLab() {
        LabSpec spec = LabSpec.of(1).withKernel(SimSpec.of(1).withWatchdogPs(0)).withPayload(PayloadMode.BYTES);
        lab = Lab.twoHosts(Profiles.named(Profiles.DEFAULT), spec, (sim, a, b) -> {
            ssds.add(ssd(b));
            reactors.add(new Reactors(a.host(), CoreMask.first(1), ReactorSpec.server()));
        });
        Reactors own = reactors.get(0);
        main = own.thread("app");
        job = own.function("job", (i, x) -> jobs.get((int) i).run());
        host = new NvmfHost(own, lab.a().device(), main, InitiatorSpec.spdk(HOST));
        group = host.group(main, 2048);
        controller = new RemoteController(
                host, new SubsystemAddress("10.0.0.2", SubsystemAddress.PORT, "nqn.2016-06.io.spdk:cnode1"));
        queue = controller.addQueue(group, (tag, status, result) -> ended.add(tag + ":" + status));
        Machine.Ssd place =
                new Machine.Ssd("0000:3b:00.0", ssds.get(0).endpoint().barAddress(0));
        app = new StorageApp(
                new Machine(lab.b().host(), List.of(lab.b().device()), List.of(place)), AppSpec.on(CoreMask.first(1)));
    }

    private static NvmeController ssd(LabHost on) {
        NvmeSpec spec = NvmeSpec.of("null");
        NamespaceSpec n = spec.namespaces().get(0);
        NvmeController c = new NvmeController(
                on.host().sim().root(),
                "ssd0",
                spec,
                0x3b00,
                List.of(new MemoryStore("ns1", n.blockBytes(), n.blocks(), PayloadMode.BYTES)));
        on.host().attach(c.endpoint(), 0);
        return c;
    }

    private void on(Runnable what) {
        jobs.add(what);
        main.sendMsg(job, jobs.size() - 1L, 0);
    }

    /** Connects the initiator. */
    void connect() {
        long[] data = new long[1];
        host.open(new CmTimes(12, 3, 12), lab.sim().random("cm.host0"), () -> {
            Allocation d = lab.a().host().memory().allocate("data", 1 << 16, Allocation.Kind.REAL, IO);
            data[0] = d.address();
            group.register(d.address(), d.length()).whenDone(mr -> on(() -> controller.start(() -> ready = true)));
        });
        boolean there = lab.sim().runUntil(() -> ready, lab.sim().now() + 10 * SECOND);
        assertThat(there).as(controller.stage() + " " + controller.failure()).isTrue();
        va = data[0];
    }

    /** Writes some I/Os of 4 KiB, each in another place, and reads them back. */
    void writeAndReadBack(int count) {
        for (int i = 0; i < count; i++) {
            byte[] sent = new byte[IO];
            Arrays.fill(sent, (byte) (17 + i));
            lab.a().host().memory().putBytes(va, sent, 0, IO);
            transfer(Opcodes.WRITE, 8L * i, va);
            transfer(Opcodes.READ, 8L * i, va + IO);
            byte[] got = new byte[IO];
            lab.a().host().memory().getBytes(va + IO, got, 0, IO);
            assertThat(got).isEqualTo(sent);
        }
    }

    private void transfer(int opcode, long lba, long at) {
        assertThat(status(opcode, lba, at)).isEqualTo("1:0");
    }

    private String status(int opcode, long lba, long at) {
        int before = ended.size();
        on(() -> assertThat(queue.transfer(opcode, 1, lba, 8, at, IO, 1)).isTrue());
        assertThat(lab.sim().runUntil(() -> ended.size() > before, lab.sim().now() + SECOND))
                .isTrue();
        return ended.get(before);
    }

    /** Reads the first 4 KiB and returns the status. */
    int read() {
        return Integer.parseInt(status(Opcodes.READ, 0, va).substring(2));
    }

    /** Returns CSTS.SHST of the SSD. */
    long shutdownStatus() {
        return ssds.get(0).registers().read(0x1C, 4) >>> 2 & 3;
    }

    JsonValue ok(String method, JsonValue.Obj params) {
        JsonValue.Obj answer = app.call(method, params);
        JsonValue result = answer.find("result");
        assertThat(result).as(answer.text()).isNotNull();
        return result == null ? JsonValue.Null.VALUE : result;
    }

    JsonValue ok(String method, JsonValue.Builder params) {
        return ok(method, params.done());
    }

    JsonValue ok(String method) {
        return ok(method, JsonValue.object());
    }

    void fails(int code, String words, String method, JsonValue.Builder params) {
        assertThat(app.call(method, params.done()).text())
                .contains("\"code\":" + code + ",")
                .contains(words);
    }
}
