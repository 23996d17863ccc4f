package dev.clockwire.sim;

/** How awake modules are called. The result does not depend on it. */
public enum LoopKind {
    /** Starts plain, becomes specialised when a clock has been busy for long. */
    AUTO,
    /** One virtual call per awake module. */
    PLAIN,
    /** Code made for this design, in which the modules are constants. */
    SPECIALISED
}
