package dev.clockwire.nic.profile;

import static dev.clockwire.nic.profile.Param.choice;
import static dev.clockwire.nic.profile.Param.flag;
import static dev.clockwire.nic.profile.Param.integer;
import static dev.clockwire.nic.profile.Param.number;

import java.util.List;

/** The parameters of what a host has only on request, and their values in a profile that says nothing of them. */
final class HostParameters {
    static final List<Param> ALL = List.of(
            flag("host.iommu.enabled", "An IOMMU translates what devices read and write"),
            integer("host.iommu.iotlb_entries", "", 1, 1 << 20, "Translations the IOTLB holds"),
            integer("host.iommu.iotlb_ways", "", 1, 1 << 20, "Ways of the IOTLB"),
            number("host.iommu.hit_ns", "ns", 0, 10_000, "Look into the IOTLB"),
            number("host.iommu.walk_ns", "ns", 1, 100_000, "Page walk of four levels; fewer levels take their share"),
            integer("host.iommu.walkers", "", 1, 256, "Page walks under way at a time"),
            choice("host.iommu.fault", "", "How a read of an unmapped address is refused", "ur", "ca"),
            choice(
                    "host.huge_pages",
                    "",
                    "Pages that buffers get: 4 KB, transparent huge pages, or a reserved pool of larger ones",
                    "never",
                    "transparent",
                    "2M",
                    "1G"),
            integer("host.numa.nodes", "", 1, 256, "NUMA nodes"),
            integer("host.numa.nic_node", "", 0, 255, "Node that the NIC is close to"),
            integer("host.numa.memory_node", "", 0, 255, "Node of the memory of programs and queues"),
            integer("host.numa.core_node", "", 0, 255, "Node of the core that runs the program"),
            number("host.numa.hop_ns", "ns", 0, 10_000, "What an access to another node takes more, there and back"),
            number(
                    "host.peer_ns",
                    "ns",
                    0,
                    10_000,
                    "From one root port to another, for devices that talk; 0 = not at all"),
            flag("host.ddio.modelled", "What devices write goes into some ways of the cache, as far as there is room"),
            integer("host.ddio.ways", "", 0, 64, "Ways for device writes; 0 = they go to memory (DDIO off)"),
            integer("host.llc.ways", "", 1, 64, "Ways of the last-level cache"),
            integer("host.llc.kbytes", "KB", 1, 1 << 22, "Size of the last-level cache"),
            number(
                    "host.stall.period_ns",
                    "ns",
                    0,
                    1e10,
                    "One chance for a stall of all memory in each period; 0 = none"),
            number("host.stall.duration_ns", "ns", 0, 1e10, "How long memory stands still"),
            number("host.stall.probability", "", 0, 1, "Chance that a period has a stall"),
            choice(
                    "host.stall.begins",
                    "",
                    "Anywhere in its period, or with the first access of its period",
                    "anywhere",
                    "access"),
            number("host.jitter.median_ns", "ns", 0, 10_000, "Median of what is added to each device access; 0 = none"),
            number("host.jitter.sigma", "", 0, 4, "Deviation of the logarithm of that (lognormal)"),
            number(
                    "host.cpu.interrupt_ns",
                    "ns",
                    0,
                    1e6,
                    "Taking an interrupt, until its handler has woken the program"),
            flag("host.isolcpus", "Cores belong to their programs alone: no ticks, no other tasks"),
            number("host.sched.tick_ns", "ns", 1_000, 1e9, "From one timer tick to the next, without isolation"),
            number("host.sched.tick_cost_ns", "ns", 0, 1e6, "What a tick takes from the program"),
            number("host.sched.load", "", 0, 1, "Chance that another task wants the core at a tick"),
            number("host.sched.slice_ns", "ns", 0, 1e8, "How long that task has it"),
            integer("host.memlock_kbytes", "KB", 0, 1 << 30, "What a process may pin: ulimit -l; 0 = unlimited"),
            number("host.reg.pin_page_ns", "ns", 0, 1e6, "A core's time to pin a page that is registered; 0 = none"),
            number("host.reg.unpin_page_ns", "ns", 0, 1e6, "A core's time to release it when the region goes"),
            number("host.reg.mtt_entry_ns", "ns", 0, 1e6, "The NIC's time to write a page's translation entry"));

    private HostParameters() {}

    /** Sets what a host without any of it has; the sizes are those that count once something is switched on. */
    static void defaults(ProfileBuilder b) {
        b.source('C', "no part of the measured hosts' logs")
                .set("host.iommu.enabled", false)
                .set("host.huge_pages", "never")
                .source('A', "pcie-bench on Xeon E5: knee at 64 pages of 4 KB, 330 ns for a miss")
                .set("host.iommu.iotlb_entries", 64)
                .set("host.iommu.walk_ns", 330)
                .source(
                        'B',
                        "the same: 512 B reads lose nothing on Gen3 x8, which are 14 million a second; the fewest that"
                                + " do it")
                .set("host.iommu.walkers", 5)
                .source('C', "size of such a buffer")
                .set("host.iommu.iotlb_ways", 4)
                .source('B', "published hits cost nothing that could be measured")
                .set("host.iommu.hit_ns", 0)
                .source('B', "VT-d answers a blocked read as an unsupported request, AMD's IOMMU aborts it")
                .set("host.iommu.fault", "ur");
        memory(b);
    }

    private static void memory(ProfileBuilder b) {
        b.source('C', "a server with two sockets, everything on one of them")
                .set("host.numa.nodes", 2)
                .set("host.numa.nic_node", 0)
                .set("host.numa.memory_node", 0)
                .set("host.numa.core_node", 0)
                .source('A', "pcie-bench: reads of the remote socket take about 100 ns more")
                .set("host.numa.hop_ns", 100)
                .source(
                        'C',
                        "many root complexes pass nothing from port to port; where one does, a switch's latency and"
                                + " more")
                .set("host.peer_ns", 0)
                .source('C', "queues are in the cache and payload is not, whatever was written last")
                .set("host.ddio.modelled", false)
                .source('A', "DDIO writes into 2 ways unless told otherwise, about a tenth of the cache")
                .set("host.ddio.ways", 2)
                .source('C', "size of a server's cache")
                .set("host.llc.ways", 11)
                .set("host.llc.kbytes", 22_528)
                .source('C', "no part of the measured hosts' logs")
                .set("host.stall.period_ns", 0)
                .set("host.stall.duration_ns", 0)
                .set("host.stall.probability", 0)
                .set("host.stall.begins", "anywhere")
                .set("host.jitter.median_ns", 0)
                .set("host.jitter.sigma", 0)
                .source('C', "a server's interrupt and the switch to the thread that waits")
                .set("host.cpu.interrupt_ns", 1_500)
                .source('C', "latency is measured on isolated cores")
                .set("host.isolcpus", true)
                .source('B', "kernels of servers tick 250 times a second")
                .set("host.sched.tick_ns", 4_000_000)
                .source('C', "a few microseconds for the interrupt, timers and accounting")
                .set("host.sched.tick_cost_ns", 3_000)
                .source('C', "a kernel thread now and then, as on a machine that is otherwise idle")
                .set("host.sched.load", 0.01)
                .set("host.sched.slice_ns", 50_000)
                .source('C', "everything is registered before the first message, and nobody measures that")
                .set("host.memlock_kbytes", 0)
                .set("host.reg.pin_page_ns", 0)
                .set("host.reg.unpin_page_ns", 0)
                .set("host.reg.mtt_entry_ns", 0);
    }
}
