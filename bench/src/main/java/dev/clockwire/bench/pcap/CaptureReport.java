package dev.clockwire.bench.pcap;

import java.util.List;

/**
 * What a capture file holds. A RoCE frame whose ICRC could be checked counts as good or bad; one that is cut counts as
 * malformed and as neither. A frame with a good ICRC that breaks another rule counts as good and as malformed.
 *
 * @param file the name as the user gave it
 * @param frames all frames
 * @param roceFrames RoCE frames, whatever their state
 * @param icrcGood whole RoCE frames with a good ICRC
 * @param icrcBad whole RoCE frames with a bad ICRC
 * @param malformed RoCE frames that are cut or break a rule that the ICRC does not see
 * @param packets the RoCE frames in file order
 */
public record CaptureReport(
        String file,
        long frames,
        long roceFrames,
        long icrcGood,
        long icrcBad,
        long malformed,
        List<PacketReport> packets) {}
