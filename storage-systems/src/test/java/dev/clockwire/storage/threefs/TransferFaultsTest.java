package dev.clockwire.storage.threefs;

import dev.clockwire.storage.load.LoadSpec;
import dev.clockwire.storage.threefs.rpc.DataPath;
import dev.clockwire.storage.threefs.rpc.Forwarding;
import dev.clockwire.storage.threefs.rpc.Notice;
import dev.clockwire.storage.threefs.rpc.Transfer;
import dev.clockwire.storage.threefs.server.ReadRule;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The options of the data path under faults; {@code -Dclockwire.sample=N} tries so many of each. */
class TransferFaultsTest {
    private static final int SAMPLE = Integer.getInteger("clockwire.sample", 4);

    static Stream<Trial> options() {
        Trial push = Trial.of(DataPath.PUSH, ReadRule.REJECT);
        Trial reads =
                Trial.of(DataPath.PULL, ReadRule.REJECT).with(new LoadSpec(LoadSpec.Op.MIX, Trial.SIZE, 36, 2, 4, 80));
        return Stream.of(
                push.with(Transfer.usual().with(Notice.IMM)),
                push.with(Transfer.usual().with(Forwarding.NIC)),
                reads.with(Transfer.usual().withTransmissions(1).withBatch(4)));
    }

    @ParameterizedTest
    @MethodSource("options")
    void sampledFaultsLoseNothing(Trial of) {
        Trial.assertSafe(of.sample(SAMPLE, 1, 9));
    }
}
