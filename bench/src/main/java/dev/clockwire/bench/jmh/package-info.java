/** JMH benches: {@code java -cp bench/target/clockwire.jar org.openjdk.jmh.Main}. */
@NullMarked
package dev.clockwire.bench.jmh;

import org.jspecify.annotations.NullMarked;
