package dev.clockwire.testkit.nic;

import dev.clockwire.nic.lab.Lab;
import dev.clockwire.testkit.SimParameters;
import dev.clockwire.testkit.SimRun;
import java.lang.reflect.Parameter;
import java.util.List;

/**
 * Parameters of a {@code @SimTest} that are about labs: the {@link LabMaker}, a {@link Lab} with two hosts, a {@link Pair} of connected
 * queue pairs in it, {@link Posts} from its first side to its second, and the {@link FrameLog} of the lab's line.
 */
public final class LabParameters implements SimParameters {
    private static final List<Class<?>> TYPES =
            List.of(LabMaker.class, Lab.class, Pair.class, Posts.class, FrameLog.class);

    /** Created by the service loader. */
    public LabParameters() {}

    @Override
    public boolean supports(Parameter parameter) {
        return TYPES.contains(parameter.getType());
    }

    @Override
    public Object make(Parameter parameter, SimRun run) {
        LabMaker maker = run.once(LabMaker.class, () -> new LabMaker(run));
        Class<?> type = parameter.getType();
        if (type == LabMaker.class) {
            return maker;
        }
        Lab lab = run.once(Lab.class, maker::twoHosts);
        if (type == FrameLog.class) {
            return run.once(FrameLog.class, () -> FrameLog.of(lab));
        }
        if (type == Lab.class) {
            return lab;
        }
        Pair pair = run.once(Pair.class, () -> maker.pair(lab));
        return type == Pair.class ? pair : run.once(Posts.class, () -> new Posts(pair.a, pair.b));
    }
}
