package dev.clockwire.storage.ceph.msgr2;

import dev.clockwire.storage.ceph.check.CephEvents;
import dev.clockwire.storage.ceph.stream.RdmaStack;
import dev.clockwire.storage.cluster.Node;
import org.jspecify.annotations.Nullable;

/** Messengers whose sessions break a rule each. */
public final class MutantMessenger {
    private MutantMessenger() {}

    /** Does not know what it has taken over the connection before. */
    public static final class Duplicates extends Messenger {
        /** Creates the messenger. */
        public Duplicates(Node node, RdmaStack stack, MessengerSpec spec, Dispatcher dispatcher, CephEvents events) {
            super(node, stack, spec, dispatcher, events);
        }

        @Override
        Session session(int peer, @Nullable Node to, boolean lossless, boolean dials) {
            return new Session(this, peer, to, lossless, dials) {
                @Override
                boolean isNew(long seq) {
                    return true;
                }

                @Override
                long received() {
                    return 0;
                }
            };
        }
    }

    /** Keeps nothing that was sent. */
    public static final class Forgetful extends Messenger {
        /** Creates the messenger. */
        public Forgetful(Node node, RdmaStack stack, MessengerSpec spec, Dispatcher dispatcher, CephEvents events) {
            super(node, stack, spec, dispatcher, events);
        }

        @Override
        Session session(int peer, @Nullable Node to, boolean lossless, boolean dials) {
            return new Session(this, peer, to, lossless, dials) {
                @Override
                boolean keeps() {
                    return false;
                }
            };
        }
    }
}
