/**
 * The arithmetic of rates: token bucket and DCQCN reaction point in fixed point, as registers hold them. Nothing here knows a clock;
 * callers pass cycles or microseconds, and state moves as if every one of them had been evaluated.
 *
 * <p>Source: "Congestion Control for Large-Scale RDMA Deployments" (SIGCOMM 2015), vendor parameter names of mlxconfig.
 */
@NullMarked
package dev.clockwire.roce.congestion;

import org.jspecify.annotations.NullMarked;
