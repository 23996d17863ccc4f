package dev.clockwire.bench.replay;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a replay went.
 *
 * @param file the capture, as the user gave it
 * @param role {@code responder} or {@code requester}
 * @param provider {@code hw} or {@code soft}
 * @param requestsFed as responder: RC and UC requests, lost ones too; as requester: work requests posted
 * @param answersExpected as responder: captured answers; as requester: request packets, each when it was sent first
 * @param answersGot what the simulated side sent; as requester without what it sent again
 * @param matching how many of the expected ones it sent
 * @param requestsLost frames of requests that must have been lost between the tap and the responder
 * @param differences where the two sides differ; a known deviation is none
 * @param knownDeviations where the captured side is known not to follow the standard
 */
public record ReplayReport(
        String file,
        String role,
        String provider,
        int requestsFed,
        int answersExpected,
        int answersGot,
        int matching,
        List<Long> requestsLost,
        List<Difference> differences,
        List<Known> knownDeviations) {
    /**
     * A difference.
     *
     * @param frame of the captured packet; without one, of the packet after which the simulated side sent
     * @param field the field of the packet, or {@code packet} if one side has none
     * @param expected value in the capture
     * @param got value from the simulated side
     */
    public record Difference(
            long frame,
            String field,
            @Nullable String expected,
            @Nullable String got) {}

    /**
     * A known deviation.
     *
     * @param frame of the captured packet
     * @param rule name of the deviation
     * @param why what the standard says instead
     */
    public record Known(long frame, String rule, String why) {}
}
