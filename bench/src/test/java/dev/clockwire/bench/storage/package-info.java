@NullMarked
package dev.clockwire.bench.storage;

import org.jspecify.annotations.NullMarked;
