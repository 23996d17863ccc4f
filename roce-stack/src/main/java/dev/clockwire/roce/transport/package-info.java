/**
 * The rules of the transport: packet sequence numbers, segmentation, opcode order, acknowledgement, refusal and the states of
 * a queue pair. Functions over the state of one queue pair; nothing here knows a time, a memory or a wire, so hardware and
 * software providers share the rules and add only <em>when</em>.
 *
 * <p>Source: InfiniBand Architecture volume 1, chapters 9 and 10, checked against the Linux kernel's rxe and rdmavt.
 */
@NullMarked
package dev.clockwire.roce.transport;

import org.jspecify.annotations.NullMarked;
