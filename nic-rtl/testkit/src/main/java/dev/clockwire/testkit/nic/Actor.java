package dev.clockwire.testkit.nic;

import dev.clockwire.nic.lab.LabHost;
import dev.clockwire.pcie.host.CoreProgram;
import dev.clockwire.pcie.host.CpuCore;
import dev.clockwire.roce.verbs.CompletionQueue;
import dev.clockwire.roce.verbs.WorkCompletion;
import java.util.ArrayList;
import java.util.List;

/** What the core of one host runs: polls its queues, judges completions, posts as long as there is room. */
final class Actor implements CoreProgram {
    private static final int POLL = 4;

    final LabHost host;
    final List<CompletionQueue> cqs = new ArrayList<>();
    final List<Endpoint> endpoints = new ArrayList<>();
    /** Receives are not posted before this time. */
    long receivesFrom;
    /** Time at which everything was done, 0 before. */
    long doneAt;
    /** Digest of all completions in order, with the times at which they were seen. */
    long digest;

    private final WorkCompletion[] found = WorkCompletion.array(POLL);
    private int turn;

    Actor(LabHost host) {
        this.host = host;
    }

    @Override
    public void step(CpuCore core) {
        boolean did = poll(core);
        boolean early = core.now() < receivesFrom;
        boolean done = true;
        for (int i = 0; i < endpoints.size(); i++) {
            Endpoint e = endpoints.get((turn + i) % endpoints.size());
            did |= !early && e.receive();
            done &= e.done();
        }
        for (int i = 0; i < endpoints.size() && !did; i++) {
            turn = (turn + 1) % endpoints.size();
            did = endpoints.get(turn).send();
        }
        if (done && doneAt == 0) {
            doneAt = core.now();
        }
        if (did) {
            core.wake();
            return;
        }
        if (early) {
            core.wakeAfter(receivesFrom - core.now());
        }
        cqs.forEach(host::idleUntil);
    }

    private boolean poll(CpuCore core) {
        boolean did = false;
        for (CompletionQueue cq : cqs) {
            int n = cq.poll(found);
            for (int i = 0; i < n; i++) {
                WorkCompletion wc = found[i];
                digest = digest * 0x9E3779B97F4A7C15L + core.now() * 31 + wc.wrId + ((long) wc.qpNum << 40);
                endpoint(wc.qpNum).completed(wc);
                did = true;
            }
        }
        return did;
    }

    private Endpoint endpoint(int qpn) {
        for (Endpoint e : endpoints) {
            if (e.qp.qpn() == qpn) {
                return e;
            }
        }
        throw new AssertionError("completion of unknown QP 0x" + Integer.toHexString(qpn));
    }
}
