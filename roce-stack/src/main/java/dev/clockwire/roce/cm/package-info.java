/**
 * The connection manager: messages as management datagrams over queue pair 1, the rules of a connection's life as pure functions over its
 * state, and an interface like that of librdmacm above any verbs provider. Source of layouts and values: InfiniBand
 * Architecture volume 1, chapter 12, annex A11 (IP addressing), and frames of Linux 6.1.
 */
@NullMarked
package dev.clockwire.roce.cm;

import org.jspecify.annotations.NullMarked;
