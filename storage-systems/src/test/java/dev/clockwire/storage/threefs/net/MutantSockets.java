package dev.clockwire.storage.threefs.net;

import dev.clockwire.nic.lab.WireCount;
import dev.clockwire.storage.cluster.Node;

/** Sockets that break one rule each. */
enum MutantSockets implements SocketRig.Making {
    /** Sends on when the other side has not taken what was sent before. */
    NO_CREDITS {
        @Override
        public IbSocket make(Node node, WireCount wire, IbSocketSpec spec, SocketMemory memory, SocketUser user) {
            return new IbSocket(node, wire, spec, memory, user) {
                @Override
                boolean mayReuse() {
                    return true;
                }
            };
        }
    },
    /** Posts another receive than the one that has come back. */
    WRONG_RECEIVE {
        @Override
        public IbSocket make(Node node, WireCount wire, IbSocketSpec spec, SocketMemory memory, SocketUser user) {
            return new IbSocket(node, wire, spec, memory, user) {
                @Override
                int next(int taken) {
                    return (taken + 1) % spec.receives();
                }
            };
        }
    },
    /** Has a completion queue for receives only. */
    SHORT_QUEUE {
        @Override
        public IbSocket make(Node node, WireCount wire, IbSocketSpec spec, SocketMemory memory, SocketUser user) {
            return new IbSocket(node, wire, spec, memory, user) {
                @Override
                int entries() {
                    return spec.receives();
                }
            };
        }
    }
}
