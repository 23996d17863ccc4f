package dev.clockwire.bench.replay;

import dev.clockwire.roce.wire.FrameDecoder;
import dev.clockwire.roce.wire.FrameVerdict;
import dev.clockwire.roce.wire.Opcode;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.roce.wire.Service;
import dev.clockwire.sim.capture.CaptureReader;
import dev.clockwire.sim.error.ConfigurationException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The RC and UC packets of a capture file that a replay looks at. Datagrams, other protocols and damaged requests are not among them. */
final class Capture {
    private final String file;
    private final List<Captured> packets = new ArrayList<>();
    private final List<Captured> damagedAnswers = new ArrayList<>();

    private Capture(String file) {
        this.file = file;
    }

    /**
     * Reads a pcap or pcapng file to its end.
     *
     * @throws ConfigurationException if the file cannot be read, is damaged, or holds something else than Ethernet frames;
     *     the message names file and offset
     */
    static Capture read(Path file) {
        Capture capture = new Capture(file.toString());
        FrameDecoder decoder = new FrameDecoder();
        try (CaptureReader reader = CaptureReader.open(file)) {
            while (reader.next()) {
                if (reader.linkType() != CaptureReader.ETHERNET) {
                    throw new ConfigurationException(file + ": offset " + reader.recordOffset() + ": frame "
                            + reader.number() + " has link type " + reader.linkType() + ", expected 1 (Ethernet)");
                }
                RocePacket packet = new RocePacket();
                FrameVerdict verdict = decoder.decode(reader.data(), reader.dataOffset(), reader.length(), packet);
                capture.add(reader.number(), packet, verdict);
            }
        }
        return capture;
    }

    private void add(long frame, RocePacket packet, FrameVerdict verdict) {
        Opcode opcode = verdict.isWhole() ? Opcode.find(packet.opcode) : null;
        if (opcode == null || (opcode.service() != Service.RC && opcode.service() != Service.UC)) {
            return;
        }
        Captured captured = new Captured(frame, packet, opcode);
        if (verdict == FrameVerdict.OK) {
            packets.add(captured);
        } else if (verdict == FrameVerdict.BAD_ICRC && opcode.isResponse()) {
            damagedAnswers.add(captured);
        }
    }

    /** Returns the name of the file as the user gave it. */
    String file() {
        return file;
    }

    /** Returns requests and answers with a good ICRC, in file order. */
    List<Captured> packets() {
        return packets;
    }

    /** Returns the requests among {@link #packets()}. */
    List<Captured> requests() {
        return packets.stream().filter(Captured::isRequest).toList();
    }

    /** Returns the answers among {@link #packets()}. */
    List<Captured> answers() {
        return packets.stream().filter(p -> !p.isRequest()).toList();
    }

    /** Returns how many answers have a bad ICRC, as far as their opcode can be believed. */
    int damagedAnswers() {
        return damagedAnswers.size();
    }
}
