package dev.clockwire.sim.fault;

import dev.clockwire.sim.error.ConfigurationException;

/**
 * One rule of a plan.
 *
 * @param name distinguishes it in its plan and names its random streams; empty for its number in the plan
 * @param action what happens
 * @param trigger what sets it off
 * @param filter what it is about; others are neither counted nor touched
 * @param direction of a link
 * @param forPs how long it lasts once set off: 0 for just once (for ever if it is an outage). A frame is delayed or held so long; every frame that matches
 *     within this time is dropped, corrupted or duplicated
 * @param restartPs time after which a node, or a device that was reset, comes back, 0 for never or what is usual
 */
public record FaultRule(
        String name,
        FaultAction action,
        FaultTrigger trigger,
        FaultFilter filter,
        FaultDirection direction,
        long forPs,
        long restartPs) {
    /** How long a frame is delayed or held if the rule does not say. */
    private static final long USUAL_DELAY_PS = 10_000_000;

    /** How long a node that restarts is away if the rule does not say. */
    private static final long USUAL_RESTART_PS = 1_000_000_000;

    /**
     * How long a device that was reset is away if the rule does not say: so long Linux's mlx5 driver waits before it starts its device anew
     * ({@code MLX5_RECOVERY_DELAY_MSECS}).
     */
    private static final long USUAL_RESET_PS = 60_000_000_000_000L;

    /** Checks the times. */
    public FaultRule {
        if (forPs < 0 || restartPs < 0) {
            throw new ConfigurationException(
                    "fault lasts " + forPs + " ps, restart after " + restartPs + " ps: neither may be negative");
        }
    }

    /** Returns a rule about everything, in both directions, that strikes once whenever it is set off. */
    public static FaultRule of(FaultAction action, FaultTrigger trigger) {
        return new FaultRule("", action, trigger, FaultFilter.ALL, FaultDirection.BOTH, 0, 0);
    }

    /** Returns a copy with a name. */
    public FaultRule named(String other) {
        return new FaultRule(other, action, trigger, filter, direction, forPs, restartPs);
    }

    /** Returns a copy that strikes at a time. */
    public FaultRule at(long ps) {
        return new FaultRule(name, action, new FaultTrigger.At(ps), filter, direction, forPs, restartPs);
    }

    /** Returns a copy that is about what a filter passes. */
    public FaultRule where(FaultFilter other) {
        return new FaultRule(name, action, trigger, other, direction, forPs, restartPs);
    }

    /** Returns a copy for other directions. */
    public FaultRule in(FaultDirection other) {
        return new FaultRule(name, action, trigger, filter, other, forPs, restartPs);
    }

    /** Returns a copy that lasts so long. */
    public FaultRule lasting(long ps) {
        return new FaultRule(name, action, trigger, filter, direction, ps, restartPs);
    }

    /** Returns a copy whose node comes back. */
    public FaultRule restartingAfter(long ps) {
        return new FaultRule(name, action, trigger, filter, direction, forPs, ps);
    }

    /** Returns how long a frame is delayed or held. */
    public long delayPs() {
        return forPs == 0 ? USUAL_DELAY_PS : forPs;
    }

    /** Returns when a node that was lost is back; so late that no clock reaches it if it does not come back. */
    public long returnPs() {
        return returns()
                ? restartPs > 0 ? restartPs : isA(FaultAction.NodeFault.RESET) ? USUAL_RESET_PS : USUAL_RESTART_PS
                : Long.MAX_VALUE / 2;
    }

    /** Returns whether a node that was lost comes back. */
    public boolean returns() {
        return restartPs > 0 || isA(FaultAction.NodeFault.RESTART) || isA(FaultAction.NodeFault.RESET);
    }

    private boolean isA(FaultAction.NodeFault what) {
        return action instanceof FaultAction.OnNode on && on.what() == what;
    }

    /** Returns how long an outage lasts; so long that no clock reaches it if it does not end. */
    public long outagePs() {
        return forPs > 0 ? forPs : restartPs > 0 ? restartPs : Long.MAX_VALUE / 2;
    }

    /** Returns the time within which everything that matches is hit once the rule is set off. */
    long windowPs() {
        boolean many = action instanceof FaultAction.Drop
                || action instanceof FaultAction.Corrupt
                || action instanceof FaultAction.Duplicate;
        return many ? forPs : 0;
    }
}
