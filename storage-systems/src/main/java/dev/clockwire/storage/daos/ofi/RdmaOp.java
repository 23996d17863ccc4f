package dev.clockwire.storage.daos.ofi;

import dev.clockwire.nic.lab.MessageName;
import dev.clockwire.roce.transport.WrOpcode;

/**
 * A one-sided operation.
 *
 * @param name what it is for
 */
record RdmaOp(
        Conn conn,
        WrOpcode opcode,
        long va,
        int length,
        int lkey,
        long remote,
        int rkey,
        MessageName name,
        RdmaDone done) {}
