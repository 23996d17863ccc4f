package dev.clockwire.storage.nvmf.initiator;

/** Sees the commands of a queue pass. */
public interface CommandTap {
    /** Sees nothing. */
    CommandTap NONE = new CommandTap() {
        @Override
        public void submitted(int queue, int cid, long ps) {}

        @Override
        public void posted(int queue, int cid, long ps) {}

        @Override
        public void ended(int queue, int cid, long ps) {}
    };

    /** A command was submitted at a time. */
    void submitted(int queue, int cid, long ps);

    /** The doorbell that covers it was rung. */
    void posted(int queue, int cid, long ps);

    /** Whoever submitted it is told that it has ended. */
    void ended(int queue, int cid, long ps);
}
