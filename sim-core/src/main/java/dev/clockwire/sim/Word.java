package dev.clockwire.sim;

/** Evaluates up to 64 modules of one clock. */
interface Word {
    /**
     * Runs one edge.
     *
     * @param awake bit i: module i of this word is awake
     * @param cycle number of the edge
     * @return bit i: module i did something and stays awake
     */
    long tick(long awake, long cycle);

    /** One virtual call per awake module. */
    final class Plain implements Word {
        private final SimModule[] modules;
        private final int base;

        Plain(SimModule[] modules, int word) {
            this.modules = modules;
            base = word << 6;
        }

        @Override
        public long tick(long awake, long cycle) {
            SimModule[] m = modules;
            int first = base;
            long stay = 0;
            for (long rest = awake; rest != 0; rest &= rest - 1) {
                int i = Long.numberOfTrailingZeros(rest);
                if (m[first + i].tick(cycle)) {
                    stay |= 1L << i;
                }
            }
            return stay;
        }
    }
}
