package dev.clockwire.storage.threefs.server;

import dev.clockwire.storage.threefs.net.RdmaRange;
import dev.clockwire.storage.threefs.rpc.Message;
import dev.clockwire.storage.threefs.rpc.Method;
import dev.clockwire.storage.threefs.rpc.ReadList;
import dev.clockwire.storage.threefs.rpc.RpcPeer;
import dev.clockwire.storage.threefs.rpc.Status;
import java.util.ArrayList;
import java.util.List;

/**
 * The reads of one request: each is judged by itself, buffers are taken for all at once, the disk reads them at the same time, their bytes go to the client's memory as one list of WRITEs,
 * and when these have arrived the answer tells of each.
 */
final class ReadBatch {
    private final StorageService service;
    private final RpcPeer from;
    private final List<ReadOp> ops = new ArrayList<>();
    private int open;
    private long request;

    ReadBatch(StorageService service, RpcPeer from) {
        this.service = service;
        this.from = from;
    }

    /** Judges the reads, and carries those out that may be. */
    void start(List<Message> reads) {
        request = reads.get(0).request;
        reads.forEach(m -> ops.add(service.parts().read(service, this, m)));
        open = ops.size();
        ops.forEach(ReadOp::judge);
    }

    /** A read is refused, or waits for a buffer. */
    void judged() {
        if (--open > 0) {
            return;
        }
        List<ReadOp> wanting = ops.stream().filter(op -> !op.isEnded()).toList();
        open = wanting.size();
        if (open == 0) {
            answer();
            return;
        }
        service.buffers().take(open, some -> {
            for (int i = 0; i < some.length; i++) {
                wanting.get(i).fill(some[i]);
            }
        });
    }

    /** A read is refused, or its bytes are in its buffer. */
    void ready() {
        if (--open > 0) {
            return;
        }
        List<RdmaRange> ranges = new ArrayList<>();
        for (ReadOp op : ops) {
            if (!op.isEnded()) {
                ranges.add(op.range());
            }
        }
        if (ranges.isEmpty()) {
            answer();
        } else if (service.spec().transfer().transmissions() == 0) {
            send(ranges);
        } else {
            Message m = service.ownMessage(Method.APPLY, 0, 0);
            m.request = request;
            from.call(m, service.spec().times().rpc(), any -> {
                ops.forEach(ReadOp::permitted);
                send(ranges); // no permit in time: a client that says nothing is not waited for
            });
        }
    }

    private void send(List<RdmaRange> ranges) {
        from.socket().write(ranges, Message.CHUNK, ok -> {
            ops.stream().filter(op -> !op.isEnded()).forEach(op -> op.sent(ok ? Status.OK : Status.COMMUNICATION));
            answer();
        });
    }

    private void answer() {
        from.answer(ReadList.answer(ops.stream().map(ReadOp::answer).toList()));
        ops.forEach(ReadOp::left);
    }
}
