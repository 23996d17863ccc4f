package dev.clockwire.nic.ether;

/**
 * The hash of receive-side scaling: for each bit of the input that is set, the 32 bits of the key that begin there are added modulo 2. Source and
 * test vectors: Microsoft, "Verifying the RSS hash calculation".
 */
public final class Toeplitz {
    /** Bytes of a key. */
    public static final int KEY_BYTES = 40;

    private static final int[] USUAL = {
        0x6d5a56da, 0x255b0ec2, 0x4167253d, 0x43a38fb0, 0xd0ca2bcb,
        0xae7b30b4, 0x77cb2da3, 0x8030f20c, 0x6a42b73b, 0xbeac01fa
    };

    private final byte[] key;

    /** Creates the hash of a key of {@value #KEY_BYTES} bytes. */
    public Toeplitz(byte[] key) {
        this.key = key.clone();
    }

    /** Returns the key that the test vectors are made with. */
    public static byte[] usualKey() {
        byte[] key = new byte[KEY_BYTES];
        for (int i = 0; i < KEY_BYTES; i++) {
            key[i] = (byte) (USUAL[i / 4] >>> (24 - 8 * (i % 4)));
        }
        return key;
    }

    /** Returns the hash of a frame's IP addresses, and of its ports if it has some; 0 without IP. */
    public int of(byte[] frame, FrameFields f) {
        int addresses = f.etherType == FrameFields.IPV6 ? 32 : 8;
        int at = f.etherType == FrameFields.IPV6 ? f.ipAt + 8 : f.ipAt + 12;
        if (f.protocol < 0) {
            return 0;
        }
        int hash = add(0, 0, frame, at, addresses);
        if (f.srcPort < 0) {
            return hash;
        }
        hash = addWord(hash, addresses, f.srcPort);
        return addWord(hash, addresses + 2, f.dstPort);
    }

    /** Adds bytes of the input, the first of them at a place in it. */
    int add(int hash, int place, byte[] input, int at, int bytes) {
        int h = hash;
        for (int i = 0; i < bytes; i++) {
            h = addByte(h, place + i, input[at + i]);
        }
        return h;
    }

    private int addWord(int hash, int place, int word) {
        return addByte(addByte(hash, place, word >>> 8), place + 1, word);
    }

    private int addByte(int hash, int place, int value) {
        int h = hash;
        for (int bit = 0; bit < 8; bit++) {
            if ((value >>> (7 - bit) & 1) != 0) {
                h ^= window(8 * place + bit);
            }
        }
        return h;
    }

    private int window(int bit) {
        long five = 0;
        for (int i = 0; i < 5; i++) {
            int at = bit / 8 + i;
            five = five << 8 | (at < KEY_BYTES ? key[at] & 0xFF : 0);
        }
        return (int) (five >>> (8 - bit % 8));
    }
}
