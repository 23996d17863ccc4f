/**
 * Tests of blocks: {@link dev.clockwire.testkit.SimTest} runs one in every kernel mode and explains its failures, {@link dev.clockwire.testkit.OneBlock}
 * drives one block, {@link dev.clockwire.testkit.BlockContract} holds it to the laws, {@link dev.clockwire.testkit.SimAssertions} judges what came out.
 */
@NullMarked
package dev.clockwire.testkit;

import org.jspecify.annotations.NullMarked;
