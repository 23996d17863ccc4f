package dev.clockwire.storage.threefs.server;

import dev.clockwire.sim.mem.MemorySanitizer;
import dev.clockwire.storage.cluster.Node;
import dev.clockwire.storage.threefs.chunk.ChunkMeta;
import dev.clockwire.storage.threefs.rpc.Message;
import dev.clockwire.storage.threefs.rpc.RpcPeer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Services that break one rule each. */
public enum Mutant {
    /** Writes of one chunk do not wait for each other. */
    NO_LOCK {
        @Override
        Parts parts() {
            return new Parts() {
                @Override
                Locks locks() {
                    return new MutantLocks();
                }
            };
        }
    },
    /** The head acknowledges as soon as it has the version itself. */
    EARLY_ACK {
        @Override
        Parts parts() {
            return updates(MutantUpdates.EarlyAck::new);
        }
    },
    /** The head acknowledges when those behind have committed, before it has. */
    ACK_BEFORE_COMMIT {
        @Override
        Parts parts() {
            return updates(MutantUpdates.AckBeforeCommit::new);
        }
    },
    /** Requests for any version of the chain are taken, and by anybody as if he were head. */
    NO_CHAIN_VERSION {
        @Override
        Parts parts() {
            return gate(new MutantGates.AnyChain());
        }
    },
    /** A node serves for as long as nobody tells it otherwise. */
    NO_LEASE {
        @Override
        Parts parts() {
            return gate(new MutantGates.NoLease());
        }
    },
    /** A node that has restarted takes part before everybody knows that it was gone. */
    EARLY_RETURN {
        @Override
        Parts parts() {
            return gate(new MutantGates.EarlyReturn());
        }
    },
    /** A version that is committed is written again. */
    NO_DONE_CHECK {
        @Override
        Parts parts() {
            return updates(MutantUpdates.NoDoneCheck::new);
        }
    },
    /** A reader gets what is pending. */
    NO_PENDING_CHECK {
        @Override
        Parts parts() {
            return reads(MutantReads.Pending::new);
        }
    },
    /** A reader gets what is pending, and the next one what was before. */
    OLD_IN_TURN {
        @Override
        Parts parts() {
            return reads(MutantReads.InTurn::new);
        }
    },
    /** A read takes a buffer that it does not give back. */
    KEEPS_BUFFER {
        @Override
        Parts parts() {
            return reads(MutantReads.Keeps::new);
        }
    },
    /** A reader gets what was in a block when it was read, whatever has become of the block meanwhile. */
    NO_BLOCK_CHECK {
        @Override
        Parts parts() {
            return reads(MutantReads.AnyBlock::new);
        }
    },
    /** What is brought up to date is compared by its version alone. */
    VERSION_ONLY {
        @Override
        Parts parts() {
            return resync(MutantResync.VersionOnly::new);
        }
    },
    /** Who tells another node to take a target offline names its own target. */
    OWN_TARGET {
        @Override
        Parts parts() {
            return resync(MutantResync.OwnTarget::new);
        }
    },
    /**
     * A target that is brought up to date is sent a version as if it had the one before, and takes it. Only both together do harm: who is serving has what was committed
     * before, and who is syncing is sent whole chunks, or says what it misses and is sent one then.
     */
    PARTIAL_SYNC {
        @Override
        Parts parts() {
            return updates(MutantUpdates.PartialSync::new);
        }
    },
    /** A buffer is free again while the device may still write it. */
    EARLY_FREE {
        @Override
        Parts parts() {
            return updates(MutantUpdates.EarlyFree::new);
        }
    },
    /** Slots of a lost connection are free while writes still use them. */
    EARLY_SLOT {
        @Override
        Parts parts() {
            return new Parts() {
                @Override
                Granted granted(BufferPool pool, @Nullable MemorySanitizer memory, int bytes, int lead, int qpn) {
                    return new EarlySlots(pool, memory, bytes, lead, qpn);
                }
            };
        }
    },
    /** Slots are not divided by places in a chain: a head's forwards use those of a middle, and a middle's the same; and nobody leaves buffers to those behind. */
    ONE_PLACE {
        @Override
        Parts parts() {
            return new Parts() {
                @Override
                int place(int place) {
                    return 1;
                }

                @Override
                int leaves(int behind) {
                    return 0;
                }
            };
        }
    },
    /** Nobody remembers what a channel has asked for last. */
    NO_CHANNELS {
        @Override
        Parts parts() {
            return new Parts() {
                @Override
                Channels channels() {
                    return new NoChannels();
                }
            };
        }
    },
    /** A head drops what it finds pending, as if nobody behind could have committed it. */
    ROLL_BACK {
        @Override
        Parts parts() {
            return new Parts() {
                @Override
                Leftover leftover(
                        StorageService service, LocalTarget target, ChunkMeta chunk, long buffer, Runnable then) {
                    return new RollBack(service, target, chunk, buffer, then);
                }
            };
        }
    };

    /** Makes writes. */
    private interface Updates {
        UpdateOp make(StorageService service, RpcPeer from, Message m);
    }

    /** Makes reads. */
    private interface Reads {
        ReadOp make(StorageService service, ReadBatch batch, Message m);
    }

    private static Parts resync(Function<StorageService, Resync> of) {
        return new Parts() {
            @Override
            Resync resync(StorageService service) {
                return of.apply(service);
            }
        };
    }

    private static Parts gate(Gate of) {
        return new Parts() {
            @Override
            Gate gate() {
                return of;
            }
        };
    }

    private static Parts updates(Updates of) {
        return new Parts() {
            @Override
            UpdateOp update(StorageService service, RpcPeer from, Message m) {
                return of.make(service, from, m);
            }
        };
    }

    private static Parts reads(Reads of) {
        return new Parts() {
            @Override
            ReadOp read(StorageService service, ReadBatch batch, Message m) {
                return of.make(service, batch, m);
            }
        };
    }

    abstract Parts parts();

    /** Makes a service that breaks the rule. */
    public StorageService service(Node node, ServiceSpec spec, StorageService.Cast cast) {
        return new StorageService(node, spec, cast, parts());
    }
}
