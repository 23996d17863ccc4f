package dev.clockwire.roce.cm;

/** Is told what happens to connections, in a step of the core that polls the manager, or in one that ends a control verb. */
@FunctionalInterface
public interface CmHandler {
    /** Something happened. */
    void event(CmEvent event);
}
