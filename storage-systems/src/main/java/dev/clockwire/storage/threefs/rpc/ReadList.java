package dev.clockwire.storage.threefs.rpc;

import dev.clockwire.nvme.format.LittleEndian;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Several reads in one request, as 3FS's batchRead: the first in its fields, the others behind them; and what became of each in the answer. */
public final class ReadList {
    /** Bytes of a read behind the fields of a request. */
    public static final int ASKED = 40;
    /** Bytes of a read behind the fields of an answer. */
    public static final int TOLD = 16;

    private ReadList() {}

    /** Puts reads into one request. */
    public static Message request(List<Message> reads) {
        Message m = reads.get(0);
        int more = reads.size() - 1;
        if (more == 0) {
            return m;
        }
        byte[] b = new byte[ASKED * more];
        for (int i = 0; i < more; i++) {
            Message r = reads.get(i + 1);
            int at = ASKED * i;
            LittleEndian.put64(b, at, r.key);
            LittleEndian.put64(b, at + 8, r.address);
            LittleEndian.put32(b, at + 16, r.chain);
            LittleEndian.put32(b, at + 20, r.chainVer);
            LittleEndian.put32(b, at + 24, r.offset);
            LittleEndian.put32(b, at + 28, r.length);
            LittleEndian.put32(b, at + 32, r.rkey);
        }
        return m.with(b, b.length);
    }

    /** Returns the reads of a request, null if it is none. */
    public static @Nullable List<Message> reads(Message request) {
        if (request.dataLength % ASKED != 0 || request.dataLength / ASKED >= Transfer.MOST_BATCH) {
            return null;
        }
        List<Message> reads = new ArrayList<>();
        reads.add(request);
        byte[] b = request.data;
        for (int at = 0; at < request.dataLength; at += ASKED) {
            Message r = new Message();
            r.method = request.method;
            r.id = request.id;
            r.client = request.client;
            r.key = LittleEndian.get64(b, at);
            r.address = LittleEndian.get64(b, at + 8);
            r.chain = LittleEndian.get32(b, at + 16);
            r.chainVer = LittleEndian.get32(b, at + 20);
            r.offset = LittleEndian.get32(b, at + 24);
            r.length = LittleEndian.get32(b, at + 28);
            r.rkey = LittleEndian.get32(b, at + 32);
            reads.add(r);
        }
        return reads;
    }

    /** Puts what became of reads into one answer. */
    public static Message answer(List<Message> answers) {
        Message m = answers.get(0);
        int more = answers.size() - 1;
        if (more == 0) {
            return m;
        }
        byte[] b = new byte[TOLD * more];
        for (int i = 0; i < more; i++) {
            Message a = answers.get(i + 1);
            LittleEndian.put32(b, TOLD * i, a.status.code());
            LittleEndian.put32(b, TOLD * i + 4, a.length);
            LittleEndian.put32(b, TOLD * i + 8, a.commitVer);
            LittleEndian.put32(b, TOLD * i + 12, a.checksum);
        }
        return m.with(b, b.length);
    }

    /** Returns what became of one of {@code count} reads; all have failed alike if the answer tells of no more than one. */
    public static Message answerOf(Message answer, int index, int count) {
        if (index == 0) {
            return answer;
        }
        Message a = new Message().answers(answer, answer.status);
        if (answer.dataLength == TOLD * (count - 1)) {
            int at = TOLD * (index - 1);
            Status status = Status.of(LittleEndian.get32(answer.data, at));
            a.status = status == null ? Status.INVALID : status;
            a.length = LittleEndian.get32(answer.data, at + 4);
            a.commitVer = LittleEndian.get32(answer.data, at + 8);
            a.checksum = LittleEndian.get32(answer.data, at + 12);
        } else if (answer.status == Status.OK) {
            a.status = Status.INVALID; // it tells nothing of this one
        }
        return a;
    }
}
