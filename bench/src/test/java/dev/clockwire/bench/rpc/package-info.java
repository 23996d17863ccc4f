@NullMarked
package dev.clockwire.bench.rpc;

import org.jspecify.annotations.NullMarked;
