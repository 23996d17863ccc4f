package dev.clockwire.bench.cli;

import java.util.Map;

/** Options of the real perftest that are not simulated: somebody who pastes a command line has made no typing mistake. */
final class OtherOptions {
    private static final String ORDINARY = "";
    private static final String TWO_WAYS = "each run sends in one direction";
    private static final String SERVICE_LEVEL = "frames have no VLAN tag; --tclass says their code point";
    private static final String CONNECTION = "both hosts connect out of band";
    private static final String ENDLESS = "-D SECONDS or -n N say how long it runs";
    private static final String ACCELERATOR = "buffers are in host memory";

    private static final Map<String, String> WHY = Map.ofEntries(
            Map.entry("-b", TWO_WAYS),
            Map.entry("--bidirectional", TWO_WAYS),
            Map.entry("-R", CONNECTION),
            Map.entry("--rdma_cm", CONNECTION),
            Map.entry("-z", CONNECTION),
            Map.entry("--comm_rdma_cm", CONNECTION),
            Map.entry("--run_infinitely", ENDLESS),
            Map.entry("-f", ENDLESS),
            Map.entry("--margin", ENDLESS),
            Map.entry("--use_cuda", ACCELERATOR),
            Map.entry("--use_cuda_dmabuf", ACCELERATOR),
            Map.entry("--use_rocm", ACCELERATOR),
            Map.entry("--mmap", ACCELERATOR),
            Map.entry("--use_hugepages", "-P host.huge_pages=2M with -P host.iommu.enabled=true"),
            Map.entry("--odp", ORDINARY),
            Map.entry("-g", ORDINARY),
            Map.entry("--mcg", ORDINARY),
            Map.entry("-M", ORDINARY),
            Map.entry("--MGID", ORDINARY),
            Map.entry("-O", ORDINARY),
            Map.entry("--dualport", ORDINARY),
            Map.entry("-S", SERVICE_LEVEL),
            Map.entry("--sl", SERVICE_LEVEL),
            Map.entry("-T", SERVICE_LEVEL),
            Map.entry("--tos", SERVICE_LEVEL),
            Map.entry("-w", "--rate_limit paces the device"),
            Map.entry("--limit_bw", "--rate_limit paces the device"),
            Map.entry("-y", "--rate paces the program"),
            Map.entry("--limit_msgrate", "--rate paces the program"),
            Map.entry("-W", "--counters prints them"),
            Map.entry("--report-counters", "--counters prints them"),
            Map.entry("--perform_warm_up", ORDINARY),
            Map.entry("--report-both", TWO_WAYS),
            Map.entry("--reversed", ORDINARY),
            Map.entry("--use_old_post_send", ORDINARY),
            Map.entry("--recv_post_list", ORDINARY),
            Map.entry("--retry_count", ORDINARY),
            Map.entry("--disable_pcie_relaxed", "-P nic.pci_wr_ordering says what is ordered"),
            Map.entry("--output", "--json prints every figure"));

    private OtherOptions() {}

    /** Returns what to say about an option of the real tool, empty if it is none. */
    static String why(String option) {
        String why = WHY.get(option);
        return why == null
                ? ""
                : "option '" + option + "' of the real tool is not simulated" + (why.isEmpty() ? "" : ": " + why);
    }
}
