package dev.clockwire.bench.config;

import dev.clockwire.bench.config.text.ConfigLine;

/** {@code cma_roce_mode -d DEV -p PORT [-m MODE]}: which RoCE version the connection manager picks. */
final class RoceModeFormat implements ConfigFormat {
    @Override
    public String name() {
        return "cma_roce_mode";
    }

    @Override
    public boolean knows(ConfigLine line) {
        return line.program().equals("cma_roce_mode");
    }

    @Override
    public void apply(ConfigLine line, ConfigTarget target) {
        line.option("-d", "");
        String port = line.option("-p", "1");
        if (!port.matches("[1-9]\\d{0,2}")) {
            throw line.bad(line.words().indexOf("-p") + 1, "a port from 1");
        }
        String mode = line.option("-m", "");
        switch (mode) {
            case "" -> {
                target.effect("prints the mode; changes nothing");
                target.finding(
                        "cma-roce-mode-reads",
                        "note",
                        Long.parseLong(port),
                        "without -m the mode is only printed; it is a setting of rdma_cm, not of the NIC",
                        "cma_roce_mode -d DEV -p " + port + " -m 2 for RoCE v2");
            }
            case "1" -> {
                target.effect("connections of rdma_cm use RoCE v1");
                target.finding(
                        "cma-roce-mode-v1",
                        "warning",
                        1,
                        "RoCE v1 frames have no UDP and no IP header: they are not routed, and a RoCE v2 peer does not"
                                + " answer",
                        "-m 2");
            }
            case "2" -> target.effect("connections of rdma_cm use RoCE v2, as the simulation does");
            default -> throw line.bad(line.words().indexOf("-m") + 1, "1 (RoCE v1) or 2 (RoCE v2)");
        }
    }
}
