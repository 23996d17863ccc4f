package dev.clockwire.roce.cm;

import dev.clockwire.roce.verbs.AddressHandle;
import dev.clockwire.roce.verbs.Completion;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Service id resolution: finds the queue pair of a datagram service, and answers who looks for one. A repeated question gets the same answer
 * as long as its number may still come. Source: InfiniBand Architecture volume 1, section 12.11.
 */
final class Sidr {
    private static final int DEFAULT_PKEY = 0xFFFF;

    private final ConnectionManager manager;
    private final Map<Integer, Service> services = new TreeMap<>();
    private final Map<Integer, Question> questions = new TreeMap<>();
    private final Map<Asked, Answered> answers = new LinkedHashMap<>();

    /** Answers those who look for a port. */
    @FunctionalInterface
    interface Service {
        /** Somebody looks for the service and sends private data along. */
        SidrAnswer asked(PrivateData data);
    }

    /** A question as the one who is asked knows it. */
    private record Asked(PrivateData asker, int id, long transactionId) {}

    private record Answered(Mad mad, long untilPs) {}

    /** A question that waits for its answer. */
    private static final class Question {
        final Mad mad;
        final Completion<AddressHandle> way;
        final Consumer<SidrAnswer> done;
        int retries;
        long deadline;

        Question(Mad mad, Completion<AddressHandle> way, int retries, Consumer<SidrAnswer> done) {
            this.mad = mad;
            this.way = way;
            this.retries = retries;
            this.done = done;
        }
    }

    Sidr(ConnectionManager manager) {
        this.manager = manager;
    }

    boolean serves(int port) {
        return services.containsKey(port);
    }

    void listen(int port, Service service) {
        services.put(port, service);
    }

    void unlisten(int port) {
        services.remove(port);
    }

    void ask(int id, long transactionId, IpCmHeader ip, int port, PrivateData data, Consumer<SidrAnswer> done) {
        CmSidrReq req = new CmSidrReq(id, DEFAULT_PKEY, ServiceId.udp(port), ip.with(data));
        Question question = new Question(
                new Mad(transactionId, req),
                manager.way(CmPath.ethernet(ip.source(), ip.destination(), 0, 0)),
                manager.times().maxRetries(),
                done);
        question.way.whenFailed(error -> end(id, SidrAnswer.refuse(SidrAnswer.UNREACHABLE, PrivateData.NONE)));
        questions.put(id, question);
        send(question);
    }

    private void send(Question question) {
        question.deadline = manager.now() + CmTimes.ps(manager.times().responseTimeout());
        manager.deadline(question.deadline);
        manager.send(question.mad, question.way);
    }

    private void end(int id, SidrAnswer answer) {
        Question question = questions.remove(id);
        if (question != null) {
            question.done.accept(answer);
        }
    }

    /** A message came; returns whether it was one of these. */
    boolean received(Mad mad, Completion<AddressHandle> back) {
        if (mad.message() instanceof CmSidrReq req) {
            asked(mad, req, back);
            return true;
        }
        if (mad.message() instanceof CmSidrRep rep) {
            Question question = questions.get(rep.remoteCommId());
            if (question != null && question.mad.transactionId() == mad.transactionId()) {
                end(rep.remoteCommId(), new SidrAnswer(rep.status(), rep.qpn(), rep.qkey(), rep.privateData()));
            }
            return true;
        }
        return false;
    }

    private void asked(Mad mad, CmSidrReq req, Completion<AddressHandle> back) {
        PrivateData asker = PrivateData.of(req.privateData().bytes(IpCmHeader.BYTES));
        Asked key = new Asked(asker, req.localCommId(), mad.transactionId());
        Answered known = answers.get(key);
        if (known == null) {
            long until = manager.now() + CmTimes.ps(manager.times().timewait());
            known = new Answered(new Mad(mad.transactionId(), reply(req)), until);
            answers.put(key, known);
            manager.deadline(until);
        }
        manager.send(known.mad, back);
    }

    private CmSidrRep reply(CmSidrReq req) {
        boolean ours = ServiceId.isUdp(req.serviceId()) && IpCmHeader.read(req.privateData()) != null;
        Service service = ours ? services.get(ServiceId.port(req.serviceId())) : null;
        SidrAnswer a = service == null
                ? SidrAnswer.refuse(SidrAnswer.UNSUPPORTED, PrivateData.NONE)
                : service.asked(IpCmHeader.application(req.privateData()));
        return new CmSidrRep(
                req.localCommId(), a.status(), a.qpn(), req.serviceId(), a.qkey(), PrivateData.NONE, a.privateData());
    }

    /** The device has failed: nobody answers. */
    void removed() {
        services.clear();
        answers.clear();
        for (int id : List.copyOf(questions.keySet())) {
            end(id, SidrAnswer.refuse(SidrAnswer.UNREACHABLE, PrivateData.NONE));
        }
    }

    /** Asks again what has waited too long, and forgets answers whose questions cannot come again. */
    void look(long now) {
        List<Integer> late = new ArrayList<>();
        questions.forEach((id, question) -> {
            if (question.deadline <= now) {
                late.add(id);
            } else {
                manager.deadline(question.deadline);
            }
        });
        for (int id : late) {
            again(id, questions.get(id));
        }
        answers.values().removeIf(answered -> answered.untilPs <= now);
        answers.values().forEach(answered -> manager.deadline(answered.untilPs));
    }

    private void again(int id, @Nullable Question question) {
        if (question == null) {
            return;
        }
        if (question.retries == 0) {
            end(id, SidrAnswer.refuse(SidrAnswer.UNREACHABLE, PrivateData.NONE));
            return;
        }
        question.retries--;
        send(question);
    }
}
