package dev.clockwire.storage.nvmf.initiator;

import dev.clockwire.nvme.fabrics.FabricsCommand;
import dev.clockwire.nvme.format.LittleEndian;
import dev.clockwire.nvme.format.Opcodes;
import dev.clockwire.nvme.format.SqEntry;
import dev.clockwire.roce.wire.FrameDecoder;
import dev.clockwire.roce.wire.Opcode;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.capture.CaptureReader;
import java.io.ByteArrayOutputStream;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a Linux 6.1 host and target said to each other, commands with their answers: the SENDs and WRITEs of a capture, without acknowledgements
 * and without the data of the largest transfers.
 */
final class CapturedDialogue {
    private static final int HOST = 10 << 24 | 1;

    final List<Exchange> exchanges = new ArrayList<>();

    /** A command and what came back. */
    static final class Exchange {
        final SqEntry command = new SqEntry();
        final byte[] capsule;
        byte[] data = {};
        byte @Nullable [] answer;

        Exchange(byte[] capsule) {
            this.capsule = capsule;
            command.load(capsule, 0);
        }
    }

    CapturedDialogue() {
        ByteArrayOutputStream[] parts = {new ByteArrayOutputStream(), new ByteArrayOutputStream()};
        ByteArrayOutputStream written = new ByteArrayOutputStream();
        FrameDecoder decoder = new FrameDecoder();
        RocePacket p = new RocePacket();
        try (CaptureReader reader = CaptureReader.open(capture())) {
            while (reader.next()) {
                decoder.decode(reader.data(), reader.dataOffset(), reader.length(), p);
                byte[] payload = new byte[p.payloadLength];
                p.payload.copyTo(0, payload, 0, payload.length);
                boolean fromHost = (int) p.flow.srcLo == HOST;
                String op = Opcode.of(p.opcode).name();
                if (op.contains("WRITE")) {
                    written.writeBytes(payload);
                    continue;
                }
                ByteArrayOutputStream message = parts[fromHost ? 0 : 1];
                message.writeBytes(payload);
                if (op.contains("ONLY") || op.contains("LAST")) {
                    ended(fromHost, message.toByteArray(), written);
                    message.reset();
                }
            }
        }
    }

    private void ended(boolean fromHost, byte[] message, ByteArrayOutputStream written) {
        if (fromHost) {
            exchanges.add(new Exchange(message));
            return;
        }
        int cid = LittleEndian.get16(message, 12);
        for (int i = exchanges.size() - 1; i >= 0; i--) {
            Exchange e = exchanges.get(i);
            if (e.command.cid() == cid && e.answer == null) {
                e.answer = message;
                e.data = written.toByteArray();
                written.reset();
                return;
            }
        }
        throw new AssertionError("an answer to no command, CID " + cid);
    }

    private static Path capture() {
        try {
            return Path.of(Objects.requireNonNull(CapturedDialogue.class.getResource("linux-target.pcap"))
                    .toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns the first exchange in which the same was asked; null if it never was. */
    @Nullable
    Exchange like(SqEntry asked, boolean admin) {
        for (Exchange e : exchanges) {
            if (same(e.command, asked, admin)) {
                return e;
            }
        }
        return null;
    }

    private static boolean same(SqEntry a, SqEntry b, boolean admin) {
        if (a.opcode() != b.opcode()) {
            return false;
        }
        if (a.opcode() == Opcodes.FABRICS) {
            int type = FabricsCommand.type(a);
            return type == FabricsCommand.type(b)
                    && (type == FabricsCommand.CONNECT
                            ? (FabricsCommand.queue(a) == 0) == (FabricsCommand.queue(b) == 0)
                            : FabricsCommand.propertyOffset(a) == FabricsCommand.propertyOffset(b)
                                    && (type == FabricsCommand.PROPERTY_GET
                                            || FabricsCommand.propertyValue(a) == FabricsCommand.propertyValue(b)));
        }
        return admin
                ? a.nsid() == b.nsid() && (a.dword(10) & 0xFF) == (b.dword(10) & 0xFF)
                : a.nsid() == b.nsid() && a.slba() == b.slba() && a.blocks() == b.blocks();
    }
}
