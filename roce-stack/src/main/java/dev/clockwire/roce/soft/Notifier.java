package dev.clockwire.roce.soft;

import dev.clockwire.roce.transport.WcStatus;

/** When an armed completion queue makes its event: one for each time it was armed, moderated by count and time. */
final class Notifier {
    private static final long US = 1_000_000;

    private final SoftDevice device;
    private final int cqn;
    private final Runnable event;
    private boolean armed;
    private boolean solicitedOnly;
    private int count;
    private int periodUs;
    private int since;
    /** Tells the events of the moderation timer apart. */
    private int round;

    Notifier(SoftDevice device, int cqn, Runnable event) {
        this.device = device;
        this.cqn = cqn;
        this.event = event;
    }

    void moderate(int completions, int us) {
        count = completions;
        periodUs = us;
    }

    /** The next completion, or the next solicited or failed one, makes one event; arming for any wins over solicited only. */
    void arm(boolean onlySolicited) {
        solicitedOnly = onlySolicited && (!armed || solicitedOnly);
        armed = true;
    }

    /** A completion came. */
    void completed(boolean solicited, WcStatus status) {
        if (!armed || (solicitedOnly && !solicited && status == WcStatus.SUCCESS)) {
            return;
        }
        since++;
        boolean waits = periodUs > 0 || count > 1;
        if (!waits || (count > 0 && since >= count)) {
            fire();
        } else if (since == 1 && periodUs > 0) {
            device.moderate(device.now() + periodUs * US, cqn, round);
        }
    }

    /** The time of moderation is over. */
    void expired(int ofRound) {
        if (armed && since > 0 && ofRound == round) {
            fire();
        }
    }

    private void fire() {
        armed = false;
        since = 0;
        round++;
        event.run();
    }
}
