package dev.clockwire.testkit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test that gets a fresh {@code Sim} and runs once in the activity-driven kernel, with idle ticks checked, and once in the exhaustive one; the
 * full trace hashes of both must agree. The seed of the simulation follows from the system property {@code clockwire.seed} and the name of
 * the test.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@TestTemplate
@ExtendWith(SimTestExtension.class)
public @interface SimTest {
    /** Simulated time that no run may reach, in ns. */
    long limitNs() default 1_000_000;
}
