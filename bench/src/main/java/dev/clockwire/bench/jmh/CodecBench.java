package dev.clockwire.bench.jmh;

import dev.clockwire.roce.wire.FrameDecoder;
import dev.clockwire.roce.wire.FrameEncoder;
import dev.clockwire.roce.wire.FrameVerdict;
import dev.clockwire.roce.wire.Icrc;
import dev.clockwire.roce.wire.Opcode;
import dev.clockwire.roce.wire.RocePacket;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Time for one RC RDMA WRITE ONLY frame over IPv4: encode with payload and ICRC, decode with check, the ICRC alone. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(3)
public class CodecBench {
    private final RocePacket packet = new RocePacket();
    private final RocePacket decoded = new RocePacket();
    private final FrameEncoder encoder = new FrameEncoder();
    private final FrameDecoder decoder = new FrameDecoder();
    private final Icrc icrc = new Icrc();
    private byte[] frame;

    /** Payload in bytes. */
    @Param({"64", "1024", "4096"})
    private int payload;

    /** Created by JMH. */
    public CodecBench() {}

    /** Fills the packet. */
    @Setup
    public void prepare() {
        packet.reset();
        packet.flow.setIpv4(0x0A000001, 0x0A000002);
        packet.opcode = Opcode.RC_RDMA_WRITE_ONLY.code();
        packet.destQp = 0x11;
        packet.ackReq = true;
        packet.va = 0x7F00_0000_0000L;
        packet.rkey = 0x1234;
        packet.dmaLen = payload;
        packet.payload.appendBytes(new byte[payload], 0, payload);
        packet.setPayloadLength(payload);
        frame = new byte[packet.wireBytes()];
        encode();
    }

    /** Headers, payload and ICRC into a byte array. */
    @Benchmark
    public int encode() {
        packet.psn = (packet.psn + 1) & 0xFF_FFFF;
        return encoder.encode(packet, frame, 0);
    }

    /** The way back, with the verdict on the ICRC. */
    @Benchmark
    public FrameVerdict decode() {
        return decoder.decode(frame, 0, frame.length, decoded);
    }

    /** The checksum of a frame that stands in memory. */
    @Benchmark
    public int icrc() {
        int ip = packet.flow.bytes() - packet.flow.encapsulation.bytes();
        return icrc.of(frame, ip, packet.flow.bytes(), frame.length - RocePacket.ICRC_BYTES, packet.flow.encapsulation);
    }
}
