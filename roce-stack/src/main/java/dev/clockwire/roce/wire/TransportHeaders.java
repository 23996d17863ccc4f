package dev.clockwire.roce.wire;

import dev.clockwire.sim.error.InvariantViolation;
import java.util.List;

/** Reads and writes what follows the BTH, header by header as the opcode's row says. */
final class TransportHeaders {
    private TransportHeaders() {}

    /** Writes the headers behind the BTH and returns where the payload starts. */
    static int write(RocePacket p, Opcode opcode, byte[] b, int from) {
        List<Header> headers = opcode.headers();
        int at = from;
        for (int i = 1; i < headers.size(); i++) {
            Header header = headers.get(i);
            write(p, header, b, at);
            at += header.bytes();
        }
        return at;
    }

    private static void write(RocePacket p, Header header, byte[] b, int at) {
        switch (header) {
            case RETH -> {
                Bytes.put64(b, at, p.va);
                Bytes.put32(b, at + 8, p.rkey);
                Bytes.put32(b, at + 12, (int) p.dmaLen);
            }
            case ATOMIC_ETH -> {
                Bytes.put64(b, at, p.va);
                Bytes.put32(b, at + 8, p.rkey);
                Bytes.put64(b, at + 12, p.swapAdd);
                Bytes.put64(b, at + 20, p.compare);
            }
            case AETH -> Bytes.put32(b, at, (p.syndrome << 24) | p.msn);
            case ATOMIC_ACK_ETH -> Bytes.put64(b, at, p.original);
            case IMM_DT -> Bytes.put32(b, at, p.imm);
            case IETH -> Bytes.put32(b, at, p.invalidateKey);
            case DETH -> {
                Bytes.put32(b, at, p.qkey);
                Bytes.put32(b, at + 4, p.srcQp);
            }
            case RDETH -> Bytes.put32(b, at, p.eeContext);
            case XRC_ETH -> Bytes.put32(b, at, p.xrcSrq);
            case FETH -> Bytes.put32(b, at, p.flush);
            case CNP_RESERVED -> {
                Bytes.put64(b, at, 0);
                Bytes.put64(b, at + 8, 0);
            }
            case BTH -> throw new InvariantViolation("the BTH stands first");
        }
    }

    /** Reads the headers behind the BTH that end at or before {@code limit} and returns where the last of them ends. */
    static int read(RocePacket p, Opcode opcode, byte[] b, int from, int limit) {
        List<Header> headers = opcode.headers();
        int at = from;
        for (int i = 1; i < headers.size(); i++) {
            Header header = headers.get(i);
            if (header.bytes() > limit - at) {
                return at;
            }
            read(p, header, b, at);
            at += header.bytes();
        }
        return at;
    }

    private static void read(RocePacket p, Header header, byte[] b, int at) {
        switch (header) {
            case RETH -> {
                p.va = Bytes.get64(b, at);
                p.rkey = Bytes.get32(b, at + 8);
                p.dmaLen = Bytes.get32(b, at + 12) & 0xFFFF_FFFFL;
            }
            case ATOMIC_ETH -> {
                p.va = Bytes.get64(b, at);
                p.rkey = Bytes.get32(b, at + 8);
                p.swapAdd = Bytes.get64(b, at + 12);
                p.compare = Bytes.get64(b, at + 20);
            }
            case AETH -> {
                p.syndrome = Bytes.get8(b, at);
                p.msn = Bytes.get24(b, at + 1);
            }
            case ATOMIC_ACK_ETH -> p.original = Bytes.get64(b, at);
            case IMM_DT -> p.imm = Bytes.get32(b, at);
            case IETH -> p.invalidateKey = Bytes.get32(b, at);
            case DETH -> {
                p.qkey = Bytes.get32(b, at);
                p.srcQp = Bytes.get24(b, at + 5);
            }
            case RDETH -> p.eeContext = Bytes.get24(b, at + 1);
            case XRC_ETH -> p.xrcSrq = Bytes.get24(b, at + 1);
            case FETH -> p.flush = Bytes.get8(b, at + 3);
            case CNP_RESERVED -> {} // zeros that nobody reads
            case BTH -> throw new InvariantViolation("the BTH stands first");
        }
    }
}
