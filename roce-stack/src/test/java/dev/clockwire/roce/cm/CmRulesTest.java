package dev.clockwire.roce.cm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.roce.verbs.Gid;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class CmRulesTest {
    private static final CmTimes TIMES = new CmTimes(10, 2, 12);
    private static final long WAIT = 4_096_000L << 10;
    private static final long TIMEWAIT = 4_096_000L << 12;

    private static final CmReq REQ = new CmReq(
            7,
            ServiceId.tcp(7174),
            1,
            0,
            0x11,
            1,
            1,
            10,
            0,
            false,
            100,
            10,
            7,
            0xFFFF,
            5,
            false,
            7,
            2,
            false,
            0,
            0,
            0,
            CmPath.ethernet(Gid.ofIpv4(1), Gid.ofIpv4(2), 5, 19),
            CmPath.NONE,
            PrivateData.NONE);
    private static final CmRep REP =
            new CmRep(9, 7, 0, 0x22, 200, 1, 1, 15, 0, false, 7, false, 0, 2, PrivateData.NONE);

    private final CmSession client =
            CmRules.connect(CmSession.client(7, 55), REQ, TIMES).next();
    private final CmSession asked =
            CmRules.received(CmSession.server(9), new Mad(55, REQ), TIMES).next();
    private final CmSession server = CmRules.accept(asked, REP, REQ).next();

    private static CmMessage sent(CmStep step) {
        return Objects.requireNonNull(step.send()).message();
    }

    private CmSession connectedClient() {
        CmSession answered = CmRules.received(client, new Mad(55, REP), TIMES).next();
        return CmRules.ready(answered, PrivateData.NONE).next();
    }

    private CmSession connectedServer() {
        return CmRules.received(server, new Mad(55, new CmRtu(7, 9, PrivateData.NONE)), TIMES)
                .next();
    }

    @Test
    void aRequestIsRepeatedAndThenGivenUp() {
        CmStep step = CmRules.timeout(client, TIMES);
        assertThat(sent(step)).isEqualTo(REQ);
        assertThat(step.timerPs()).isEqualTo(WAIT);
        step = CmRules.timeout(step.next(), TIMES);
        assertThat(sent(step)).isEqualTo(REQ);
        step = CmRules.timeout(step.next(), TIMES);
        assertThat(step.event()).isEqualTo(CmEventType.UNREACHABLE);
        assertThat(((CmRej) sent(step)).reason()).isEqualTo(4);
        assertThat(step.timerPs()).isEqualTo(TIMEWAIT);
        assertThat(CmRules.timeout(step.next(), TIMES).event()).isEqualTo(CmEventType.TIMEWAIT_EXIT);
    }

    @Test
    void aRepeatedRequestGetsTheSameReplyAndNoSecondEvent() {
        CmStep early = CmRules.received(asked, new Mad(55, REQ), TIMES);
        assertThat(early).isEqualTo(CmStep.nothing(asked));
        for (CmSession s : new CmSession[] {server, connectedServer()}) {
            CmStep again = CmRules.received(s, new Mad(55, REQ), TIMES);
            assertThat(again.send()).isEqualTo(new Mad(55, REP));
            assertThat(again.event()).isNull();
            assertThat(again.next()).isEqualTo(s);
        }
        CmStep no = CmRules.reject(asked, CmReason.CONSUMER_DEFINED, PrivateData.NONE, TIMES);
        assertThat(CmRules.received(no.next(), new Mad(55, REQ), TIMES).send()).isEqualTo(no.send());
    }

    @Test
    void aRepeatedReplyGetsTheSameRtu() {
        CmSession s = connectedClient();
        CmStep again = CmRules.received(s, new Mad(55, REP), TIMES);
        assertThat(sent(again)).isEqualTo(new CmRtu(7, 9, PrivateData.NONE));
        assertThat(again.event()).isNull();
    }

    @Test
    void dataCountsAsTheRtu() {
        CmStep step = CmRules.communicationEstablished(server);
        assertThat(step.event()).isEqualTo(CmEventType.ESTABLISHED);
        assertThat(step.timerPs()).isEqualTo(CmStep.OFF);
        CmStep late = CmRules.received(step.next(), new Mad(55, new CmRtu(7, 9, PrivateData.NONE)), TIMES);
        assertThat(late).isEqualTo(CmStep.nothing(step.next()));
    }

    @Test
    void anMraProlongsTheWait() {
        CmStep step = CmRules.received(client, new Mad(55, new CmMra(9, 7, 0, 14, PrivateData.NONE)), TIMES);
        assertThat(step.timerPs()).isEqualTo((4_096_000L << 14) + WAIT);
        assertThat(step.next()).isEqualTo(client);
        CmStep other = CmRules.received(client, new Mad(55, new CmMra(9, 7, 1, 14, PrivateData.NONE)), TIMES);
        assertThat(other.timerPs()).isEqualTo(CmStep.KEEP);
    }

    @Test
    void aDisconnectNamesTheReceiversQueuePair() {
        CmSession s = connectedServer();
        CmStep wrong = CmRules.received(s, new Mad(77, new CmDreq(7, 9, 0x23, PrivateData.NONE)), TIMES);
        assertThat(wrong).isEqualTo(CmStep.nothing(s));
        CmStep right = CmRules.received(s, new Mad(77, new CmDreq(7, 9, 0x22, PrivateData.NONE)), TIMES);
        assertThat(right.send()).isEqualTo(new Mad(77, new CmDrep(9, 7, PrivateData.NONE)));
        assertThat(right.event()).isEqualTo(CmEventType.DISCONNECTED);
        CmStep again = CmRules.received(right.next(), new Mad(77, new CmDreq(7, 9, 0x22, PrivateData.NONE)), TIMES);
        assertThat(again.send()).isEqualTo(right.send());
        assertThat(again.event()).isNull();
        assertThat(again.timerPs()).isEqualTo(CmStep.KEEP);
    }

    @Test
    void disconnectsThatCrossEndBothSides() {
        CmStep own = CmRules.disconnect(connectedClient(), 0x22, TIMES);
        assertThat(sent(own)).isEqualTo(new CmDreq(7, 9, 0x22, PrivateData.NONE));
        CmStep crossed = CmRules.received(own.next(), new Mad(77, new CmDreq(9, 7, 0x11, PrivateData.NONE)), TIMES);
        assertThat(sent(crossed)).isInstanceOf(CmDrep.class);
        assertThat(crossed.event()).isEqualTo(CmEventType.DISCONNECTED);
        assertThat(CmRules.disconnect(crossed.next(), 0x22, TIMES).send()).isNull();
    }

    @Test
    void aDisconnectThatNobodyAnswersEndsAnyway() {
        CmStep step = CmRules.disconnect(connectedClient(), 0x22, TIMES);
        for (int i = 0; i < 2; i++) {
            step = CmRules.timeout(step.next(), TIMES);
            assertThat(sent(step)).isInstanceOf(CmDreq.class);
        }
        step = CmRules.timeout(step.next(), TIMES);
        assertThat(step.event()).isEqualTo(CmEventType.DISCONNECTED);
        assertThat(step.next().phase()).isEqualTo(CmPhase.TIMEWAIT);
    }

    @Test
    void refusalsEndWhatIsOpen() {
        Mad rej = new Mad(55, new CmRej(0, 7, 0, 8, PrivateData.NONE, PrivateData.NONE));
        assertThat(CmRules.received(client, rej, TIMES).event()).isEqualTo(CmEventType.REJECTED);
        assertThat(CmRules.received(server, rej, TIMES).next().phase()).isEqualTo(CmPhase.CLOSED);
        assertThat(CmRules.received(connectedClient(), rej, TIMES)).isEqualTo(CmStep.nothing(connectedClient()));
    }

    @Test
    void messagesOutOfPlaceChangeNothing() {
        assertThat(CmRules.received(server, new Mad(55, REP), TIMES)).isEqualTo(CmStep.nothing(server));
        assertThat(CmRules.received(client, new Mad(55, new CmRtu(9, 7, PrivateData.NONE)), TIMES))
                .isEqualTo(CmStep.nothing(client));
        assertThat(CmRules.received(client, new Mad(55, new CmDrep(9, 7, PrivateData.NONE)), TIMES))
                .isEqualTo(CmStep.nothing(client));
        assertThat(CmRules.timeout(connectedClient(), TIMES)).isEqualTo(CmStep.nothing(connectedClient()));
    }
}
