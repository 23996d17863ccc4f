package dev.clockwire.bench.cli;

import java.util.Map;

/** Options of the real {@code spdk_nvme_perf} that are not simulated: who types one has made no typing mistake. */
final class OtherPerfOptions {
    private static final String METADATA = "blocks have no metadata";
    private static final String SOCKETS = "it is about sockets of NVMe over TCP";
    private static final String PROCESS = "it is about the process on a real machine";
    private static final String LOG = "--json prints every figure, --out leaves the statistics";

    private static final Map<String, String> WHY = Map.ofEntries(
            Map.entry("-e", METADATA),
            Map.entry("--metadata", METADATA),
            Map.entry("-A", "buffers lie on pages of 4 KiB"),
            Map.entry("--buffer-alignment", "buffers lie on pages of 4 KiB"),
            Map.entry("-O", "an I/O has one buffer"),
            Map.entry("--io-unit-size", "an I/O has one buffer"),
            Map.entry("-g", PROCESS),
            Map.entry("--mem-single-seg", PROCESS),
            Map.entry("-i", PROCESS),
            Map.entry("--shmem-grp-id", PROCESS),
            Map.entry("--iova-mode", PROCESS),
            Map.entry("--no-huge", PROCESS),
            Map.entry("--enforce-numa", "host.numa.* of the profile say what lies where"),
            Map.entry("--vfio-vf-token", PROCESS),
            Map.entry("--env-context", PROCESS),
            Map.entry("-y", PROCESS),
            Map.entry("-V", "SSDs are on root ports of their own"),
            Map.entry("--enable-vmd", "SSDs are on root ports of their own"),
            Map.entry("-R", "--stack says what a kernel does"),
            Map.entry("--enable-uring", "--stack says what a kernel does"),
            Map.entry("-E", "completion queues are polled"),
            Map.entry("--enable-interrupt", "completion queues are polled"),
            Map.entry("-D", "SQs are in host memory: SSDs have no controller memory here"),
            Map.entry("--disable-sq-cmb", "SQs are in host memory: SSDs have no controller memory here"),
            Map.entry("-S", SOCKETS),
            Map.entry("--default-sock-impl", SOCKETS),
            Map.entry("--disable-ktls", SOCKETS),
            Map.entry("--enable-ktls", SOCKETS),
            Map.entry("--tls-version", SOCKETS),
            Map.entry("--psk-path", SOCKETS),
            Map.entry("--psk-identity", SOCKETS),
            Map.entry("--dhchap-key", SOCKETS),
            Map.entry("--dhchap-ctrlr-key", SOCKETS),
            Map.entry("--zerocopy-threshold", SOCKETS),
            Map.entry("--zerocopy-threshold-sock-impl", SOCKETS),
            Map.entry("-z", SOCKETS),
            Map.entry("--disable-zcopy", SOCKETS),
            Map.entry("-Z", SOCKETS),
            Map.entry("--enable-zcopy", SOCKETS),
            Map.entry("-H", SOCKETS),
            Map.entry("--enable-tcp-hdgst", SOCKETS),
            Map.entry("-I", SOCKETS),
            Map.entry("--enable-tcp-ddgst", SOCKETS),
            Map.entry("-l", "it asks a log page of one vendor"),
            Map.entry("--enable-ssd-latency-tracking", "it asks a log page of one vendor"),
            Map.entry("-N", "controllers are not detached at the end"),
            Map.entry("--no-shst-notification", "controllers are not detached at the end"),
            Map.entry("-Q", "a run goes on behind an error, and counts it"),
            Map.entry("--continue-on-error", "a run goes on behind an error, and counts it"),
            Map.entry("-T", LOG),
            Map.entry("--logflag", LOG),
            Map.entry("--log-level", LOG),
            Map.entry("-G", LOG),
            Map.entry("--enable-debug", LOG),
            Map.entry("-m", "cores are told of at the end, and in --json"),
            Map.entry("--cpu-usage", "cores are told of at the end, and in --json"),
            Map.entry("-v", "'nvmf perf --help' lists what there is"),
            Map.entry("--help-full", "'nvmf perf --help' lists what there is"));

    private OtherPerfOptions() {}

    /** Returns what to say about an option of the real tool, empty if it is none. */
    static String why(String option) {
        String why = WHY.get(option);
        return why == null ? "" : "option '" + option + "' of the real tool is not simulated: " + why;
    }
}
