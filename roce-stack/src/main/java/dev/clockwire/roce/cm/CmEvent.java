package dev.clockwire.roce.cm;

import org.jspecify.annotations.Nullable;

/**
 * Something that happened to a connection.
 *
 * @param type what
 * @param id the connection; at a connect request a new one
 * @param message the message that told of it, null if none did
 */
public record CmEvent(CmEventType type, CmId id, @Nullable CmMessage message) {
    /** Returns what the other side's application sent along. */
    public PrivateData privateData() {
        if (message instanceof CmReq req && ServiceId.isTcp(req.serviceId())) {
            return IpCmHeader.application(req.privateData());
        }
        return message == null ? PrivateData.NONE : message.privateData();
    }

    /** Returns the reason of a refusal, 0 of any other event. */
    public int reason() {
        return message instanceof CmRej rej ? rej.reason() : 0;
    }
}
