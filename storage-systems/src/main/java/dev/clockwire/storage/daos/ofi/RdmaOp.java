package dev.clockwire.storage.daos.ofi;

import dev.clockwire.roce.transport.WrOpcode;

/**
 * A one-sided operation.
 *
 * @param overhead what it is if it is no part of an operation of a client, else empty
 */
record RdmaOp(
        Conn conn,
        WrOpcode opcode,
        long va,
        int length,
        int lkey,
        long remote,
        int rkey,
        String overhead,
        RdmaDone done) {}
