package dev.clockwire.storage.check;

import dev.clockwire.storage.check.Operation.Kind;
import dev.clockwire.storage.check.Operation.Outcome;
import java.util.ArrayList;
import java.util.List;

/** Histories of one key, written line by line. */
final class Ops {
    final List<Operation> list = new ArrayList<>();
    private int client;

    /** A write that was answered; each operation has a client of its own. */
    Ops write(String value, long version, long invoke, long end) {
        return add(Kind.WRITE, value, version, invoke, end, Outcome.OK, 1);
    }

    Ops retriedWrite(String value, long version, long invoke, long end) {
        return add(Kind.WRITE, value, version, invoke, end, Outcome.OK, 2);
    }

    Ops read(String value, long version, long invoke, long end) {
        return add(Kind.READ, value, version, invoke, end, Outcome.OK, 1);
    }

    Ops unknownWrite(String value, long invoke) {
        return add(Kind.WRITE, value, Operation.NO_VERSION, invoke, Operation.NEVER, Outcome.UNKNOWN, 1);
    }

    Ops failedWrite(String value, long invoke, long end) {
        return add(Kind.WRITE, value, Operation.NO_VERSION, invoke, end, Outcome.FAIL, 1);
    }

    Ops add(Kind kind, String value, long version, long invoke, long end, Outcome outcome, int attempts) {
        list.add(new Operation(client++, kind, "k", value, invoke, end, outcome, version, attempts));
        return this;
    }

    History history() {
        return History.of(list);
    }

    /** Of this process, in nanoseconds: others may be busy. */
    static long cpuTime() {
        return ProcessHandle.current().info().totalCpuDuration().orElseThrow().toNanos();
    }
}
