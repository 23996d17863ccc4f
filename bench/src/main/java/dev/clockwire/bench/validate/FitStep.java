package dev.clockwire.bench.validate;

import java.util.Arrays;
import java.util.List;

/**
 * One parameter of a profile and the published values that it is fitted on.
 *
 * @param parameter path of the parameter
 * @param least smallest value tried
 * @param most largest value tried
 * @param target number of the target, as docs/validation.md lists them
 * @param device words of the device in the rows
 * @param tool tool of the rows
 * @param depth queue pairs and depth of the rows
 * @param sizes sizes of the rows
 */
record FitStep(
        String parameter,
        int least,
        int most,
        String target,
        String device,
        String tool,
        String depth,
        List<Long> sizes) {

    private static final String PING = "q1 d1";
    private static final String STREAM = "q1 d128";

    /** The F numbers only; in the order of fitting, since a later parameter may depend on an earlier one. */
    static List<FitStep> of(String profile) {
        return switch (profile) {
            case "cx3-40g" ->
                List.of(
                        mmio("A1", "ConnectX-3 MT4099", "ib_write_lat"),
                        step("host.cpu.wc_flush_ns", 1, 1000, "L5", "ConnectX-3 MT4099", "ib_send_lat", PING, 128),
                        step(
                                "host.payload_read_ns",
                                50,
                                3000,
                                "R3",
                                "ConnectX-3",
                                "ib_atomic_bw",
                                STREAM + " out16",
                                8),
                        step("nic.dma.gather_cycles", 0, 500, "L5", "ConnectX-3 MT4099", "ib_send_lat", PING, 256));
            case "cx4-100g" -> List.of(mmio("A2", "ConnectX-4 EDR", "ib_send_lat UD"));
            case "cx5-100g" ->
                List.of(
                        mmio("A3", "ConnectX-5 MT4119", "ib_write_lat"),
                        step(
                                "nic.qp.wqe_interval_cycles",
                                1,
                                200,
                                "R1",
                                "(100G)",
                                "ib_write_bw",
                                STREAM,
                                2,
                                64,
                                256,
                                1024),
                        step("nic.atomic.cycles", 1, 200, "R3", "ConnectX-5", "ib_atomic_bw", STREAM + " out16", 8));
            case "cx6-200g" ->
                List.of(
                        step("host.cpu.post_ns", 1, 1000, "R2", "ConnectX-6 HDR", "ib_write_bw", STREAM, 2, 1024, 4096),
                        mmio("A4", "ConnectX-6 HDR", "ib_write_lat"),
                        step(
                                "host.payload_read_ns",
                                50,
                                3000,
                                "L1, L7",
                                "ConnectX-6 HDR",
                                "ib_write_lat",
                                PING,
                                256,
                                32768,
                                65536,
                                131072,
                                1048576));
            case "cx7-400g" ->
                List.of(step(
                        "nic.dma.payload_outstanding_reads",
                        1,
                        256,
                        "B10",
                        "ConnectX-7",
                        "ib_write_bw",
                        "q1",
                        4194304));
            case "cx7-spark" -> List.of(mmio("A5", "DGX Spark", "ib_write_lat"));
            default -> List.of();
        };
    }

    private static FitStep mmio(String target, String device, String tool) {
        return step("host.mmio_ns", 1, 3000, target, device, tool, PING, 2);
    }

    private static FitStep step(
            String parameter,
            int least,
            int most,
            String target,
            String device,
            String tool,
            String depth,
            long... sizes) {
        return new FitStep(
                parameter,
                least,
                most,
                target,
                device,
                tool,
                depth,
                Arrays.stream(sizes).boxed().toList());
    }

    /** Returns whether a row is one of those. */
    boolean takes(Measurement m) {
        Quantity quantity = Quantity.of(m.metric());
        boolean sameUnit = quantity != null && (quantity.isLatency() || m.unit().equals("Mpps") || m.size() > 1 << 20);
        return sameUnit
                && m.nic().contains(device)
                && m.tool().equals(tool)
                && m.depth().equals(depth)
                && sizes.contains(m.size());
    }
}
