package dev.clockwire.sim.export;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PerfettoWriterTest {
    @Test
    void protobufReadsIt(@TempDir Path dir) throws IOException, InterruptedException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PerfettoWriter w = new PerfettoWriter(bytes);
        long host = w.process("host0");
        long nic = w.track(host, "nic");
        long lane = w.track(nic, "wqe_fetch");
        long queue = w.counterTrack(nic, "queue", "frames");
        w.begin(lane, 1_234_999, "fetch")
                .arg("journey", 300)
                .arg("wait_ns", 1.5)
                .arg("wait_for", "credits \u00b5")
                .arg("negative", -1)
                .flow(0x1122334455667788L)
                .write();
        w.counter(queue, 2_000_000, 3).write();
        w.instant(lane, 2_500_000, "retry").flow(7).lastOfFlow(9).write();
        w.end(lane, 3_000_000).write();

        String text = Judge.decodeTrace(dir, bytes.toByteArray());
        assertThat(text).isEqualTo("""
                        packet {
                          trusted_packet_sequence_id: 1
                          track_descriptor {
                            uuid: 1
                            process {
                              pid: 1
                              process_name: "host0"
                            }
                          }
                        }
                        packet {
                          trusted_packet_sequence_id: 1
                          track_descriptor {
                            uuid: 2
                            name: "nic"
                            parent_uuid: 1
                          }
                        }
                        packet {
                          trusted_packet_sequence_id: 1
                          track_descriptor {
                            uuid: 3
                            name: "wqe_fetch"
                            parent_uuid: 2
                          }
                        }
                        packet {
                          trusted_packet_sequence_id: 1
                          track_descriptor {
                            uuid: 4
                            name: "queue"
                            parent_uuid: 2
                            counter {
                              unit_name: "frames"
                            }
                          }
                        }
                        packet {
                          timestamp: 1234
                          trusted_packet_sequence_id: 1
                          track_event {
                            debug_annotations {
                              int_value: 300
                              name: "journey"
                            }
                            debug_annotations {
                              double_value: 1.5
                              name: "wait_ns"
                            }
                            debug_annotations {
                              string_value: "credits \\302\\265"
                              name: "wait_for"
                            }
                            debug_annotations {
                              int_value: -1
                              name: "negative"
                            }
                            type: TYPE_SLICE_BEGIN
                            track_uuid: 3
                            name: "fetch"
                            flow_ids: 1234605616436508552
                          }
                        }
                        packet {
                          timestamp: 2000
                          trusted_packet_sequence_id: 1
                          track_event {
                            type: TYPE_COUNTER
                            track_uuid: 4
                            counter_value: 3
                          }
                        }
                        packet {
                          timestamp: 2500
                          trusted_packet_sequence_id: 1
                          track_event {
                            type: TYPE_INSTANT
                            track_uuid: 3
                            name: "retry"
                            flow_ids: 7
                            terminating_flow_ids: 9
                          }
                        }
                        packet {
                          timestamp: 3000
                          trusted_packet_sequence_id: 1
                          track_event {
                            type: TYPE_SLICE_END
                            track_uuid: 3
                          }
                        }
                        """);
    }
}
