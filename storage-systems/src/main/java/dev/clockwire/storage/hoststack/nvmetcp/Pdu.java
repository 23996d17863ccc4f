package dev.clockwire.storage.hoststack.nvmetcp;

import dev.clockwire.nvme.format.CqEntry;
import dev.clockwire.nvme.format.LittleEndian;
import dev.clockwire.nvme.format.SqEntry;

/**
 * The headers of NVMe/TCP. Common header of 8 bytes: type, flags, length of the header (HLEN), offset of the data (PDO), length of the whole
 * PDU (PLEN, 32 bits); the rest depends on the type. All numbers are little endian. Source: NVM Express TCP Transport Specification 1.0,
 * section 3.6; Linux {@code include/linux/nvme-tcp.h}.
 */
public final class Pdu {
    /** Host to controller: initialise the connection. */
    public static final int IC_REQ = 0x00;
    /** Controller to host: initialised. */
    public static final int IC_RESP = 0x01;
    /** Host to controller: a fatal error. */
    public static final int H2C_TERM = 0x02;
    /** Controller to host: a fatal error. */
    public static final int C2H_TERM = 0x03;
    /** A command, and data with it. */
    public static final int CAPSULE_CMD = 0x04;
    /** A response. */
    public static final int CAPSULE_RESP = 0x05;
    /** Data of a command to the controller. */
    public static final int H2C_DATA = 0x06;
    /** Data of a command to the host. */
    public static final int C2H_DATA = 0x07;
    /** The controller is ready for data. */
    public static final int R2T = 0x09;

    /** Flag: the last data of the transfer. */
    public static final int LAST = 1 << 2;
    /** Flag: the command has succeeded, no response follows. */
    public static final int SUCCESS = 1 << 3;

    /** Fatal error: a field of a header. */
    public static final int BAD_FIELD = 0x01;
    /** Fatal error: a PDU that may not come now. */
    public static final int BAD_SEQUENCE = 0x02;
    /** Fatal error: data outside of what was asked for. */
    public static final int OUT_OF_RANGE = 0x04;
    /** Fatal error: a parameter that is not supported. */
    public static final int UNSUPPORTED = 0x06;

    /** Bytes of the common header. */
    public static final int COMMON_BYTES = 8;
    /** Bytes of the headers that initialise a connection. */
    public static final int IC_BYTES = 128;
    /** Bytes of the header of a command. */
    public static final int COMMAND_BYTES = COMMON_BYTES + SqEntry.BYTES;
    /** Bytes of a response, and of the headers of data, R2T and fatal errors. */
    public static final int SHORT_BYTES = COMMON_BYTES + CqEntry.BYTES;

    private Pdu() {}

    /** Returns the header's length that a type must have, 0 for a type that is unknown. */
    public static int headerBytes(int type) {
        return switch (type) {
            case IC_REQ, IC_RESP -> IC_BYTES;
            case CAPSULE_CMD -> COMMAND_BYTES;
            case H2C_TERM, C2H_TERM, CAPSULE_RESP, H2C_DATA, C2H_DATA, R2T -> SHORT_BYTES;
            default -> 0;
        };
    }

    private static int common(byte[] b, int type, int flags, int data) {
        int header = headerBytes(type);
        java.util.Arrays.fill(b, 0, header, (byte) 0);
        b[0] = (byte) type;
        b[1] = (byte) flags;
        b[2] = (byte) header;
        b[3] = (byte) (data > 0 ? header : 0);
        LittleEndian.put32(b, 4, header + data);
        return header;
    }

    /** Writes a request to initialise: version 1.0, data not aligned, no digests; returns its bytes. */
    public static int icReq(byte[] b, int mostR2t) {
        int n = common(b, IC_REQ, 0, 0);
        LittleEndian.put32(b, 12, mostR2t - 1);
        return n;
    }

    /** Writes the answer to it; returns its bytes. */
    public static int icResp(byte[] b, int mostData) {
        int n = common(b, IC_RESP, 0, 0);
        LittleEndian.put32(b, 12, mostData);
        return n;
    }

    /** Writes a command with so many bytes of data behind it; returns the header's bytes. */
    public static int command(byte[] b, SqEntry e, int data) {
        int n = common(b, CAPSULE_CMD, 0, data);
        e.store(b, COMMON_BYTES);
        return n;
    }

    /** Writes a response; returns its bytes. */
    public static int response(byte[] b, CqEntry e) {
        int n = common(b, CAPSULE_RESP, 0, 0);
        e.store(b, COMMON_BYTES);
        return n;
    }

    /** Writes the header of data; returns its bytes. */
    public static int data(byte[] b, int type, int flags, int cid, int tag, int offset, int bytes) {
        int n = common(b, type, flags, bytes);
        transfer(b, cid, tag, offset, bytes);
        return n;
    }

    /** Writes an R2T; returns its bytes. */
    public static int r2t(byte[] b, int cid, int tag, int offset, int bytes) {
        int n = common(b, R2T, 0, 0);
        transfer(b, cid, tag, offset, bytes);
        return n;
    }

    private static void transfer(byte[] b, int cid, int tag, int offset, int bytes) {
        LittleEndian.put16(b, 8, cid);
        LittleEndian.put16(b, 10, tag);
        LittleEndian.put32(b, 12, offset);
        LittleEndian.put32(b, 16, bytes);
    }

    /** Writes a fatal error; returns its bytes. */
    public static int term(byte[] b, int type, int why, int where) {
        int n = common(b, type, 0, 0);
        LittleEndian.put16(b, 8, why);
        LittleEndian.put32(b, 10, where);
        return n;
    }

    /** Returns the type. */
    public static int type(byte[] b) {
        return b[0] & 0xFF;
    }

    /** Returns the flags. */
    public static int flags(byte[] b) {
        return b[1] & 0xFF;
    }

    /** Returns where the data begin, 0 without data. */
    public static int dataAt(byte[] b) {
        return b[3] & 0xFF;
    }

    /** Returns the bytes of the whole PDU. */
    public static int length(byte[] b) {
        return LittleEndian.get32(b, 4);
    }

    /** Returns the command that data or an R2T are about. */
    public static int cid(byte[] b) {
        return LittleEndian.get16(b, 8);
    }

    /** Returns the transfer tag of data or an R2T. */
    public static int tag(byte[] b) {
        return LittleEndian.get16(b, 10);
    }

    /** Returns where data begin in the transfer of the command. */
    public static int offset(byte[] b) {
        return LittleEndian.get32(b, 12);
    }

    /** Returns the bytes of data, or those that an R2T asks for. */
    public static int bytes(byte[] b) {
        return LittleEndian.get32(b, 16);
    }

    /** Returns what is behind the common header of the PDUs that initialise: most R2Ts less one, or the most data of a PDU. */
    public static int most(byte[] b) {
        return LittleEndian.get32(b, 12);
    }
}
