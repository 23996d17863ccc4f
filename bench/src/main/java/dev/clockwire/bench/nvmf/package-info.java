/** NVMe under load: {@code nvmf perf}, its stacks, its text and its files. */
@NullMarked
package dev.clockwire.bench.nvmf;

import org.jspecify.annotations.NullMarked;
