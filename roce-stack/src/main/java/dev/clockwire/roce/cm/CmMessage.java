package dev.clockwire.roce.cm;

/** A message of the connection manager. Communication ids and queue pair numbers are unsigned. */
public sealed interface CmMessage permits CmReq, CmRep, CmRtu, CmRej, CmMra, CmDreq, CmDrep, CmSidrReq, CmSidrRep {
    /** Returns which message it is. */
    CmAttribute attribute();

    /** Returns the sender's number for the connection. */
    int localCommId();

    /** Returns the receiver's number for the connection; 0 in a request. */
    int remoteCommId();

    /** Returns what it carries for the application. */
    PrivateData privateData();
}
