package dev.clockwire.bench.replay;

import dev.clockwire.roce.transport.RequestDecision;

/** What became of one request in an explanation of a capture. */
final class Outcome {
    /** The request. */
    final Captured request;
    /** It was lost between the tap and the responder. */
    final boolean lost;
    /** What the rules did with it. */
    RequestDecision.Action action = RequestDecision.Action.DROP;
    /** It took a receive. */
    boolean takesReceive;
    /** There was no receive for it. */
    boolean denied;
    /** Its key did not grant the access. */
    boolean refused;
    /** Its receive was too short for it. */
    boolean tooLong;
    /** First byte in memory that it writes or reads. */
    long va;
    /** Key of these bytes. */
    int rkey;
    /** How many. */
    long length;
    /** For each answer the index of the captured one, or -1. */
    int[] answers = {};

    Outcome(Captured request, boolean lost) {
        this.request = request;
        this.lost = lost;
    }

    /** Returns how many answers were not captured. */
    int surplus() {
        int n = 0;
        for (int a : answers) {
            n += a < 0 ? 1 : 0;
        }
        return n;
    }
}
