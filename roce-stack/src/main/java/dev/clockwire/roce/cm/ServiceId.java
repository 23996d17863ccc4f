package dev.clockwire.roce.cm;

/** Service ids of RDMA over IP: a port space and a port. */
public final class ServiceId {
    /** Port space of reliable connections. */
    public static final int TCP = 0x0106;

    /** Port space of datagrams. */
    public static final int UDP = 0x0111;

    private static final int PORT_BITS = 16;
    private static final int PORT = 0xFFFF;

    private ServiceId() {}

    /** Returns the service id of a port in the port space of reliable connections. */
    public static long tcp(int port) {
        return ((long) TCP << PORT_BITS) | (port & PORT);
    }

    /** Returns the service id of a port in the port space of datagrams. */
    public static long udp(int port) {
        return ((long) UDP << PORT_BITS) | (port & PORT);
    }

    /** Tells whether this is a port of datagrams. */
    public static boolean isUdp(long serviceId) {
        return serviceId >>> PORT_BITS == UDP;
    }

    /** Returns the port in a service id. */
    public static int port(long serviceId) {
        return (int) serviceId & PORT;
    }

    /** Tells whether this is a port of reliable connections. */
    public static boolean isTcp(long serviceId) {
        return serviceId >>> PORT_BITS == TCP;
    }
}
