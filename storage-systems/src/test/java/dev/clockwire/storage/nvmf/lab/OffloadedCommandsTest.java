package dev.clockwire.storage.nvmf.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.offload.OffloadMemory.Place;
import dev.clockwire.nvme.ctrl.NvmeSpec;
import dev.clockwire.nvme.format.Opcodes;
import dev.clockwire.nvme.format.SqEntry;
import dev.clockwire.sim.KernelMode;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.sim.mem.Payload;
import dev.clockwire.storage.bdev.Bdev;
import dev.clockwire.storage.bdev.MallocBdev;
import dev.clockwire.storage.nvmf.initiator.InitiatorSpec;
import dev.clockwire.storage.nvmf.initiator.RemoteController;
import dev.clockwire.storage.nvmf.initiator.RemoteQueue;
import dev.clockwire.storage.nvmf.offload.NicOffload;
import dev.clockwire.storage.nvmf.subsystem.NamespaceSpec;
import dev.clockwire.storage.reactor.CoreMask;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Commands of all kinds to a target that executes them itself, and to one whose NIC does: hosts see the same. */
class OffloadedCommandsTest {
    private static final int BLOCK = 512;
    private static final int ROOM = 1 << 18;

    /** A command, and the bytes of its data. */
    private record Sent(SqEntry entry, int bytes) {}

    /** A target with two SSDs of two namespaces each, one of which is in the host's memory instead. */
    private static final class Rig {
        final NvmfLab lab;
        final RemoteQueue queue;
        final List<Integer> answers = new ArrayList<>();
        final Allocation data;

        Rig(boolean offload, KernelMode mode) {
            this(offload, Place.HOST, mode);
        }

        Rig(boolean offload, Place place, KernelMode mode) {
            dev.clockwire.nvme.ctrl.NamespaceSpec n = new dev.clockwire.nvme.ctrl.NamespaceSpec(BLOCK, 8192);
            NvmeSpec ssd = NvmeSpec.of("p5800x").withNamespaces(List.of(n, n));
            ssd = place == Place.HOST ? ssd : ssd.withControllerMemory(NicOffload.controllerMemory(64));
            NvmfLabSpec from = OffloadedTargetTest.spec(FaultPlan.NONE, 64);
            NvmfLabSpec spec = NvmfLabSpec.spdk(
                            from.profile(), from.lab().withKernel(SimSpec.of(1).withMode(mode)), List.of(ssd, ssd))
                    .withCores(CoreMask.first(1), CoreMask.first(1))
                    .withTransport(from.transport().withOffload(offload).withOffloadMemory(place))
                    .withTimes(from.times())
                    .withInitiator(InitiatorSpec.spdk(NvmfLabSpec.HOST).withQueues(1, 32));
            Function<Bdev, Bdev> layer =
                    b -> b.name().equals("Nvme0n2") ? new MallocBdev(b.bdevs(), "Malloc0", BLOCK, 8192) : b;
            lab = new NvmfLab(spec, layer);
            RemoteController c = new RemoteController(lab.host(), lab.address());
            queue = c.addQueue(lab.groups().get(0), (tag, status, result) -> answers.add(status));
            data = lab.lab().a().host().memory().allocate("data", ROOM, Allocation.Kind.BULK, 4096);
            boolean[] there = new boolean[2];
            lab.groups().get(0).register(data.address(), data.length()).whenDone(mr -> there[0] = true);
            lab.host().run(lab.host().main(), () -> c.start(() -> there[1] = true));
            lab.await(() -> there[0] && there[1], "a connection");
        }

        /** Sends a command, and returns its status when it has come. */
        int send(Sent s) {
            int before = answers.size();
            lab.host()
                    .run(
                            queue.group().thread(),
                            () -> assertThat(queue.submit(s.entry(), data.address(), s.bytes(), 0))
                                    .isTrue());
            lab.await(() -> answers.size() > before, "an answer");
            return answers.get(before);
        }

        void fill(int seed) {
            byte[] b = new byte[ROOM];
            for (int i = 0; i < b.length; i++) {
                b[i] = (byte) (i * 7 + (i >> 9) * 13 + seed);
            }
            lab.lab().a().host().memory().putBytes(data.address(), b, 0, b.length);
        }

        byte[] bytes(int n) {
            byte[] b = new byte[n];
            lab.lab().a().host().memory().getBytes(data.address(), b, 0, n);
            return b;
        }

        byte[] stored(int store, long lba, int blocks) {
            Payload p = new Payload();
            lab.stores().get(store).read(lba, blocks, p);
            byte[] b = new byte[blocks * BLOCK];
            p.copyTo(0, b, 0, b.length);
            return b;
        }

        long taken() {
            return Objects.requireNonNull(lab.offload()).block().taken();
        }
    }

    private static Sent io(int opcode, int nsid, long lba, int blocks, int bytes) {
        return new Sent(new SqEntry().command(opcode, 0, nsid).blocks(lba, blocks), bytes);
    }

    /** Right and wrong, what the NIC does and what it does not. */
    private static List<Sent> all() {
        List<Sent> list = new ArrayList<>();
        for (int nsid = 1; nsid <= 5; nsid++) {
            list.add(io(Opcodes.WRITE, nsid, 16, 8, 4096));
            list.add(io(Opcodes.WRITE, nsid, 64, 64, 32_768));
            list.add(io(Opcodes.READ, nsid, 16, 8, 4096));
            list.add(io(Opcodes.FLUSH, nsid, 0, 1, 0));
        }
        list.add(io(Opcodes.READ, 1, 8191, 1, 512));
        list.add(io(Opcodes.READ, 1, 8191, 2, 1024));
        list.add(io(Opcodes.WRITE, 1, -1, 1, 512));
        list.add(io(Opcodes.WRITE, 1, 8192, 1, 512));
        list.add(io(Opcodes.READ, 1, 0, 8, 4095));
        list.add(io(Opcodes.WRITE, 1, 0, 8, 2048));
        list.add(io(Opcodes.READ, 1, 0, 256, 131_072));
        list.add(io(Opcodes.READ, 1, 0, 257, 131_584));
        list.add(io(Opcodes.READ, 0, 0, 1, 512));
        list.add(io(Opcodes.READ, -1, 0, 1, 512));
        list.add(io(Opcodes.FLUSH, -1, 0, 1, 0));
        list.add(io(Opcodes.COMPARE, 1, 16, 8, 4096));
        list.add(io(Opcodes.COMPARE, 1, 17, 8, 4096));
        list.add(io(Opcodes.WRITE_ZEROES, 1, 18, 2, 0));
        list.add(io(Opcodes.WRITE_ZEROES, 3, 8192, 1, 0));
        list.add(io(0x99, 1, 0, 1, 512));
        list.add(io(0x85, 1, 0, 1, 512));
        list.add(io(Opcodes.READ, 1, 0, 1, 0));
        SqEntry fused = new SqEntry().command(Opcodes.READ, 0, 1).blocks(0, 1);
        fused.bytes()[1] = 2; // a second without its first
        list.add(new Sent(fused, 512));
        list.add(io(Opcodes.READ, 1, 16, 8, 4096));
        list.add(io(Opcodes.READ, 4, 64, 64, 32_768));
        return list;
    }

    @ParameterizedTest
    @EnumSource(Place.class)
    void hostsSeeTheSame(Place place) {
        Rig software = new Rig(false, KernelMode.ACTIVITY);
        Rig nic = new Rig(true, place, KernelMode.ACTIVITY);
        List<Sent> all = all();
        for (int i = 0; i < all.size(); i++) {
            Sent s = all.get(i);
            software.fill(i);
            nic.fill(i);
            assertThat(Integer.toHexString(nic.send(s)))
                    .as("command " + i)
                    .isEqualTo(Integer.toHexString(software.send(s)));
            assertThat(nic.bytes(ROOM)).as("data of command " + i).isEqualTo(software.bytes(ROOM));
            assertThat(nic.queue.sqHead()).as("head behind command " + i).isEqualTo(software.queue.sqHead());
        }
        for (int store : List.of(0, 2, 3)) {
            assertThat(nic.stored(store, 0, 256)).isEqualTo(software.stored(store, 0, 256));
        }
        // three namespaces of five on SSDs with four commands each, and six more of the others
        assertThat(nic.taken()).isBetween(15L, 18L);
        assertThat(Objects.requireNonNull(nic.lab.offload()).block().failures()).isZero();
    }

    @ParameterizedTest
    @EnumSource(Place.class)
    void modesTakeTheSameTime(Place place) {
        List<Long> ends = new ArrayList<>();
        for (KernelMode m : List.of(KernelMode.ACTIVITY, KernelMode.EXHAUSTIVE)) {
            Rig r = new Rig(true, place, m);
            for (int i = 0; i < 6; i++) {
                r.send(all().get(i));
            }
            ends.add(r.lab.sim().now());
        }
        assertThat(ends.get(1)).isEqualTo(ends.get(0));
    }

    /** A namespace that goes is the NIC's no more; the others are. */
    @ParameterizedTest
    @EnumSource(Place.class)
    void namespacesComeAndGo(Place place) {
        Rig r = new Rig(true, place, KernelMode.ACTIVITY);
        r.fill(1);
        assertThat(r.send(io(Opcodes.WRITE, 3, 0, 8, 4096))).isZero();
        assertThat(r.send(io(Opcodes.READ, 3, 0, 8, 4096))).isZero();
        long taken = r.taken();
        var subsystem = r.lab.target().subsystem(NvmfLabSpec.SUBSYSTEM);
        Bdev gone = Objects.requireNonNull(subsystem.namespace(3)).bdev();
        subsystem.removeNamespace(3);
        r.lab.sim().run(r.lab.sim().now() + OffloadedTargetTest.MS);
        assertThat(r.send(io(Opcodes.READ, 3, 0, 8, 4096)) & 0xFF).isEqualTo(0x0B);
        assertThat(r.send(io(Opcodes.READ, 4, 0, 8, 4096))).isZero();
        assertThat(r.taken()).isEqualTo(taken + 1);
        subsystem.addNamespace(gone, NamespaceSpec.of(3));
        r.lab.sim().run(r.lab.sim().now() + OffloadedTargetTest.MS);
        assertThat(r.send(io(Opcodes.READ, 3, 0, 8, 4096))).isZero();
        assertThat(r.taken()).isEqualTo(taken + 2);
    }
}
