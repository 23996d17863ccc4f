package dev.clockwire.storage.ceph.osd;

import dev.clockwire.storage.ceph.msgr2.Message;
import dev.clockwire.storage.ceph.msgr2.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** A write of a primary that is not committed everywhere. */
final class WriteOp {
    final Message request;
    final List<Session> askers = new ArrayList<>();
    final Set<Integer> missing = new TreeSet<>();
    long version;

    WriteOp(Session asker, Message request) {
        this.request = request;
        askers.add(asker);
    }

    boolean isOf(long client, long tid) {
        return request.client == client && request.tid == tid;
    }
}
