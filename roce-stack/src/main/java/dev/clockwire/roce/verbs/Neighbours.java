package dev.clockwire.roce.verbs;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** Who has which address: what ARP and neighbour discovery would find out. */
public final class Neighbours {
    private final List<Gid> gids = new ArrayList<>();
    private final List<Long> macs = new ArrayList<>();

    /** Creates an empty neighbourhood. */
    public Neighbours() {}

    /** Adds an address and the Ethernet address behind it, or changes what is behind a known one. */
    public void add(Gid gid, long mac) {
        int i = gids.indexOf(gid);
        if (i >= 0) {
            macs.set(i, mac);
        } else {
            gids.add(gid);
            macs.add(mac);
        }
    }

    /** Returns the Ethernet address behind an address, if anybody has it. */
    public OptionalLong resolve(Gid gid) {
        int i = gids.indexOf(gid);
        return i < 0 ? OptionalLong.empty() : OptionalLong.of(macs.get(i));
    }
}
