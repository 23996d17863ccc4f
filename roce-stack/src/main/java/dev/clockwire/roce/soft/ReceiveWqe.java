package dev.clockwire.roce.soft;

/** One receive work request. Used again and again. */
final class ReceiveWqe {
    long wrId;
    final Sges sges = new Sges();
}
