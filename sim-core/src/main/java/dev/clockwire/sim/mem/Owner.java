package dev.clockwire.sim.mem;

/** Who may write a byte range just now: a debug check for host programs that touch a buffer the device works on. */
public enum Owner {
    /** Nobody said anything: everyone may. */
    ANYONE(0),
    /** The host program. */
    HOST(1),
    /** The device, from posting a request to its completion. */
    DEVICE(2);

    final int id;

    Owner(int id) {
        this.id = id;
    }

    static Owner of(int id) {
        return id == DEVICE.id ? DEVICE : id == HOST.id ? HOST : ANYONE;
    }
}
