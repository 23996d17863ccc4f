/** Tests of blocks: {@link dev.clockwire.testkit.SimTest} runs one in every kernel mode, {@link dev.clockwire.testkit.BlockContract} holds it to the laws. */
@NullMarked
package dev.clockwire.testkit;

import org.jspecify.annotations.NullMarked;
