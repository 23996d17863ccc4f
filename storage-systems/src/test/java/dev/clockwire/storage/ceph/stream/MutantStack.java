package dev.clockwire.storage.ceph.stream;

import dev.clockwire.nic.lab.WireCount;
import dev.clockwire.storage.cluster.Node;

/** Transports that use a chunk again too early. */
public final class MutantStack {
    private MutantStack() {}

    /** Chunks that are free as soon as they are taken. */
    private static final class Careless extends ChunkPool {
        Careless(int chunkBytes, int slab) {
            super(chunkBytes, slab);
        }

        @Override
        int take() {
            int i = super.take();
            if (i >= 0) {
                super.give(i);
            }
            return i;
        }

        @Override
        void give(int i) {
            if (isOut(i)) {
                super.give(i);
            }
        }
    }

    /** Chunks that may be given back twice. */
    private static final class Patient extends ChunkPool {
        Patient(int chunkBytes, int slab) {
            super(chunkBytes, slab);
        }

        @Override
        void give(int i) {
            if (isOut(i)) {
                super.give(i);
            }
        }
    }

    /** Fills the same chunk for every send. */
    public static final class EarlySend extends RdmaStack {
        /** Creates the transport. */
        public EarlySend(Node node, WireCount wire, StreamSpec spec) {
            super(node, wire, spec);
        }

        @Override
        ChunkPool pool(boolean sends, int chunkBytes, int slab) {
            return sends ? new Careless(chunkBytes, slab) : super.pool(false, chunkBytes, slab);
        }
    }

    /** Gives a chunk back when something has come into it. */
    public static final class EarlyReceive extends RdmaStack {
        /** Creates the transport. */
        public EarlyReceive(Node node, WireCount wire, StreamSpec spec) {
            super(node, wire, spec);
        }

        @Override
        ChunkPool pool(boolean sends, int chunkBytes, int slab) {
            return sends ? super.pool(true, chunkBytes, slab) : new Patient(chunkBytes, slab);
        }

        @Override
        RdmaStream stream() {
            return new RdmaStream(this) {
                @Override
                boolean arrived(int chunk, int length) {
                    receives().give(chunk);
                    return super.arrived(chunk, length);
                }
            };
        }
    }
}
