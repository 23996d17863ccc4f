/**
 * The verbs: devices, contexts, protection domains, memory regions, completion queues, queue pairs and address handles, with
 * the names, values and errors of libibverbs. The handles check arguments once; a {@link
 * dev.clockwire.roce.verbs.VerbsProvider} behind them is the hardware or software that does the work.
 *
 * <p>Control verbs end in simulated time and hand out a {@link dev.clockwire.roce.verbs.Completion}; data verbs return at once
 * and charge the core they run on. A wrong argument is a {@link dev.clockwire.roce.verbs.VerbsException}; work that fails
 * later is a status in its {@link dev.clockwire.roce.verbs.WorkCompletion}, never an exception.
 *
 * <p>Source of names, values and errors: rdma-core, {@code libibverbs/verbs.h} and its manual pages.
 */
@NullMarked
package dev.clockwire.roce.verbs;

import org.jspecify.annotations.NullMarked;
