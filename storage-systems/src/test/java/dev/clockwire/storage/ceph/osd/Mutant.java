package dev.clockwire.storage.ceph.osd;

import dev.clockwire.storage.ceph.check.CephEvents;
import dev.clockwire.storage.ceph.msgr2.Dispatcher;
import dev.clockwire.storage.ceph.msgr2.Messenger;
import dev.clockwire.storage.ceph.msgr2.MessengerSpec;
import dev.clockwire.storage.ceph.msgr2.MutantMessenger;
import dev.clockwire.storage.ceph.store.PgDisk;
import dev.clockwire.storage.ceph.stream.RdmaStack;
import dev.clockwire.storage.cluster.Node;
import java.util.List;

/** OSDs that break one rule each. */
public enum Mutant {
    /** A write is acknowledged when the primary alone has it. */
    EARLY_ACK {
        @Override
        Parts parts() {
            return groups(MutantGroups.EarlyAck::new);
        }
    },
    /** Writes have no entries in the log. */
    NO_LOG_ENTRY {
        @Override
        Parts parts() {
            return groups(MutantGroups.NoEntry::new);
        }
    },
    /** A request that is sent again is done again. */
    NO_REQUESTS {
        @Override
        Parts parts() {
            return groups(MutantGroups.NoRequests::new);
        }
    },
    /** A primary answers reads for as long as nobody tells it otherwise. */
    NO_LEASE {
        @Override
        Parts parts() {
            return new Parts() {
                @Override
                Heartbeats heartbeats(Osd osd) {
                    return new Heartbeats(osd) {
                        @Override
                        boolean mayRead(List<Integer> peers) {
                            return true;
                        }
                    };
                }
            };
        }
    },
    /** Who is dead may not answer reads any more, whatever it was promised. */
    NO_PROMISE {
        @Override
        Parts parts() {
            return new Parts() {
                @Override
                Heartbeats heartbeats(Osd osd) {
                    return new Heartbeats(osd) {
                        @Override
                        long promisedPs(int peer) {
                            return 0;
                        }
                    };
                }
            };
        }
    },
    /** What others of a group say is heeded, whatever interval it is of. */
    ANY_INTERVAL {
        @Override
        Parts parts() {
            return groups(MutantGroups.AnyInterval::new);
        }
    },
    /** Readers of an object do not wait for its writers. */
    NO_OBJECT_LOCK {
        @Override
        Parts parts() {
            return new Parts() {
                @Override
                ObjectLock lock() {
                    return new OpenLock();
                }
            };
        }
    },
    /** An OSD says what it has while it still writes. */
    NO_FLUSH {
        @Override
        Parts parts() {
            return peerings(MutantPeerings.NoFlush::new);
        }
    },
    /** A primary follows its own log. */
    OWN_LOG {
        @Override
        Parts parts() {
            return peerings(MutantPeerings.OwnLog::new);
        }
    },
    /** What is in the log is acknowledged, whoever misses the object. */
    NO_PATIENCE {
        @Override
        Parts parts() {
            return peerings(MutantPeerings.NoPatience::new);
        }
    },
    /** A message that comes again over another connection is taken again. */
    DUPLICATES {
        @Override
        Parts parts() {
            return messengers(MutantMessenger.Duplicates::new);
        }
    },
    /** Messages are not kept for another connection. */
    FORGETFUL {
        @Override
        Parts parts() {
            return messengers(MutantMessenger.Forgetful::new);
        }
    };

    /** Makes groups. */
    private interface Groups {
        Pg make(Osd osd, int id, PgDisk disk);
    }

    /** Makes peerings. */
    private interface Peerings {
        Peering make(Pg pg, Osd osd);
    }

    /** Makes messengers. */
    private interface Messengers {
        Messenger make(Node node, RdmaStack stack, MessengerSpec spec, Dispatcher dispatcher, CephEvents events);
    }

    private static Parts groups(Groups of) {
        return new Parts() {
            @Override
            Pg group(Osd osd, int id, PgDisk disk) {
                return of.make(osd, id, disk);
            }
        };
    }

    private static Parts peerings(Peerings of) {
        return new Parts() {
            @Override
            Peering peering(Pg pg, Osd osd) {
                return of.make(pg, osd);
            }
        };
    }

    private static Parts messengers(Messengers of) {
        return new Parts() {
            @Override
            Messenger messenger(
                    Node node, RdmaStack stack, MessengerSpec spec, Dispatcher dispatcher, CephEvents events) {
                return of.make(node, stack, spec, dispatcher, events);
            }
        };
    }

    abstract Parts parts();

    /** Makes an OSD that breaks the rule. */
    public Osd osd(Node node, OsdSpec spec, Osd.Cast cast) {
        return new Osd(node, spec, cast, parts());
    }
}
