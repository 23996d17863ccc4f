/** Experiments with known outcomes on fabrics: fairness, incast, victims, losses, deadlock, thresholds that are wrong. */
@NullMarked
package dev.clockwire.bench.fabric.experiment;

import org.jspecify.annotations.NullMarked;
