package dev.clockwire.testkit.nic;

import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.verbs.Mtu;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * What labs of a {@code @SimTest} are like, on the test's method or else its class. Without it they have the default profile, follow no
 * operation, and lose nothing.
 */
@Documented
@Inherited
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
public @interface LabSetup {
    /** Name of a built-in profile. */
    String profile() default Profiles.DEFAULT;

    /** Values of the profile that are changed, each as {@code path=value}: {@code link.cable_ns=500}. */
    String[] set() default {};

    /** Stamps kept of followed operations, 0 to follow none. */
    int journeys() default 0;

    /** Whether somebody watches who accesses memory. */
    boolean sanitizer() default false;

    /** Whether hosts have the software device in place of hardware. */
    boolean software() default false;

    /** Service of the queue pairs of a {@link Pair}. */
    QpType service() default QpType.RC;

    /** Path MTU of a {@link Pair}. */
    Mtu mtu() default Mtu.MTU_1024;
}
