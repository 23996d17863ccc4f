package dev.clockwire.testkit.nic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.lab.Lab;
import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.transport.WcStatus;
import dev.clockwire.roce.transport.WrOpcode;
import dev.clockwire.roce.verbs.Mtu;
import dev.clockwire.sim.KernelMode;
import dev.clockwire.sim.LoopKind;
import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.sim.mem.PayloadMode;
import java.util.ArrayList;
import java.util.List;

/** Many queue pairs, each with its own queues, on a chip that holds only some contexts of one kind. */
final class ContextRounds {
    /** Turns of all queue pairs. */
    static final int ROUNDS = 20;

    private ContextRounds() {}

    /** Builds a lab whose devices hold some contexts: {@code qpc} or {@code cqc}. */
    static Lab lab(String kind, int entries, int ways, KernelMode mode) {
        LabSpec spec = new LabSpec(1, mode, LoopKind.AUTO, PayloadMode.BYTES, true, 0);
        return Lab.twoHosts(
                Profiles.named("cx7-400g")
                        .with("nic.cache." + kind + "_entries", Integer.toString(entries))
                        .with("nic.cache." + kind + "_ways", Integer.toString(ways)),
                spec);
    }

    static List<Pair> pairs(Lab lab, int n) {
        List<Pair> all = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            all.add(new Pair(lab, QpType.RC, Mtu.MTU_1024, Allocation.Kind.REAL));
        }
        return all;
    }

    /** One WRITE of each pair in turn, each waited for; returns what that took in ps. */
    static long rounds(Lab lab, List<Pair> pairs) {
        long start = lab.sim().now();
        for (int r = 0; r < ROUNDS; r++) {
            for (Pair p : pairs) {
                new Posts(p.a, p.b).post(WrOpcode.RDMA_WRITE, 64);
                assertThat(p.next(p.a).status).isEqualTo(WcStatus.SUCCESS);
            }
        }
        return lab.sim().now() - start;
    }

    /** Returns a reading of the client's lookup of a kind. */
    static long reading(Lab lab, String kind, String name) {
        return lab.sim().stats().value(lab.a().nic().path() + "." + kind + "Lookup." + name);
    }
}
