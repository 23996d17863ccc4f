package dev.clockwire.nic.stage;

import dev.clockwire.pcie.endpoint.DmaRead;
import dev.clockwire.roce.wire.Opcode;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.host.Cpu;
import dev.clockwire.sim.trace.Causes;
import dev.clockwire.sim.trace.JourneyLog;
import dev.clockwire.sim.trace.Waterfall;

/**
 * Where the blocks leave the stamps of followed operations: the numbers of the stages of the data path, and the run's log
 * behind a null check. Names and order are those of the command line.
 */
public final class Journal {
    private static final int DEVICE_SHIFT = 40;

    /** Building the WQE on the core. */
    public final int post;
    /** The store's way to the scheduler. */
    public final int doorbell;
    /** Wait in the send queue until the WQE's read is sent. */
    public final int sqWait;
    /** WQE read. */
    public final int wqeFetch;
    /** WQE parser, where it is a stage of its own. */
    public final int parse;
    /** Read of a queue pair's context that was not on the chip. */
    public final int qpcFetch;
    /** Context lookup. */
    public final int lookup;
    /** Payload read from host memory. */
    public final int payloadDma;
    /** Headers and ICRC. */
    public final int assembly;
    /** MAC until the first bit leaves. */
    public final int txMac;
    /** Serialisation, PHY and cable. */
    public final int wire;
    /** Receiver until the packet is accepted. */
    public final int rxParse;
    /** The responder's own work on a READ or atomic: its memory access. */
    public final int responderDma;
    /** Assembly of a response with payload. */
    public final int responseAssembly;
    /** MAC of a response with payload until its first bit leaves. */
    public final int responseTxMac;
    /** Serialisation of a response with payload. */
    public final int responseWire;
    /** Requester's receiver until a response with payload is accepted. */
    public final int responseRxParse;
    /** Received payload on its way to host memory. */
    public final int rxDma;
    /** ACK generator, assembly and MAC until the ACK's first bit leaves. */
    public final int ack;
    /** The ACK on the line. */
    public final int ackWire;
    /** Requester's receiver and completion unit. */
    public final int completion;
    /** Receiver's completion unit; the sender's own completion is another stage. */
    public final int recvCompletion;
    /** CQE of a receive on its way to host memory. */
    public final int recvCqeWrite;
    /** CQE on its way to host memory. */
    public final int cqeWrite;
    /** Until the core has seen its completion. */
    public final int poll;
    /** Until the peer's core has seen it. */
    public final int recvPoll;

    /** Cause: the packet before on the same line is not gone yet. */
    public final int behind;

    /** Cause: as many reads of payload are under way as may be. */
    public final int window;

    /** Causes of delays. */
    public final Causes causes;

    private final Sim sim;
    private final long firstJourney;
    private long journeys;

    /**
     * Creates the journal of a device.
     *
     * @param device number of the device, from 1; the journeys of its operations are device * 2^40 + 1, + 2, ...
     */
    public Journal(Sim sim, int device) {
        firstJourney = (long) device << DEVICE_SHIFT;
        post = sim.stages().id("post");
        doorbell = sim.stages().id("doorbell");
        sqWait = sim.stages().id("sq_wait");
        wqeFetch = sim.stages().id("wqe_fetch");
        parse = sim.stages().id("parse");
        qpcFetch = sim.stages().id("qpc_fetch");
        lookup = sim.stages().id("lookup");
        payloadDma = sim.stages().id("payload_dma");
        assembly = sim.stages().id("assembly");
        txMac = sim.stages().id("tx_mac");
        wire = sim.stages().id("wire");
        rxParse = sim.stages().id("rx_parse");
        responderDma = sim.stages().id("responder_dma");
        responseAssembly = sim.stages().id("response_assembly");
        responseTxMac = sim.stages().id("response_tx_mac");
        responseWire = sim.stages().id("response_wire");
        responseRxParse = sim.stages().id("response_rx_parse");
        rxDma = sim.stages().id("rx_dma");
        ack = sim.stages().id("ack");
        ackWire = sim.stages().id("ack_wire");
        completion = sim.stages().id("completion");
        recvCompletion = sim.stages().id("recv_completion");
        recvCqeWrite = sim.stages().id("recv_cqe_write");
        cqeWrite = sim.stages().id("cqe_write");
        poll = sim.stages().id("poll");
        recvPoll = sim.stages().id("recv_poll");
        behind = sim.stages().id(Waterfall.BEHIND);
        window = sim.stages().id("outstanding reads");
        causes = sim.causes();
        this.sim = sim;
    }

    /** Returns the journey of the next operation posted to the device, 0 if the run follows none. */
    public long nextJourney() {
        return sim.journeys() == null ? 0 : firstJourney + ++journeys;
    }

    /** Returns whether the run follows operations. */
    public boolean follows() {
        return sim.journeys() != null;
    }

    /** Records that a part of an operation was served in a stage from one time to another. */
    public void stamp(long journey, int stage, int seq, long inPs, long outPs) {
        stamp(journey, stage, seq, inPs, outPs, 0);
    }

    /** Records the same with the number of the cause that made it longer than its own work. */
    public void stamp(long journey, int stage, int seq, long inPs, long outPs, int cause) {
        JourneyLog log = sim.journeys();
        if (log != null && journey != 0) {
            log.stamp(journey, stage, seq, inPs, outPs, cause);
        }
    }

    /** Records that the payload of a packet was read; what was asked for may have waited for others to come first. */
    public void stampGather(RocePacket packet, int stage, long askedPs, DmaRead last, long outPs) {
        boolean held = last.heldPs > 0 && last.issuedPs > askedPs;
        stamp(packet.journey, stage, packet.psn, held ? last.issuedPs : askedPs, outPs, held ? window : 0);
    }

    /** Records what others took of a core from a time until now, while an operation was with it. */
    public void coreDelays(Cpu cpu, long journey, int stage, long fromPs) {
        JourneyLog log = sim.journeys();
        if (log != null && journey != 0) {
            cpu.delays(log, journey, stage, fromPs);
        }
    }

    /** Lets what holds up a core's stores to the device from now on count for an operation, until it is called with 0. */
    public void storesFor(Cpu cpu, long journey) {
        if (sim.journeys() != null) {
            cpu.storesFor(journey, journey == 0 ? 0 : doorbell);
        }
    }

    /** Records what holds up a core's store to the device that tells of an operation, and left now. */
    public void storeDelays(Cpu cpu, long journey, long address) {
        JourneyLog log = sim.journeys();
        if (log != null && journey != 0) {
            cpu.storeDelays(log, journey, doorbell, address);
        }
    }

    /** Records that an operation lost an interval to a cause; see {@link JourneyLog#delay}. */
    public void delayed(long journey, int cause, long fromPs, long toPs) {
        delayed(journey, JourneyLog.WHOLE, cause, fromPs, toPs);
    }

    /** Records what a packet lost between the receiver and what becomes of it: an answer, a write to memory or a completion. */
    public void delayedBehindReceiver(RocePacket packet, int cause, long fromPs, long toPs) {
        if (packet.isResponse()) {
            delayedIn(completion, packet.journey, packet.psn, cause, fromPs, toPs);
        } else {
            delayedIn(ack, packet.journey, packet.psn, cause, fromPs, toPs);
            delayedIn(responderDma, packet.journey, packet.psn, cause, fromPs, toPs);
            delayedIn(rxDma, packet.journey, packet.psn, cause, fromPs, toPs);
        }
    }

    /** Records what an operation lost before its first packet was made, which asks for payload or goes to the encoder. */
    public void delayedBeforePackets(long journey, int cause, long fromPs, long toPs) {
        delayedIn(payloadDma, journey, cause, fromPs, toPs);
        delayedIn(assembly, journey, cause, fromPs, toPs);
    }

    /** Records the same of one packet of an operation. */
    public void delayed(long journey, int psn, int cause, long fromPs, long toPs) {
        JourneyLog log = sim.journeys();
        if (log != null) {
            log.delay(journey, psn, cause, fromPs, toPs);
        }
    }

    /** Records the same of a wait in one stage. */
    public void delayedIn(int stage, long journey, int cause, long fromPs, long toPs) {
        delayedIn(stage, journey, JourneyLog.WHOLE, cause, fromPs, toPs);
    }

    /** Records the same of one packet's wait in one stage. */
    public void delayedIn(int stage, long journey, int psn, int cause, long fromPs, long toPs) {
        JourneyLog log = sim.journeys();
        if (log != null) {
            log.delay(journey, stage, psn, cause, fromPs, toPs);
        }
    }

    /** Records that a queue pair was held up, and with it all that waits in its send queue. */
    public void queueDelayed(int qpn, int cause, long fromPs, long toPs) {
        JourneyLog log = sim.journeys();
        if (log != null) {
            log.queueDelay(JourneyLog.queue(firstJourney, qpn), cause, fromPs, toPs);
        }
    }

    /** Returns the stage in which a packet is assembled. */
    public int assemblyOf(RocePacket packet) {
        return of(packet, assembly, responseAssembly, ack);
    }

    /** Returns the stage in which a packet waits for its first bit to leave. */
    public int txMacOf(RocePacket packet) {
        return of(packet, txMac, responseTxMac, ack);
    }

    /** Returns the stage in which a packet is on the line. */
    public int wireOf(RocePacket packet) {
        return of(packet, wire, responseWire, ackWire);
    }

    /** Returns the stage in which a packet is received. */
    public int rxParseOf(RocePacket packet) {
        return of(packet, rxParse, responseRxParse, completion);
    }

    private static int of(RocePacket packet, int request, int response, int acknowledge) {
        if (!packet.isResponse()) {
            return request;
        }
        return packet.opcode == Opcode.RC_ACKNOWLEDGE.code() ? acknowledge : response;
    }
}
