/** What {@code clockwire pcap} knows about capture files: decoding into a report, as records for JSON and as lines for people. */
@NullMarked
package dev.clockwire.bench.pcap;

import org.jspecify.annotations.NullMarked;
