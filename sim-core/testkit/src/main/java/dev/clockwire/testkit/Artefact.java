package dev.clockwire.testkit;

/** What a failed {@link SimTest} leaves in files beside its text and {@code repeat.txt}. */
public enum Artefact {
    /** The last events of every channel, {@code events.txt}. */
    EVENTS,
    /** The last changes of every channel, state machine and register bank, {@code waves.vcd}. */
    WAVES,
    /** All statistics, {@code statistics.txt}. */
    STATISTICS,
    /** The last frames on the lines of a lab, {@code capture.pcapng}. */
    CAPTURE
}
