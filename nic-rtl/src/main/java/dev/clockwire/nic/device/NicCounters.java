package dev.clockwire.nic.device;

import dev.clockwire.nic.ether.EthCounter;
import dev.clockwire.nic.ether.EthernetPort;
import dev.clockwire.nic.mac.TxMac;
import dev.clockwire.nic.notify.NotificationPoint;
import dev.clockwire.nic.profile.QueueSpec;
import dev.clockwire.nic.respond.ResponderBlock;
import dev.clockwire.nic.rx.RxParser;
import dev.clockwire.nic.send.SendCounters;
import dev.clockwire.roce.wire.PauseFrame;
import dev.clockwire.sim.stats.StatRegistry;

/** Shows a device's counters under the names that drivers give them. */
final class NicCounters {
    private static final long US = 1_000_000;

    private NicCounters() {}

    static void register(StatRegistry stats, NicDevice nic) {
        String at = nic.path() + ".";
        RxParser rx = nic.receiver();
        ResponderBlock responder = nic.responder();
        stats.reading(at + "rx_icrc_encapsulated", "packets", "Received packets with a wrong ICRC", rx::icrcErrors);
        stats.reading(
                at + "rx_dropped",
                "packets",
                "Received packets dropped for version, queue pair, state or key",
                rx::dropped);
        stats.reading(
                at + "rx_roce_version_errors",
                "packets",
                "Those of the other version of RoCE, which no real device counts",
                rx::otherVersion);
        stats.reading(
                at + "rx_discards_phy", "packets", "Received packets that found the receive buffer full", rx::overruns);
        stats.reading(at + "tx_global_pause", "frames", "Holds of the sender at the other end", rx::pauses);
        stats.reading(
                at + "out_of_sequence", "packets", "Requests ahead of the expected PSN", responder::outOfSequence);
        stats.reading(at + "duplicate_request", "packets", "Requests that came again", responder::duplicates);
        stats.reading(
                at + "out_of_buffer", "packets", "Requests that found no receive work request", responder::outOfBuffer);
        SendCounters sends = nic.sendCounters();
        stats.reading(
                at + "packet_seq_err",
                "packets",
                "Refusals for a gap that made the sender go back",
                sends::packetSeqErr);
        stats.reading(
                at + "implied_nak_seq_err",
                "packets",
                "Answers behind a missing one that made the sender go back",
                sends::impliedNakSeqErr);
        stats.reading(
                at + "local_ack_timeout_err",
                "timeouts",
                "Acknowledge timers that made the sender go back",
                sends::localAckTimeoutErr);
        stats.reading(
                at + "rnr_nak_retry_err", "packets", "Receiver-not-ready answers waited for", sends::rnrNakRetryErr);
        stats.reading(
                at + "req_transport_retries_exceeded",
                "work requests",
                "Work requests that failed after all retries",
                sends::retriesExceeded);
        stats.reading(
                at + "req_rnr_retries_exceeded",
                "work requests",
                "Work requests that failed after all receiver-not-ready waits",
                sends::rnrRetriesExceeded);
        stats.reading(
                at + "req_remote_access_errors",
                "work requests",
                "Work requests whose access the peer refused",
                sends::remoteAccessErrors);
        stats.reading(
                at + "req_remote_invalid_request",
                "work requests",
                "Work requests that the peer refused as invalid",
                sends::remoteInvalidRequest);
        stats.reading(
                at + "rp_cnp_handled",
                "packets",
                "Congestion notifications that a reaction point acted on",
                sends::cnpHandled);
        stats.reading(
                at + "rp_cnp_ignored",
                "packets",
                "Congestion notifications that no reaction point took, or that it overlooked",
                () -> rx.notificationsIgnored() + sends.cnpLost());
        NotificationPoint point = nic.notifications();
        stats.reading(
                at + "np_ecn_marked_roce_packets",
                "packets",
                "Packets that came marked and were looked at by a notification point",
                () -> point == null ? 0 : point.marked());
        stats.reading(
                at + "np_cnp_sent", "packets", "Congestion notifications sent", () -> point == null ? 0 : point.sent());
        if (nic.spec().congestion().pauses()) {
            pauses(stats, nic.mac(), at);
        }
        stats.reading(at + "req_cqe_error", "CQE", "Error completions of send queues", sends::cqeError);
        stats.reading(at + "req_cqe_flush_error", "CQE", "Flushed work of send queues", sends::cqeFlushError);
        if (nic.spec().queues().policy() != QueueSpec.Policy.RR) {
            scheduler(stats, nic, at);
        }
        if (nic.spec().queues().moderation() || nic.spec().queues().logEvents() > 0) {
            events(stats, nic, at);
        }
        if (nic.spec().queues().compression() != QueueSpec.Compression.OFF) {
            compression(stats, nic, at);
        }
        EthernetPort ethernet = nic.ethernetPort();
        if (ethernet != null) {
            ethernet(stats, ethernet, at + "ethernet.");
        }
        stats.reading(at + "doorbell_errors", "writes", "Doorbells that made no sense", nic::doorbellErrors);
    }

    private static void pauses(StatRegistry stats, TxMac mac, String at) {
        for (int i = 0; i < PauseFrame.CLASSES; i++) {
            int c = i;
            String prio = "prio" + c + "_pause";
            stats.reading(at + "rx_" + prio, "frames", "Pause frames taken for class " + c, () -> mac.pausesTaken(c));
            stats.reading(
                    at + "rx_" + prio + "_duration",
                    "us",
                    "Time that class " + c + " was paused",
                    () -> mac.pausedPs(c) / US);
            stats.reading(at + "tx_" + prio, "frames", "Pause frames sent for class " + c, () -> mac.pausesSent(c));
            stats.reading(
                    at + "tx_" + prio + "_duration",
                    "us",
                    "Time for which the far end was to stop class " + c,
                    () -> mac.pausingPs(c) / US);
        }
    }

    private static void events(StatRegistry stats, NicDevice nic, String at) {
        stats.reading(at + "eq_entries", "EQE", "Entries written to the event queue", nic.completions()::eventEntries);
        stats.reading(
                at + "eq_interrupts",
                "interrupts",
                "Interrupts of the event queue, pending ones included",
                nic.completions()::eventInterrupts);
        stats.reading(
                at + "eq_overruns",
                "EQE",
                "Entries lost because the event queue was full",
                nic.completions()::eventOverruns);
    }

    private static void compression(StatRegistry stats, NicDevice nic, String at) {
        stats.reading(
                at + "cqe_compress_blks",
                "blocks",
                "Titles with an array of small completion entries",
                nic.completions()::compressedBlocks);
        stats.reading(at + "cqe_compress_pkts", "CQE", "Completions in them", nic.completions()::compressedCompletions);
    }

    private static void ethernet(StatRegistry stats, EthernetPort port, String at) {
        for (EthCounter counter : EthCounter.values()) {
            if (!(counter.isUsual() || port.checksums())) {
                continue;
            }
            String unit = counter == EthCounter.TX_ERRORS ? "WQEs" : "frames";
            stats.reading(at + counter.text(), unit, counter.meaning(), () -> port.counter(counter));
        }
    }

    private static void scheduler(StatRegistry stats, NicDevice nic, String at) {
        stats.reading(
                at + "tx_sched_fetches_overtaken",
                "fetches",
                "Most WQE fetches of others while one queue pair was ready for its own",
                nic.scheduler()::overtaken);
        stats.reading(
                at + "tx_sched_packets_overtaken",
                "packets",
                "Most packets of others while one queue pair was ready to make one",
                nic.sendEngine()::overtaken);
    }
}
