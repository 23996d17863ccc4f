package dev.clockwire.testkit.nic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.lab.Lab;
import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.lab.PcieFaults;
import dev.clockwire.nic.profile.Profile;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.pcie.link.TlpFault;
import dev.clockwire.pcie.link.TlpFault.What;
import dev.clockwire.pcie.tlp.TlpType;
import dev.clockwire.roce.transport.QpState;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.transport.WcStatus;
import dev.clockwire.roce.verbs.Mtu;
import dev.clockwire.roce.verbs.QpAttributes;
import dev.clockwire.roce.verbs.ScatterGather;
import dev.clockwire.roce.verbs.SendWorkRequest;
import dev.clockwire.roce.verbs.WorkCompletion;
import dev.clockwire.sim.mem.Allocation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * One program with all operations on a chip that holds next to nothing; each read that a device does of its host's memory in turn is lost,
 * refused or given up. Whichever it is: what is said to have succeeded has, what failed is said once and in order, what comes behind it is
 * flushed, and after RESET all works again.
 */
class IcmErrorsTest {
    private static final int THEIRS = 100_000;
    private static final int RECEIVES = 200_000;
    private static final int COUNTER = 50_000;
    private static final long LIMIT_PS = 50_000_000_000L;
    /** More than a side of the program reads. */
    private static final int MOST_READS = 80;

    private final byte[] data = new byte[2000];
    private final byte[] theirs = new byte[2000];
    private int broken;

    IcmErrorsTest() {
        Random random = new Random(3);
        random.nextBytes(data);
        random.nextBytes(theirs);
    }

    private static Profile hardware() {
        return Profiles.named("cx7-400g")
                .with("pcie.completion_timeout_us", "100")
                .with("nic.blueflame", "false")
                .with("nic.cache.mtt_entries", "2")
                .with("nic.cache.mtt_ways", "1")
                .with("nic.cache.mpt_entries", "1")
                .with("nic.cache.mpt_ways", "1")
                .with("nic.cache.qpc_entries", "1")
                .with("nic.cache.qpc_ways", "1")
                .with("nic.cache.qpc_shared", "true")
                .with("nic.cache.wqe_entries", "1");
    }

    @ParameterizedTest
    @CsvSource({"REFUSE, true", "REFUSE, false", "LOSE, true", "LOSE, false", "ABORT, true"})
    void whicheverReadFails(What what, boolean client) {
        for (int n = 1; n < MOST_READS; n += what == What.REFUSE ? 1 : 3) {
            check(List.of(TlpFault.of(true, TlpType.MRD, n, what)), client);
        }
        assertThat(broken).as("runs that ended with an error").isGreaterThan(what == What.REFUSE ? 12 : 3);
    }

    /** The second try to read a WQE fails too, as does a flush's try to count receives. */
    @ParameterizedTest
    @CsvSource({"true", "false"})
    void severalInARowFail(boolean client) {
        for (int n = 1; n < MOST_READS; n += 2) {
            List<TlpFault> faults = new ArrayList<>();
            for (int k = 0; k < 6; k++) {
                faults.add(TlpFault.of(true, TlpType.MRD, n + k, What.REFUSE));
            }
            check(faults, client);
        }
        assertThat(broken).isGreaterThan(6);
    }

    private void check(List<TlpFault> faults, boolean client) {
        TlpFault[] all = faults.toArray(new TlpFault[0]);
        PcieFaults pcie = client ? PcieFaults.ofClient(all) : PcieFaults.ofServer(all);
        String as = faults + (client ? " of the client" : " of the server");
        Lab lab = Lab.twoHosts(hardware(), LabSpec.of(1).withPcieFaults(pcie));
        Pair p = new Pair(lab, QpType.RC, Mtu.MTU_256, Allocation.Kind.REAL, 64, rts -> rts.timeout(4));
        p.a.write(0, data);
        p.b.write(THEIRS, theirs);
        Posts b = new Posts(p.b, p.a);
        b.receive(RECEIVES, 1000);
        b.receive(RECEIVES + 1000, 1000);
        List<SendWorkRequest> program = program(p);
        program.forEach(p.a.qp::postSend);
        List<WcStatus> found = completions(p, program.size(), faults.size() == 1, as);
        lab.sim().run(lab.sim().now() + LIMIT_PS);
        assertThat(p.a.cq.hasCompletion()).as(as).isFalse();
        memory(p, found, as);
        if (found.contains(WcStatus.LOC_QP_OP_ERR) || found.contains(WcStatus.REM_OP_ERR)) {
            broken++;
        }
        again(p, faults.size() == 1, found.size() < program.size() || found.contains(WcStatus.WR_FLUSH_ERR), as);
    }

    /** Takes what the program's work requests end with; only if several reads fail may what cannot be read at all share a completion. */
    private List<WcStatus> completions(Pair p, int count, boolean each, String as) {
        List<WcStatus> all = new ArrayList<>();
        long last = 0;
        while (last < count) {
            WorkCompletion wc = p.next(p.a, LIMIT_PS);
            assertThat(wc.wrId).as(as).isBetween(last + 1, each ? last + 1 : count);
            last = wc.wrId;
            while (all.size() < last - 1) {
                all.add(WcStatus.WR_FLUSH_ERR);
            }
            all.add(wc.status);
            if (!each
                    && wc.status != WcStatus.SUCCESS
                    && !p.lab.sim().runUntil(p.a.cq::hasCompletion, p.lab.sim().now() + LIMIT_PS)) {
                break;
            }
        }
        int good = 0;
        while (good < all.size() && all.get(good) == WcStatus.SUCCESS) {
            good++;
        }
        if (good < all.size()) {
            assertThat(all.get(good)).as(as).isNotEqualTo(WcStatus.SUCCESS);
            assertThat(all.subList(good + 1, all.size())).as(as + all).allMatch(WcStatus.WR_FLUSH_ERR::equals);
        }
        return all;
    }

    private List<SendWorkRequest> program(Pair p) {
        int key = p.b.mr.rkey();
        return List.of(
                SendWorkRequest.write(1, p.b.at(0), key, ScatterGather.of(p.a.mr, 0, 1000)),
                SendWorkRequest.send(2, ScatterGather.of(p.a.mr, 1000, 700)),
                SendWorkRequest.read(3, p.b.at(THEIRS), key, ScatterGather.of(p.a.mr, 20_000, 1200)),
                SendWorkRequest.fetchAndAdd(4, p.b.at(COUNTER), key, 5, ScatterGather.of(p.a.mr, 30_000, 8)),
                SendWorkRequest.read(5, p.b.at(COUNTER), key, ScatterGather.of(p.a.mr, 31_000, 8)),
                SendWorkRequest.send(6, ScatterGather.of(p.a.mr, 0, 0)),
                SendWorkRequest.write(7, p.b.at(1000), key, ScatterGather.of(p.a.mr, 1000, 257)));
    }

    private void memory(Pair p, List<WcStatus> found, String as) {
        int good = (int) found.stream().filter(WcStatus.SUCCESS::equals).count();
        if (good >= 1) {
            assertThat(p.b.read(0, 1000)).as(as).isEqualTo(Arrays.copyOf(data, 1000));
        }
        if (good >= 2) {
            assertThat(p.b.read(RECEIVES, 700)).as(as).isEqualTo(Arrays.copyOfRange(data, 1000, 1700));
        }
        if (good >= 3) {
            assertThat(p.a.read(20_000, 1200)).as(as).isEqualTo(Arrays.copyOf(theirs, 1200));
        }
        if (good >= 5) {
            assertThat(p.a.read(31_000, 1)[0]).as(as).isEqualTo((byte) 5);
        }
        if (good >= 7) {
            assertThat(p.b.read(1000, 257)).as(as).isEqualTo(Arrays.copyOfRange(data, 1000, 1257));
        }
        assertThat(p.b.read(COUNTER, 1)[0]).as(as).isIn((byte) 0, (byte) 5);
        receives(p, good, as);
    }

    /** The peer's receives end once each: well if the SEND did, never with a success that did not happen. */
    private void receives(Pair p, int good, String as) {
        List<WcStatus> ended = new ArrayList<>();
        while (p.b.cq.hasCompletion()) {
            WorkCompletion wc = p.next(p.b);
            ended.add(wc.status);
            if (wc.status == WcStatus.SUCCESS && ended.size() == 1) {
                assertThat(p.b.read(RECEIVES, 700)).as(as).isEqualTo(Arrays.copyOfRange(data, 1000, 1700));
            }
        }
        assertThat(ended.size()).as(as).isLessThanOrEqualTo(2);
        long well = ended.stream().filter(WcStatus.SUCCESS::equals).count();
        assertThat(well).as(as).isGreaterThanOrEqualTo(good >= 6 ? 2 : good >= 2 ? 1 : 0);
    }

    private void again(Pair p, boolean once, boolean failed, String as) {
        for (Pair.Side side : new Pair.Side[] {p.a, p.b}) {
            p.lab.await(side.qp.modify(new QpAttributes().state(QpState.RESET)));
            assertThat(side.qp.state()).as(as).isEqualTo(QpState.RESET);
        }
        Connections.join(p.lab, p.a.qp, p.lab.b().gid(), p.b.qp.qpn(), 7, 9, Mtu.MTU_256);
        Connections.join(p.lab, p.b.qp, p.lab.a().gid(), p.a.qp.qpn(), 9, 7, Mtu.MTU_256);
        p.a.write(40_000, data);
        p.a.qp.postSend(SendWorkRequest.write(
                99, p.b.at(300_000), p.b.mr.rkey(), ScatterGather.of(p.a.mr, 40_000, data.length)));
        WcStatus last = p.next(p.a, LIMIT_PS).status; // some fault may be left for it
        if (last == WcStatus.SUCCESS) {
            assertThat(p.b.read(300_000, data.length)).as(as).isEqualTo(data);
        }
        assertThat(last == WcStatus.SUCCESS || !(once && failed)).as(as).isTrue();
    }
}
