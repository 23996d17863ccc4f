package dev.clockwire.storage.threefs;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Schedules under which something was once lost, seen in the wrong order, or never ended: as they were printed. */
class FoundFaultsTest {
    private static void judge(String line) {
        assertThat(Trial.parse(line).judge()).isEmpty();
    }

    /** A head that was lost and is brought up to date must not commit by itself what it had pending as head. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "PULL REJECT MIX ops=16 keys=1 clients=3 seed=7 schedule=\"node0:written#3 exit\"",
                "PULL REJECT MIX ops=16 keys=1 clients=3 seed=7 schedule=\"node0:data#3 pause for=5ms\"",
                "PULL REJECT MIX ops=16 keys=1 clients=3 seed=7 schedule=\"node1:read#1 reset restart=3ms\""
            })
    void aHeadThatWasLostCommitsNothing(String line) {
        judge(line);
    }

    /** A node that has restarted stands in the chains for who it was; until it is shown as gone it must do nothing. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "INLINE REJECT MIX ops=16 keys=1 clients=3 seed=7 schedule=\"node0:forward#3 disk-slow for=5ms;"
                        + " node0:committing#3 reset restart=3ms\"",
                "INLINE REJECT MIX ops=8 keys=1 clients=1 seed=8 schedule=\"node0:data.done#1 pause for=5ms;"
                        + " node2:channel#2 disk-error for=5ms\""
            })
    void aNodeThatHasRestartedIsSilent(String line) {
        judge(line);
    }

    /** Who waits for a slot of a connection that the other side has lost must not wait for ever. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "PUSH REJECT MIX ops=16 keys=1 clients=3 seed=7 schedule=\"node0:answer#1 power restart=3ms;"
                        + " node0:lock#1 power restart=3ms\"",
                "PUSH REJECT MIX ops=16 keys=1 clients=3 seed=7 schedule=\"node0:committing#1 exit;"
                        + " node0:lock#3 reset restart=3ms\""
            })
    void aWaitForASlotEnds(String line) {
        judge(line);
    }

    /** A device that fails while a program begins: it begins again. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "INLINE TAIL_QUERY MIX ops=16 keys=1 clients=3 seed=31 schedule=\"node2:data#5 crash restart=3ms;"
                        + " node2:received#5 exit\""
            })
    void aProgramThatLosesItsDeviceWhileItBeginsBeginsAgain(String line) {
        judge(line);
    }

    /** A connection that is closed in the middle of its handshake: its queue pair is being changed. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "PUSH REJECT MIX ops=16 keys=2 chains=2 clients=2 seed=1 schedule=\"node0:commit#1 pause for=16ms"
                        + " on=node1; node0:forward#3 crash restart=9ms\""
            })
    void aHandshakeCanBeEnded(String line) {
        judge(line);
    }

    /** A pushed buffer belongs to the device until it has ended with it, also when nobody waits for the answer any more. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "PUSH REJECT MIX ops=16 keys=4 clients=3 seed=49 schedule=\"node2:sync#1 pause for=5ms;"
                        + " node0:committing#2 reset restart=9ms\"",
                "PUSH TAIL_QUERY MIX ops=16 keys=4 depth=3 clients=3 seed=35 schedule=\"node1:data#2 power restart=3ms;"
                        + " node2:sync#1 pause for=5ms\""
            })
    void aBufferThatIsPushedIsNotFree(String line) {
        judge(line);
    }

    /** A buffer that a successor was told to read is its own until it answers, or the connection is closed. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "PULL TAIL_QUERY MIX ops=30 keys=4 clients=1 seed=49 schedule=\"node2:data.done#1 crash restart=9ms;"
                        + " node1:data#6 pause for=9ms\""
            })
    void aBufferThatAPeerMayReadIsNotFree(String line) {
        judge(line);
    }

    /** What a target was brought is no write that it has done: it may be taken from it again, and only who takes part may do that. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "PUSH REJECT MIX ops=1 keys=2 reads=80 chains=2 clients=1 seed=28 schedule=\"node0:channel#1 exit;"
                        + " node0:channel#2 exit on=node2\"",
                "INLINE REJECT MIX ops=15 keys=4 clients=2 seed=5 schedule=\"node1:forward#3 crash restart=3ms;"
                        + " node2:forward#3 disk-error for=3ms\""
            })
    void whatIsBroughtIsNotDone(String line) {
        judge(line);
    }

    /** A process that ends while it opens a connection. */
    @ParameterizedTest
    @ValueSource(strings = {"PUSH TAIL_QUERY MIX ops=16 keys=4 clients=3 seed=4 schedule=\"node2:received#2 exit\""})
    void aProcessCanEndWhileItConnects(String line) {
        judge(line);
    }

    /** A request that is given up may end late, when its channel has gone on with another chain. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "INLINE REJECT MIX ops=16 keys=4 chains=2 clients=3 seed=50 schedule=\"node1:read.answer#2 exit"
                        + " on=node0 after=550us; node1:data#1 exit\""
            })
    void aChannelIsOneOfAChain(String line) {
        judge(line);
    }

    /** A process that ends while the memory of a connection is being registered. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "PUSH REJECT MIX ops=16 keys=4 clients=3 seed=20 schedule=\"node0:lock#1 disk-slow for=9ms;"
                        + " node1:forward#4 link for=9ms on=node2\""
            })
    void aConnectionThatIsBeingMadeCanBeEnded(String line) {
        judge(line);
    }
}
