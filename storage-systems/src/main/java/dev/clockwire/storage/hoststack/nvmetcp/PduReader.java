package dev.clockwire.storage.hoststack.nvmetcp;

import dev.clockwire.storage.hoststack.tcp.TcpConnection;

/** Takes a stream apart into PDUs: first the header, then its data in pieces as they come. */
final class PduReader {
    private static final int PIECE = 1 << 16;
    private static final int LARGEST = 1 << 25;

    private final Handler handler;
    private final byte[] header = new byte[Pdu.IC_BYTES];
    private final byte[] piece = new byte[PIECE];
    private int got;
    private int skip;
    private int left;
    private boolean dead;

    /** Takes what a stream consists of. */
    interface Handler {
        /** A header is complete; {@code data} bytes follow. Returns the fatal error that it is, 0 if it is none. */
        int header(byte[] pdu, int data);

        /** Some of the data; {@code left} bytes of the PDU follow behind them. */
        void data(byte[] b, int bytes, int left);

        /** The stream is broken: nothing of it is read any more. */
        void broken(int why, int where);
    }

    PduReader(Handler handler) {
        this.handler = handler;
    }

    /** Reads what there is. */
    void read(TcpConnection c) {
        while (!dead && c.readable() > 0) {
            if (left > 0) {
                int n = Math.min(Math.min(left, PIECE), c.readable());
                c.read(piece, 0, n);
                left -= n;
                handler.data(piece, n, left);
            } else if (skip > 0) {
                int n = Math.min(skip, c.readable());
                c.read(piece, 0, n);
                skip -= n;
                left = skip == 0 ? Pdu.length(header) - Pdu.dataAt(header) : 0;
            } else {
                readHeader(c);
            }
        }
    }

    private void readHeader(TcpConnection c) {
        int want = got < Pdu.COMMON_BYTES ? Pdu.COMMON_BYTES : Pdu.headerBytes(Pdu.type(header));
        int n = Math.min(want - got, c.readable());
        c.read(header, got, n);
        got += n;
        if (got < Pdu.COMMON_BYTES) {
            return;
        }
        int bytes = Pdu.headerBytes(Pdu.type(header));
        if (bytes == 0 || (header[2] & 0xFF) != bytes) {
            fail(Pdu.BAD_FIELD, bytes == 0 ? 0 : 2);
            return;
        }
        if (got < bytes) {
            return;
        }
        got = 0;
        int data = Pdu.dataAt(header);
        int behind = Pdu.length(header) - Math.max(bytes, data);
        boolean odd = behind < 0 || behind > LARGEST || (data == 0 && behind > 0) || (data > 0 && data < bytes);
        if (odd) {
            fail(Pdu.BAD_FIELD, 4);
            return;
        }
        int wrong = handler.header(header, data == 0 ? 0 : behind);
        if (wrong != 0) {
            fail(wrong, 0);
            return;
        }
        skip = data == 0 ? 0 : data - bytes;
        left = skip == 0 && data > 0 ? behind : 0;
    }

    private void fail(int why, int where) {
        dead = true;
        handler.broken(why, where);
    }
}
