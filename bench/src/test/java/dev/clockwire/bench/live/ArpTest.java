package dev.clockwire.bench.live;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** Frames as a Linux host sends them. */
class ArpTest {
    private static final int OURS = 0x0A00_0002;
    private static final long OUR_MAC = 0x5254_0000_000EL;
    /** Who has 10.0.0.2? Tell 10.0.0.1, which is at 52:54:00:00:00:0c. */
    private static final String REQUEST =
            "ffffffffffff52540000000c0806" + "0001080006040001" + "52540000000c0a000001" + "0000000000000a000002";

    private static ByteBuffer frame(String hex) {
        return ByteBuffer.wrap(HexFormat.of().parseHex(hex));
    }

    @Test
    void answersWhoAsksForOurAddress() {
        ByteBuffer answer = Arp.answer(frame(REQUEST), OURS, OUR_MAC);
        assertNotNull(answer);
        byte[] bytes = new byte[answer.limit()];
        answer.get(0, bytes);
        assertEquals(
                "52540000000c52540000000e0806" + "0001080006040002" + "52540000000e0a000002" + "52540000000c0a000001"
                        + "00".repeat(18),
                HexFormat.of().formatHex(bytes));
    }

    @Test
    void isSilentAboutOtherAddressesAndReplies() {
        assertNull(Arp.answer(frame(REQUEST), OURS + 1, OUR_MAC));
        assertNull(Arp.answer(frame(REQUEST.replace("0001080006040001", "0001080006040002")), OURS, OUR_MAC));
    }

    @Test
    void readsTheSenderOfRequestsAndReplies() {
        assertEquals(0x0A00_0001, Arp.senderIp(frame(REQUEST)));
        assertEquals(0x5254_0000_000CL, Arp.senderMac(frame(REQUEST)));
    }

    @Test
    void takesNoOtherFrameForArp() {
        for (int length = 0; length < 42; length++) {
            assertFalse(Arp.isArp(frame(REQUEST.substring(0, 2 * length))), "cut to " + length);
        }
        assertFalse(Arp.isArp(frame(REQUEST.replace("0806" + "0001", "0806" + "0006"))), "another kind of hardware");
        assertFalse(Arp.isArp(frame(REQUEST.replace("0c0806", "0c0800"))), "another type");
    }
}
