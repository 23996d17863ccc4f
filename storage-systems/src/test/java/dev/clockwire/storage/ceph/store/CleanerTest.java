package dev.clockwire.storage.ceph.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.nvme.ctrl.NamespaceSpec;
import dev.clockwire.nvme.ctrl.NvmeSpec;
import dev.clockwire.roce.soft.SoftSpec;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.mem.Payload;
import dev.clockwire.sim.mem.PayloadMode;
import dev.clockwire.storage.cluster.Cluster;
import dev.clockwire.storage.cluster.ClusterSpec;
import dev.clockwire.storage.cluster.Disk;
import dev.clockwire.storage.cluster.DiskKind;
import dev.clockwire.storage.cluster.Node;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** A store that is written over and over on a small disk: nothing that lives is lost, and space comes back. */
class CleanerTest {
    private static final int SIZE = 60 * 1024;
    private static final int MIB = 1 << 20;

    /** A store on a disk of 16 MiB: 16 segments of 1 MiB, each for 16 objects. */
    private static final class Rig {
        final Cluster cluster;
        final PgDisk pg = new PgDisk();
        final List<SeaStoreLite> stores = new ArrayList<>();
        long version;

        Rig() {
            NvmeSpec ssd = NvmeSpec.of("p5800x")
                    .withNamespaces(List.of(new NamespaceSpec(Disk.BLOCK, 16L * MIB / Disk.BLOCK)));
            LabSpec lab = new LabSpec(SimSpec.of(1), PayloadMode.SIZES, 0).withSoft(SoftSpec.usual());
            cluster = new Cluster(
                    ClusterSpec.of(Profiles.named("cx7-400g"), lab, 1, 1).withDisk(ssd, DiskKind.MEDIA));
            node().run(n -> stores.add(new SeaStoreLite(n, List.of(pg))));
            cluster.boot();
            cluster.await(() -> !stores.isEmpty(), "a store");
        }

        Node node() {
            return cluster.nodes().get(0);
        }

        SeaStoreLite store() {
            return stores.get(stores.size() - 1);
        }

        void write(long... oids) {
            int[] left = {oids.length};
            node().worker(0)
                    .post(
                            (a, b) -> {
                                for (long oid : oids) {
                                    Payload p = new Payload();
                                    p.appendExtent(3, ++version, 0, SIZE);
                                    store().write(
                                                    pg,
                                                    oid,
                                                    version,
                                                    p,
                                                    p.digest(),
                                                    new LogEntry(version, oid, 1, version),
                                                    () -> left[0]--);
                                }
                            },
                            0,
                            0);
            cluster.await(() -> left[0] == 0, "writes");
        }

        void check(int objects) {
            assertThat(pg.objects()).hasSize(objects);
            for (StoredObject o : List.copyOf(pg.objects())) {
                Payload[] got = new Payload[1];
                node().worker(0).post((a, b) -> store().read(o, p -> got[0] = p), 0, 0);
                cluster.await(() -> got[0] != null, "a read");
                assertThat(Objects.requireNonNull(got[0]).digest())
                        .as(o.toString())
                        .isEqualTo(o.digest());
            }
        }
    }

    private static long[] range(int from, int to, int step) {
        return java.util.stream.LongStream.iterate(from, i -> i < to, i -> i + step)
                .toArray();
    }

    /** Each segment keeps one object that is never written again, so none empties by itself. */
    @Test
    void whatLivesIsMovedTogether() {
        Rig rig = new Rig();
        for (int cold = 0; cold < 40; cold++) {
            long[] some = range(1000, 1015, 1);
            rig.write(some);
            rig.write(cold);
        }
        rig.check(40 + 15);
        assertThat(rig.store().moved()).isGreaterThanOrEqualTo(20);
        assertThat(rig.store().freeSegments()).isGreaterThanOrEqualTo(2);
        assertThat(rig.pg.log()).hasSize(40 * 16);
    }

    @Test
    void nothingIsMovedWhileThereIsRoom() {
        Rig rig = new Rig();
        for (int i = 0; i < 40; i++) {
            rig.write(range(0, 16, 1));
        }
        rig.check(16);
        assertThat(rig.store().moved()).isZero();
    }

    /** The disk loses its program while objects are being moved: they are at the old place or at the new one. */
    @Test
    void aCrashWhileMovingLosesNothing() {
        for (int us = 20; us < 400; us += 40) {
            Rig rig = new Rig();
            for (int cold = 0; rig.store().moved() == 0; cold++) {
                rig.write(range(1000, 1015, 1));
                rig.write(cold);
            }
            int objects = rig.pg.objects().size();
            rig.cluster.sim().run(rig.cluster.sim().now() + us * 1_000_000L);
            rig.node().boot();
            rig.cluster.await(() -> rig.stores.size() == 2, "a second store");
            rig.check(objects);
            rig.write(range(1000, 1015, 1));
            rig.check(objects);
        }
    }

    @Test
    void aDiskThatIsFullOfWhatLivesSaysSo() {
        Rig rig = new Rig();
        assertThatThrownBy(() -> {
                    for (int i = 0; i < 300; i += 10) {
                        rig.write(range(i, i + 10, 1));
                    }
                })
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("is full");
        assertThat(rig.pg.objects()).hasSizeGreaterThan(200);
    }
}
