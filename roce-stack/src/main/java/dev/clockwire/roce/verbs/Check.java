package dev.clockwire.roce.verbs;

/** Ranges of arguments: the message names the value and what is allowed. */
final class Check {
    private Check() {}

    static void range(String verb, String what, long value, long min, long max) {
        if (value < min || value > max) {
            throw new VerbsException(Errno.EINVAL, verb, what + " " + value + ": must be " + min + ".." + max);
        }
    }
}
