package dev.clockwire.testkit;

import java.lang.reflect.Parameter;

/**
 * Makes parameters of a {@link SimTest} that this kit does not know, such as labs. Found by {@link java.util.ServiceLoader}; has a public
 * constructor without parameters.
 */
public interface SimParameters {
    /** Returns whether a parameter of a test or of one of its life-cycle methods is made here. */
    boolean supports(Parameter parameter);

    /**
     * Makes it. Simulations in it are handed to {@link SimRun#watch}.
     *
     * @param run what is asked for twice in a run is the same, see {@link SimRun#once}
     */
    Object make(Parameter parameter, SimRun run);
}
