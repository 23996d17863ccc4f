package dev.clockwire.bench.cli;

import dev.clockwire.storage.threefs.rpc.Forwarding;
import dev.clockwire.storage.threefs.rpc.Notice;
import dev.clockwire.storage.threefs.rpc.Transfer;
import picocli.CommandLine.Option;

/** How 3FS moves bytes, beside what the name of the system says. */
final class TransferOptions {
    @Option(
            names = "--notice",
            paramLabel = "KIND",
            converter = NoticeConverter.class,
            defaultValue = "send",
            description =
                    "3fs-push: how a receiver hears of what was written into its slot: send (the request follows),"
                            + " imm (the request is written before it, by one WRITE with immediate data)"
                            + " (default: ${DEFAULT-VALUE}).")
    private Notice notice = Notice.SEND;

    @Option(
            names = "--forward",
            paramLabel = "WHO",
            converter = ForwardingConverter.class,
            defaultValue = "cpu",
            description =
                    "3fs-push: who sends what was pushed on to the next replica: cpu, nic (by sends posted beforehand"
                            + " that wait for the arrival; cores order, check and store), article (the same without a core"
                            + " that orders or stores before the acknowledgement: not safe) (default: ${DEFAULT-VALUE}).")
    private Forwarding forward = Forwarding.CPU;

    @Option(
            names = "--batch",
            paramLabel = "N",
            defaultValue = "1",
            description =
                    "3fs, 3fs-push, 3fs-inline: reads that a client asks a node for in one request, if --depth has so"
                            + " many under way; up to 4 MiB (default: ${DEFAULT-VALUE}).")
    private int batch = 1;

    @Option(
            names = "--transmissions",
            paramLabel = "N",
            defaultValue = "0",
            description = "3fs, 3fs-push, 3fs-inline: request-to-send: a node asks the client before it writes what was"
                    + " read, and a client lets so many write at once; 0: nobody asks; 64 where 3FS has it on"
                    + " (default: ${DEFAULT-VALUE}).")
    private int transmissions;

    @Option(
            names = "--slots",
            paramLabel = "N",
            description =
                    "3fs-push: slots that each node grants, all its writers together (default: 8 a client, and 8 a"
                            + " node and place behind a head).")
    private int slots;

    TransferOptions() {}

    /** Reads the name of a notice. */
    static final class NoticeConverter extends EnumConverter<Notice> {
        NoticeConverter() {
            super("notice", Notice.values());
        }
    }

    /** Reads the name of who forwards. */
    static final class ForwardingConverter extends EnumConverter<Forwarding> {
        ForwardingConverter() {
            super("forwarder", Forwarding.values());
        }
    }

    Transfer transfer() {
        Range.check("--batch", batch, 1, Transfer.MOST_BATCH, "reads");
        Range.check("--transmissions", transmissions, 0, Transfer.MOST_TRANSMISSIONS, "");
        return Transfer.usual().with(notice).with(forward).withBatch(batch).withTransmissions(transmissions);
    }

    /** Returns the slots of a node, 0 if it is not said. */
    int slots() {
        if (slots != 0) {
            Range.check("--slots", slots, 1, 1 << 16, "");
        }
        return slots;
    }
}
