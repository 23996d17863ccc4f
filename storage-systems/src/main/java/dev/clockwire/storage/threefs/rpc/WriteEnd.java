package dev.clockwire.storage.threefs.rpc;

import dev.clockwire.storage.threefs.net.RdmaDone;
import org.jspecify.annotations.Nullable;

/**
 * The end of a push: the answer has come, and the device has ended with the bytes: the answer may overtake the acknowledgement, and until that comes the bytes may be
 * sent again.
 */
public final class WriteEnd implements RdmaDone, RpcReply {
    private final RpcReply then;
    private @Nullable Message answer;
    private boolean written;

    /** Creates the end; {@code then} hears of it once. */
    public WriteEnd(RpcReply then) {
        this.then = then;
    }

    @Override
    public void done(boolean ok) {
        written = true;
        end();
    }

    @Override
    public void answered(Message m) {
        written |= m.status.isNoAnswer(); // who hears that closes the connection first
        told(m);
    }

    /** The answer has come, or there is none; the device ends with the bytes in any case. */
    public void told(Message m) {
        answer = m;
        end();
    }

    private void end() {
        Message m = answer;
        if (written && m != null) {
            answer = null;
            then.answered(m);
        }
    }
}
