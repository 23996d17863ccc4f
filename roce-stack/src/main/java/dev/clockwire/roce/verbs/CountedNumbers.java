package dev.clockwire.roce.verbs;

/** Numbers that were given, then numbers that count up. */
final class CountedNumbers implements Numbering {
    private static final int VARIANT_BITS = 8;
    private static final int VARIANT_STEP = 37;

    private final int[] qpns;
    private final int[] keys;
    private int givenQpns;
    private int givenKeys;
    private int qpn = FIRST_QPN;
    private int key = 1;

    CountedNumbers(int[] qpns, int[] keys) {
        this.qpns = qpns;
        this.keys = keys;
        for (int x : qpns) {
            Check.range("create_qp", "given QPN", x, 0, 0xFF_FFFF);
        }
    }

    @Override
    public int nextQpn() {
        if (givenQpns < qpns.length) {
            return qpns[givenQpns++];
        }
        while (contains(qpns, qpn, 0)) {
            qpn++;
        }
        return qpn++;
    }

    @Override
    public int nextKey() {
        if (givenKeys < keys.length) {
            return keys[givenKeys++];
        }
        while (contains(keys, key, VARIANT_BITS)) {
            key++;
        }
        // The variants differ so that an index that is mistaken for a key is noticed.
        int next = (key << VARIANT_BITS) | ((key * VARIANT_STEP) & 0xFF);
        key++;
        return next;
    }

    private static boolean contains(int[] given, int number, int shift) {
        for (int x : given) {
            if (x >>> shift == number) {
                return true;
            }
        }
        return false;
    }
}
