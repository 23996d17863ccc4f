package dev.clockwire.storage.offload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.offload.OffloadMemory.Place;
import dev.clockwire.nvme.format.Opcodes;
import dev.clockwire.sim.KernelMode;
import dev.clockwire.sim.mem.Payload;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Commands and data of the offload pass through memory of the SSD, from device to device. */
class OffloadPeerTest {
    private static final int COUNT = 20;

    private static long stat(OffloadRig r, String name) {
        return r.lab.sim().stats().value(name);
    }

    /** Bytes that have gone to the second host's memory, and that have come from there. */
    private static long hostBytes(OffloadRig r) {
        return stat(r, "host1.pcieSwitch.up.data_bytes") + stat(r, "host1.root.port0Down.data_bytes");
    }

    @Test
    void readsAndWritesOfAllSizesMoveTheRightBytes() {
        OffloadRig r = new OffloadRig(true).byNic(Place.CONTROLLER);
        Initiator i = r.run(30, 150, (c, n, va, key) -> {
            int blocks = 1 + n * 29 % 128;
            byte[] data = new byte[8 * OffloadRig.BLOCK];
            Arrays.fill(data, (byte) n);
            boolean writes = n % 2 == 0;
            if (writes) {
                r.lab.a().host().memory().putBytes(va, data, 0, data.length);
            }
            OffloadTest.read(c, writes ? 8L * n : 3000 + n, writes ? 8 : blocks, va, key);
            c[0] = (byte) (writes ? Opcodes.WRITE : Opcodes.READ);
        });
        assertThat(i.failures).isEmpty();
        assertThat(i.responses).hasSize(150).allMatch(a -> a.status() == 0);
        for (int n = 0; n < 150; n += 2) {
            Payload p = new Payload();
            r.stores.get(0).read(8L * n, 8, p);
            for (int at = 0; at < 8 * OffloadRig.BLOCK; at++) {
                assertThat(p.byteAt(at)).as("command " + n).isEqualTo((byte) n);
            }
        }
        OffloadRig again = new OffloadRig(true).byNic(Place.CONTROLLER);
        for (int blocks : new int[] {1, 8, 9, 64, 128}) {
            Initiator one = again.run(1, 1, (c, n, va, key) -> OffloadTest.read(c, 40, blocks, va, key));
            OffloadTest.check(again, one, 0, 40, blocks);
        }
        assertThat(OffloadTest.block(r).failures()).isZero();
    }

    /** What each I/O of some blocks takes, and how many bytes of it the host's memory sees. */
    private record Cost(double latencyPs, double hostBytes, double peerPackets) {}

    private static Cost cost(Place place, int opcode, int blocks) {
        OffloadRig r = new OffloadRig(true).byNic(place);
        long host = hostBytes(r);
        long peer = Objects.requireNonNull(r.lab.b().pcieSwitch()).peerToPeer();
        Initiator i = r.run(1, COUNT, (c, n, va, key) -> {
            OffloadTest.read(c, 8L * n, blocks, va, key);
            c[0] = (byte) opcode;
        });
        assertThat(i.failures).isEmpty();
        assertThat(i.responses).allMatch(a -> a.status() == 0);
        double mean = i.responses.stream()
                .mapToLong(Initiator.Response::latencyPs)
                .average()
                .orElseThrow();
        long peers = Objects.requireNonNull(r.lab.b().pcieSwitch()).peerToPeer() - peer;
        return new Cost(mean, (double) (hostBytes(r) - host) / COUNT, (double) peers / COUNT);
    }

    /** Through the host each byte goes there and back; through the SSD the host sees work requests and records of the queue pair only. */
    @Test
    void theHostsMemorySeesNoData() {
        for (int opcode : new int[] {Opcodes.READ, Opcodes.WRITE}) {
            Cost host = cost(Place.HOST, opcode, 8);
            Cost peer = cost(Place.CONTROLLER, opcode, 8);
            assertThat(host.hostBytes).isBetween(8192.0 + 64, 8192.0 + 512);
            assertThat(peer.hostBytes).isLessThan(256);
            // 4 KiB in packets of 256 bytes once over PCIe, not twice
            assertThat(peer.peerPackets - host.peerPackets).isBetween(16.0, 30.0);
            assertThat(peer.latencyPs).isLessThan(host.latencyPs);
        }
    }

    @Test
    void bothKernelModesTakeTheSameTime() {
        List<List<Initiator.Response>> all = new ArrayList<>();
        for (KernelMode mode : List.of(KernelMode.ACTIVITY, KernelMode.EXHAUSTIVE)) {
            OffloadRig r = new OffloadRig(true, mode).byNic(Place.CONTROLLER);
            all.add(r.run(4, 12, (c, n, va, key) -> {
                        OffloadTest.read(c, 16 + n, 8, va, key);
                        c[0] = (byte) (n % 3 == 0 ? Opcodes.WRITE : Opcodes.READ);
                    })
                    .responses);
        }
        assertThat(all.get(0)).hasSize(12).isEqualTo(all.get(1));
    }
}
