package dev.clockwire.roce.verbs;

import dev.clockwire.roce.transport.AckTimeout;
import dev.clockwire.roce.transport.QpAttr;
import dev.clockwire.roce.transport.QpState;
import dev.clockwire.roce.transport.QpTransitions;
import dev.clockwire.roce.transport.QpType;

/** Checks of {@code modify_qp}: the transition, the attributes that it must and may carry, and their values. */
final class ModifyChecks {
    private static final String VERB = "modify_qp";
    private static final int MAX_RETRIES = 7;
    private static final int MAX_RNR_TIMER = 31;
    private static final int MAX_QPN = 0xFF_FFFF;

    private ModifyChecks() {}

    /** Checks a change and returns the state to go to. */
    static QpState check(Device device, QpType type, QpState now, QpAttributes x) {
        QpState to = x.has(QpAttr.STATE) ? x.state() : now;
        if (x.has(QpAttr.CUR_STATE) && (x.currentState() != now || !now.acceptsRequests())) {
            throw refuse("current state given as " + x.currentState() + ", it is " + now
                    + " (RTR, RTS, SQD or SQE are allowed)");
        }
        if (!QpTransitions.allowed(type, now, to)) {
            throw refuse(type + " cannot go from " + now + " to " + to);
        }
        int missing = QpTransitions.missing(type, now, to, x.mask());
        if (missing != 0) {
            throw refuse(type + " " + now + " to " + to + " needs " + QpAttr.names(missing));
        }
        int surplus = QpTransitions.surplus(type, now, to, x.mask());
        if (surplus != 0) {
            throw refuse(type + " " + now + " to " + to + " does not take " + QpAttr.names(surplus));
        }
        values(device, x);
        return to;
    }

    private static void values(Device device, QpAttributes x) {
        DeviceAttributes limits = device.attributes();
        range(x, QpAttr.PORT, x.port(), limits.ports());
        range(x, QpAttr.PKEY_INDEX, x.pkeyIndex(), limits.maxPkeys() - 1);
        range(x, QpAttr.TIMEOUT, x.timeout(), AckTimeout.MAX_CODE);
        range(x, QpAttr.RETRY_CNT, x.retryCount(), MAX_RETRIES);
        range(x, QpAttr.RNR_RETRY, x.rnrRetry(), MAX_RETRIES);
        range(x, QpAttr.MIN_RNR_TIMER, x.minRnrTimer(), MAX_RNR_TIMER);
        range(x, QpAttr.MAX_QP_RD_ATOMIC, x.maxRdAtomic(), limits.maxQpInitRdAtomic());
        range(x, QpAttr.MAX_DEST_RD_ATOMIC, x.maxDestRdAtomic(), limits.maxQpRdAtomic());
        range(x, QpAttr.DEST_QPN, x.destQpn(), MAX_QPN);
        if (x.has(QpAttr.PATH_MTU)) {
            Mtu active = device.port(x.port()).activeMtu();
            if (x.pathMtu().bytes() > active.bytes()) {
                throw refuse("path MTU " + x.pathMtu().bytes() + ": the port has " + active.bytes());
            }
        }
        AddressVector to = x.addressVector();
        if (to != null) {
            PathChecks.check(device, VERB, to);
        }
    }

    private static void range(QpAttributes x, QpAttr attribute, int value, int max) {
        if (x.has(attribute)) {
            Check.range(VERB, attribute.name(), value, attribute == QpAttr.PORT ? 1 : 0, max);
        }
    }

    private static VerbsException refuse(String text) {
        return new VerbsException(Errno.EINVAL, VERB, text);
    }
}
