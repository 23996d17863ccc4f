/**
 * JSON-RPC 2.0 as SPDK speaks it, without text and sockets: values as trees, methods with declared parameters, requests, batches and their
 * answers. Reading and writing text is the business of whoever has a socket.
 */
@NullMarked
package dev.clockwire.storage.rpc;

import org.jspecify.annotations.NullMarked;
