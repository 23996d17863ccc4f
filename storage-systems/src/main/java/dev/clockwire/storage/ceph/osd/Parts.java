package dev.clockwire.storage.ceph.osd;

import dev.clockwire.storage.ceph.check.CephEvents;
import dev.clockwire.storage.ceph.msgr2.Dispatcher;
import dev.clockwire.storage.ceph.msgr2.Messenger;
import dev.clockwire.storage.ceph.msgr2.MessengerSpec;
import dev.clockwire.storage.ceph.store.PgDisk;
import dev.clockwire.storage.ceph.stream.RdmaStack;
import dev.clockwire.storage.cluster.Node;

/**
 * What an OSD is made of. Each rule on which safety rests is a method of one part, so a test can put in a part that breaks a rule, and see who finds out; the OSD knows nothing of
 * that.
 */
class Parts {
    Messenger messenger(Node node, RdmaStack stack, MessengerSpec spec, Dispatcher dispatcher, CephEvents events) {
        return new Messenger(node, stack, spec, dispatcher, events);
    }

    Heartbeats heartbeats(Osd osd) {
        return new Heartbeats(osd);
    }

    Pg group(Osd osd, int id, PgDisk disk) {
        return new Pg(osd, id, disk);
    }

    ObjectLock lock() {
        return new ObjectLock();
    }

    Peering peering(Pg pg, Osd osd) {
        return new Peering(pg, osd);
    }
}
