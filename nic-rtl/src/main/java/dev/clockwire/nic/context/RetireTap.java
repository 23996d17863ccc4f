package dev.clockwire.nic.context;

/** An observer of work requests that end, also unsignalled ones; it must change nothing in the model. */
public interface RetireTap {
    /**
     * A send work request is finished.
     *
     * @param qpn its queue pair
     * @param wqeIndex block index of its WQE
     * @param ps time in ps
     */
    void retired(int qpn, int wqeIndex, long ps);
}
