package dev.clockwire.testkit;

import dev.clockwire.sim.KernelMode;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test with a kernel of its own. It may ask for a {@code Sim}, for its {@code @Seed long}, for its {@link SimRun}, and for what other
 * kits make, such as a lab. It runs once in the activity-driven kernel, with idle ticks checked, and once in the exhaustive one; the
 * full trace hashes of both must agree.
 *
 * <p>The seed of the simulation follows from the system property {@code clockwire.seed} (a number, 1 if not given) and the name of the
 * test. A failure says when and where, what happened there last, who waits for whom, and the one command that repeats it; artefacts
 * lie in {@code target/simtest/CLASS/METHOD/MODE}, those of an earlier failure are removed.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@TestTemplate
@ExtendWith(SimTestExtension.class)
public @interface SimTest {
    /** Cycles of the fastest clock that no run may reach, 1 to 10<sup>12</sup>; in a design without clocks a cycle is 1 ns. */
    long maxCycles() default 10_000_000;

    /** What a failure leaves in files. */
    Artefact[] onFailure() default {Artefact.EVENTS, Artefact.WAVES, Artefact.STATISTICS, Artefact.CAPTURE};

    /** The kernels that it runs in. */
    KernelMode[] modes() default {KernelMode.ACTIVITY, KernelMode.EXHAUSTIVE};
}
