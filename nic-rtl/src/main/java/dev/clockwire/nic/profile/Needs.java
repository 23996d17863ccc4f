package dev.clockwire.nic.profile;

import static dev.clockwire.nic.profile.Need.elsewhere;
import static dev.clockwire.nic.profile.Need.is;
import static dev.clockwire.nic.profile.Need.not;
import static dev.clockwire.nic.profile.Need.part;
import static dev.clockwire.nic.profile.Need.some;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** What each parameter needs before it can change anything: values of others, and parts of the run. */
final class Needs {
    private static final String DCQCN = "nic.rate.dcqcn";
    private static final Need CACHES = some("nic.cache.qpc_entries")
            .or(some("nic.cache.cqc_entries"))
            .or(some("nic.cache.mpt_entries"))
            .or(some("nic.cache.mtt_entries"))
            .or(some("nic.cache.wqe_entries"))
            .called(
                    "every table is on the chip",
                    "-P nic.cache.qpc_entries=N (or cqc_entries, mpt_entries, mtt_entries, wqe_entries)");
    private static final Need PAGES = is("host.iommu.enabled", "true")
            .or(some("nic.cache.mtt_entries"))
            .or(some("host.reg.pin_page_ns"))
            .or(some("host.reg.mtt_entry_ns"))
            .called("nobody looks at pages", "-P host.iommu.enabled=true or -P nic.cache.mtt_entries=N");

    /** In the order in which they are told: a run without NICs comes first. */
    private static final List<Rule> RULES = List.of(
            rule(part(RunPart.NIC), "nic.", "pcie.", "host.")
                    .except("host.cpu.post_ns", "host.cpu.doorbell_ns", "host.cpu.poll_ns", "host.cpu.cqe_ns")
                    .except("host.cpu.interrupt_ns", "host.numa.", "host.isolcpus", "host.sched.")
                    .except("nic.qp.max_rd_atomic", "nic.pfc.classes", "nic.pause.global", "host.spdk."),
            rule(part(RunPart.LINE), "link.phy_ns", "link.cable_ns", "link.framing", "link.switch", "link.switch_ns"),
            rule(part(RunPart.DEVICE_MEMORY), "nic.dm.bytes"),
            rule(part(RunPart.PEERS), "host.peer_ns"),
            rule(part(RunPart.ATOMICS), "nic.atomic.cycles"),
            rule(part(RunPart.KERNEL), "host.kernel."),
            rule(part(RunPart.SPDK), "host.spdk."),
            rule(part(RunPart.ETHERNET), "nic.eth."),
            rule(part(RunPart.OFFLOAD), "nic.nvmf.cycles"),
            rule(part(RunPart.EVENTS), "nic.int.moderation", "nic.eq.log_entries", "host.cpu.interrupt_ns"),
            rule(part(RunPart.RELEASES), "host.reg.unpin_page_ns"),
            rule(not("link.switch", "none", "store-and-forward"), "link.switch_ns"),
            rule(some("pcie.switch_hops"), "pcie.switch_hop_ns"),
            rule(
                    part(RunPart.PACKET_FAULTS).or(not("pcie.ber", "0", "1e-9")),
                    "pcie.retry_bytes",
                    "pcie.retrain_ns",
                    "pcie.completion_timeout_us"),
            rule(is("pcie.ats", "true"), "pcie.atc_"),
            rule(is("nic.blueflame", "true"), "host.cpu.wc_flush_ns"),
            rule(not("nic.sched.policy", "rr", "wrr"), "nic.sched.responses"),
            rule(some("nic.cache.qpc_entries"), "nic.cache.qpc_").except("nic.cache.qpc_entries"),
            rule(some("nic.cache.cqc_entries"), "nic.cache.cqc_").except("nic.cache.cqc_entries"),
            rule(some("nic.cache.mpt_entries"), "nic.cache.mpt_ways"),
            rule(some("nic.cache.mtt_entries"), "nic.cache.mtt_ways", "nic.cache.mtt_prefetch"),
            rule(some("nic.cache.mtt_entries").or(some("host.reg.mtt_entry_ns")), "nic.cache.mtt_page"),
            rule(CACHES, "nic.cache.replacement", "nic.cache.ports", "nic.cache.misses"),
            rule(
                    part(RunPart.PACING).or(not(DCQCN, "off", "vendor")),
                    "nic.rate.packet_overhead",
                    "nic.rate.per_message",
                    "nic.rate.fsm",
                    "nic.rate.bucket"),
            rule(not(DCQCN, "off", "vendor"), "nic.rate.dcqcn_burst"),
            rule(is(DCQCN, "paper"), "nic.dcqcn.gain_shift", "nic.dcqcn.alpha_us", "nic.dcqcn.timer_us"),
            rule(is(DCQCN, "paper"), "nic.dcqcn.byte_counter", "nic.dcqcn.fast_recovery", "nic.dcqcn.additive_mbps"),
            rule(is(DCQCN, "paper"), "nic.dcqcn.hyper_mbps", "nic.dcqcn.floor_mbps"),
            rule(is(DCQCN, "vendor"), "nic.dcqcn.dce_tcp_g", "nic.dcqcn.initial_alpha_value", "nic.dcqcn.rpg_"),
            rule(is(DCQCN, "vendor"), "nic.dcqcn.rate_reduce_monitor_period", "nic.dcqcn.clamp_tgt_"),
            rule(not("nic.ecn.notify", "off", "qp"), "nic.ecn.cnp_"),
            rule(part(RunPart.MARKS), DCQCN, "nic.rate.dcqcn_burst", "nic.dcqcn.", "nic.ecn.notify", "nic.ecn.cnp_"),
            rule(some("nic.pfc.classes").or(is("nic.pause.global", "true")), "nic.pause.xoff_bytes"),
            rule(some("nic.pfc.classes").or(is("nic.pause.global", "true")), "nic.pause.xon_bytes"),
            rule(is("nic.mac.cut_through", "true"), "nic.mac.threshold_beats"),
            rule(not("nic.cqe.compression", "off", "all"), "nic.cqe.compression_cycles"),
            rule(some("nic.eth.queues"), "nic.eth.checksums"),
            rule(some("nic.nvmf.contexts"), "nic.nvmf.cycles"),
            rule(is("host.iommu.enabled", "true"), "host.iommu.").except("host.iommu.enabled"),
            rule(PAGES, "host.huge_pages"),
            rule(elsewhere(), "host.numa.hop_ns"),
            rule(is("host.ddio.modelled", "true"), "host.ddio.", "host.llc.").except("host.ddio.modelled"),
            rule(some("host.stall.period_ns"), "host.stall.").except("host.stall.period_ns"),
            rule(some("host.stall.duration_ns"), "host.stall.").except("host.stall.duration_ns"),
            rule(some("host.stall.probability"), "host.stall.").except("host.stall.probability"),
            rule(some("host.jitter.median_ns"), "host.jitter.sigma"),
            rule(is("host.kernel.adaptive_rx", "false"), "host.kernel.rx_usecs", "host.kernel.rx_frames"),
            rule(is("host.isolcpus", "false"), "host.sched."));

    private Needs() {}

    /** A need of all parameters with these names; one that ends with a dot or an underscore stands for all that begin so. */
    private record Rule(Need need, List<String> names, List<String> exceptions) {
        Rule except(String... more) {
            List<String> all = new ArrayList<>(exceptions);
            all.addAll(List.of(more));
            return new Rule(need, names, all);
        }

        boolean isAbout(String path) {
            return isAmong(path, names) && !isAmong(path, exceptions);
        }

        private static boolean isAmong(String path, List<String> names) {
            return names.stream()
                    .anyMatch(n -> (n.endsWith(".") || n.endsWith("_")) ? path.startsWith(n) : path.equals(n));
        }
    }

    private static Rule rule(Need need, String... names) {
        return new Rule(need, List.of(names), List.of());
    }

    /** Returns why a parameter changes nothing in a run and what to add; empty if it may change something. */
    static Optional<String> lacking(String path, Profile p, Set<RunPart> parts) {
        List<Need> unmet = RULES.stream()
                .filter(r -> r.isAbout(path) && !r.need.met().test(p, parts))
                .map(Rule::need)
                .limit(parts.contains(RunPart.NIC) ? RULES.size() : 1)
                .toList();
        if (unmet.isEmpty()) {
            return Optional.empty();
        }
        String why = unmet.stream().map(n -> n.lacks().apply(p)).collect(Collectors.joining(", "));
        return Optional.of(why + "; add " + unmet.stream().map(Need::remedy).collect(Collectors.joining(" and ")));
    }
}
