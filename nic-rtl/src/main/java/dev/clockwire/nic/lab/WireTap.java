package dev.clockwire.nic.lab;

/** Hears what reliable connections do on the lines of hosts that well-meant programs and devices avoid or bound; it must change nothing. */
public interface WireTap {
    /**
     * A device says that it has no receive for what came.
     *
     * @param host number of the host that says so
     * @param to number of the host whose send it was
     * @param qpn of the sender's queue pair
     */
    void notReady(long ps, int host, int to, int qpn);

    /**
     * A READ has left.
     *
     * @param host number of the host that reads
     * @param qpn of its queue pair
     * @param underWay READs of that queue pair whose answers have not come, this one included
     */
    void readLeft(long ps, int host, int qpn, int underWay);
}
