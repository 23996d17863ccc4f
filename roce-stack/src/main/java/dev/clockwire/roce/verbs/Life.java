package dev.clockwire.roce.verbs;

/** Whether a handle is open, and how many others need it. */
final class Life {
    private final String what;
    private int users;
    private boolean closed;

    /** Begins the life of an object; {@code what} is its name in errors. */
    Life(String what) {
        this.what = what;
    }

    void requireOpen(String verb) {
        if (closed) {
            throw new VerbsException(Errno.EINVAL, verb, what + " is closed");
        }
    }

    /** Another object needs this one from now on. */
    void use(String verb) {
        requireOpen(verb);
        users++;
    }

    void release() {
        users--;
    }

    /** Changes how many others need this one, without a look at whether it is open. */
    void change(int by) {
        users += by;
    }

    /** Takes an end back that was refused. */
    void reopen() {
        closed = false;
    }

    /** Ends the life, if nothing needs the object any more. */
    void close(String verb) {
        requireOpen(verb);
        if (users > 0) {
            throw new VerbsException(
                    Errno.EBUSY, verb, what + " is used by " + users + (users == 1 ? " object" : " objects"));
        }
        closed = true;
    }

    boolean isClosed() {
        return closed;
    }
}
