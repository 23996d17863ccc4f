/**
 * A switch: frames of eight classes, one shared buffer, pauses towards who sends too much, marks towards who should send less. A switch is
 * one node; its ports share the buffer.
 */
@NullMarked
package dev.clockwire.roce.fabric.bridge;

import org.jspecify.annotations.NullMarked;
