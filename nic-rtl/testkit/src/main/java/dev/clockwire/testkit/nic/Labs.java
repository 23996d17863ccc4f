package dev.clockwire.testkit.nic;

import dev.clockwire.nic.profile.Profile;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.verbs.Mtu;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/** Generators of verbs programs and of legal hardware. */
public final class Labs {
    private static final int MAX_LENGTH = 70_000;

    private Labs() {}

    /** Returns random programs of every service. */
    public static Arbitrary<ProgramSpec> programs() {
        Arbitrary<Long> seeds = Arbitraries.longs().between(0, 1L << 40);
        Arbitrary<QpType> types = Arbitraries.frequencyOf(
                net.jqwik.api.Tuple.of(3, Arbitraries.just(QpType.RC)),
                net.jqwik.api.Tuple.of(1, Arbitraries.of(QpType.UC, QpType.UD)));
        Arbitrary<Mtu> mtus = Arbitraries.of(Mtu.values());
        Arbitrary<Integer> qps = Arbitraries.integers().between(1, 4);
        Arbitrary<Integer> works = Arbitraries.integers().between(1, 40);
        Arbitrary<Integer> depths = Arbitraries.of(1, 2, 3, 5, 16, 64);
        Arbitrary<Integer> lengths = Arbitraries.of(100, 3000, 9000, MAX_LENGTH);
        Arbitrary<Integer> switches = Arbitraries.integers().between(0, 63);
        return Combinators.combine(seeds, types, mtus, qps, works, depths, lengths, switches)
                .as((seed, type, mtu, n, each, depth, longest, bits) -> ProgramSpec.of(seed, type)
                        .withSize(n, each * 3000 > 10 * longest ? each : Math.min(each, 12))
                        .withShape(mtu, depth, longest)
                        .with((bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0 && type == QpType.RC)
                        .withExtras(bits >> 3));
    }

    /** Returns the built-in profiles and, from them, hardware with a few parameters changed within what is allowed. */
    public static Arbitrary<Profile> profiles() {
        Arbitrary<Profile> base = Arbitraries.of(Profiles.all());
        Arbitrary<List<String>> changes =
                Arbitraries.of(settings()).list().uniqueElements().ofMaxSize(5);
        return Combinators.combine(base, changes).as((profile, list) -> {
            Profile p = profile.with("pcie.mps_supported", "4096"); // so that any payload can be set
            for (String s : list) {
                p = p.with(s.substring(0, s.indexOf('=')), s.substring(s.indexOf('=') + 1));
            }
            return p;
        });
    }

    private static List<String> settings() {
        List<String> all = new ArrayList<>();
        add(all, "pcie.generation", "1", "3", "5");
        add(all, "pcie.lanes", "1", "4", "16");
        add(all, "pcie.mps", "128", "1024", "4096");
        add(all, "pcie.mrrs", "128", "1024", "4096");
        add(all, "pcie.rcb", "64", "128", "mps");
        add(all, "pcie.tags", "1", "4", "768");
        add(all, "pcie.credits.posted_headers", "1", "4");
        add(all, "pcie.credits.nonposted_headers", "1");
        add(all, "pcie.ber", "1e-6");
        add(all, "nic.core_mhz", "50", "331", "2000");
        add(all, "nic.datapath_bytes", "32", "512");
        add(all, "nic.blueflame", "true", "false");
        add(all, "nic.doorbell.carries_pi", "true", "false");
        add(all, "nic.doorbell.cycles", "1", "60");
        add(all, "nic.sched.policy", "wrr", "strict");
        add(all, "nic.sched.ahead", "1", "3", "64");
        add(all, "nic.cqe.compression", "all");
        add(all, "nic.int.moderation", "true");
        add(all, "nic.wqe.outstanding_fetches", "1", "2", "256");
        add(all, "nic.wqe.fetch_batch", "1", "2", "16");
        add(all, "nic.wqe.parse_cycles", "1", "70");
        add(all, "nic.lookup.qpc_cycles", "1", "100");
        add(all, "nic.lookup.eec_cycles", "0", "5");
        add(all, "nic.lookup.mtt_cycles", "0", "12");
        add(all, "nic.cache.qpc_entries", "4", "16");
        add(all, "nic.cache.qpc_shared", "true");
        add(all, "nic.cache.cqc_entries", "4", "16");
        add(all, "nic.cache.mpt_entries", "4", "16");
        add(all, "nic.cache.mtt_entries", "4", "16", "64");
        add(all, "nic.cache.mtt_page", "65536", "2097152");
        add(all, "nic.cache.mtt_prefetch", "false");
        add(all, "nic.cache.wqe_entries", "1", "5", "64");
        add(all, "nic.cache.replacement", "random");
        add(all, "nic.cache.ports", "1");
        add(all, "nic.cache.misses", "1", "2", "64");
        add(all, "nic.dma.payload_outstanding_reads", "1", "2", "1024");
        add(all, "nic.dma.store_and_forward", "packet", "message");
        add(all, "nic.dma.buffer_packets", "1", "2", "4096");
        add(all, "nic.qp.wqe_interval_cycles", "1", "200");
        add(all, "nic.qp.max_rd_atomic", "1", "2");
        add(all, "nic.qp.credits", "true");
        add(all, "nic.qp.refuse_excess_reads", "false");
        add(all, "nic.tx.icrc_cycles", "0", "200");
        add(all, "nic.mac.cut_through", "true", "false");
        add(all, "nic.mac.threshold_beats", "1", "64");
        add(all, "nic.mac.crossing_cycles", "0");
        add(all, "nic.rx.crossing_cycles", "1", "16");
        add(all, "nic.rx.parse_cycles", "1", "150");
        add(all, "nic.rx.ack_cycles", "1", "300");
        add(all, "nic.atomic.cycles", "1", "300");
        add(all, "nic.completion.cycles", "1", "300");
        add(all, "link.gbps", "1", "10", "1600");
        add(all, "link.phy_ns", "0", "5000");
        add(all, "link.cable_ns", "0", "20000");
        return all;
    }

    private static void add(List<String> all, String path, String... values) {
        for (String value : values) {
            all.add(path + "=" + value);
        }
    }
}
