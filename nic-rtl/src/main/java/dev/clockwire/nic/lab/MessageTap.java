package dev.clockwire.nic.lab;

/** Hears of whole messages, and of answers of NICs, when the last of their frames has arrived. */
@FunctionalInterface
public interface MessageTap {
    /** A message has arrived. */
    void arrived(Seen message);

    /** Kinds of messages. */
    enum Kind {
        /** Takes a receive at the other side. */
        SEND("SEND"),
        /** Writes memory of the other side. */
        WRITE("RDMA WRITE"),
        /** Asks the other side's NIC for memory. */
        READ("RDMA READ"),
        /** The bytes that a READ has asked for. */
        READ_RESPONSE("READ response"),
        /** The other side's NIC has what was written. */
        ACK("ACK");

        private final String word;

        Kind(String word) {
            this.word = word;
        }

        /** Returns the name in diagrams. */
        public String word() {
            return word;
        }
    }

    /**
     * A message as the wire carried it.
     *
     * @param from number of the host that sent it
     * @param to number of the host that has it now
     * @param kind of message
     * @param immediate whether it carries immediate data
     * @param name what it is for
     * @param bytes of payload; of a READ those that it asks for
     * @param leftPs when its first frame left
     * @param arrivedPs when its last frame was there
     * @param depth one-way trips up to its arrival
     */
    record Seen(
            int from,
            int to,
            Kind kind,
            boolean immediate,
            MessageName name,
            long bytes,
            long leftPs,
            long arrivedPs,
            int depth) {}
}
