package dev.clockwire.bench.cli;

import static dev.clockwire.bench.cli.CommandRunner.clockwire;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What thousands of connections cost a chip that holds the contexts of 1024, with a host that posts as fast as many cores do. */
class ConnectionSweepTest {
    private static double rate(int connections, int messages) {
        String line = "perftest write-bw --profile cx5-100g -s 64 -t 4 -q " + connections + " -n " + messages
                + " -P nic.cache.qpc_entries=1024 -P nic.cache.qpc_shared=true -P nic.cache.mtt_entries=8192"
                + " -P nic.cache.mpt_entries=2048 -P host.cpu.post_ns=1 -P host.cpu.doorbell_ns=1 -P host.cpu.poll_ns=1"
                + " -P host.cpu.cqe_ns=1 -P host.cpu.wc_flush_ns=1 --json";
        return clockwire(line.split(" ")).json().get("msg_rate_mpps").asDouble();
    }

    /** Published of commodity NICs: about half is lost with 4096 connections (PipeDevice, as quoted in houminz/paper-reading issue 12). */
    @Test
    void fourThousandConnectionsHalveTheRate() {
        double few = rate(64, 512);
        assertThat(rate(4096, 8) / few).isBetween(0.4, 0.6);
    }
}
