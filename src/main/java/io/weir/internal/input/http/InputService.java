package io.weir.internal.input.http;

import io.weir.internal.input.Admission;
import io.weir.internal.input.Client;
import io.weir.internal.input.Clients;
import io.weir.internal.input.InputMetrics;
import io.weir.internal.input.ReadingSink;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** Decides who is answered by which input, and within which limits. Thread-safe. */
public final class InputService implements HttpService {
  private static final byte[] NO_BODY = {};
  private static final Set<String> LOCAL_HOSTS = Set.of("localhost", "127.0.0.1", "[::1]");

  private final List<HttpInput> inputs;
  private final Clients clients;
  private final Admission admission;
  private final ReadingSink sink;
  private final InputMetrics metrics;
  private final int maxBodyBytes;

  public InputService(
      List<HttpInput> inputs,
      Clients clients,
      Admission admission,
      ReadingSink sink,
      InputMetrics metrics,
      int maxBodyBytes) {
    this.inputs = List.copyOf(inputs);
    this.clients = clients;
    this.admission = admission;
    this.sink = sink;
    this.metrics = metrics;
    this.maxBodyBytes = maxBodyBytes;
  }

  @Override
  public HttpTask begin(HttpHead head, Runnable cut) {
    if (head.loopback() && !head.header("Host").map(InputService::isLocal).orElse(true)) {
      return HttpTask.answering(
          HttpReply.error(403, "the Host header is not localhost, 127.0.0.1 or [::1]"));
    }
    if (head.loopback()
        && !clients.haveTokens()
        && head.header("Origin").filter(InputService::isForeign).isPresent()) {
      return HttpTask.answering(
          HttpReply.error(403, "the Origin header names a web page of another host"));
    }
    for (HttpInput input : inputs) {
      Optional<HttpInput.Endpoint> endpoint = input.find(head.path());
      if (endpoint.isPresent()) {
        return begin(head, input, endpoint.get(), cut);
      }
    }
    HttpReply unknown = HttpReply.error(404, "no such path");
    for (HttpInput input : inputs) {
      unknown = input.dressed(unknown);
    }
    return HttpTask.answering(unknown);
  }

  /** A browser sends this header with the requests of any page; other programs do not. */
  private static boolean isForeign(String origin) {
    int host = origin.indexOf("://");
    return host < 0 || !isLocal(origin.substring(host + 3));
  }

  private static boolean isLocal(String host) {
    int colon = host.lastIndexOf(':');
    boolean port = colon > host.lastIndexOf(']');
    return LOCAL_HOSTS.contains(port ? host.substring(0, colon) : host);
  }

  private HttpTask begin(
      HttpHead head, HttpInput input, HttpInput.Endpoint endpoint, Runnable cut) {
    long beginNanos = System.nanoTime();
    if (!endpoint.methods().contains(head.method())) {
      String allowed = String.join(", ", endpoint.methods().stream().sorted().toList());
      HttpReply reply = input.error(head, 405, "expected: " + allowed);
      return answering(input, reply.with("Allow", allowed), beginNanos);
    }
    if (endpoint.open()) {
      return answeringAtOnce(head, input, endpoint, beginNanos);
    }
    Optional<Client> client = clients.find(input.token(head));
    if (client.isEmpty()) {
      HttpReply reply = input.error(head, 401, "credentials are missing or wrong");
      return answering(input, reply.with("WWW-Authenticate", "Basic realm=\"weir\""), beginNanos);
    }
    if (!client.get().mayUse(input.name())) {
      return answering(
          input, input.error(head, 403, "this input is not allowed to the client"), beginNanos);
    }
    if (!sink.hasRoom()) {
      return answering(input, input.error(head, 503, "the spool is full or fails"), beginNanos);
    }
    Admission.Place place = admission.begin(client.get().sender(head.sender()), cut);
    return place == null
        ? answering(input, tooMany(input, head), beginNanos)
        : new Task(head, input, endpoint, client.get(), place, beginNanos);
  }

  private static HttpReply tooMany(HttpInput input, HttpHead head) {
    return input.error(head, 503, "too many requests, or the edge stops");
  }

  @Override
  public void closed(Cause cause) {
    metrics.closed(cause.name().toLowerCase(Locale.ROOT));
  }

  /** Without a body, which is discarded, and without admission. */
  private HttpTask answeringAtOnce(
      HttpHead head, HttpInput input, HttpInput.Endpoint endpoint, long beginNanos) {
    HttpReply[] reply = new HttpReply[1];
    try {
      endpoint
          .action()
          .run(
              new HttpInput.InputRequest(head, Client.LOCAL, NO_BODY, 0, bytes -> false),
              answer -> reply[0] = answer);
    } catch (RefusedRequestException e) {
      reply[0] = input.error(head, e.status(), e.getMessage());
    }
    return answering(input, reply[0], beginNanos);
  }

  private HttpTask answering(HttpInput input, HttpReply reply, long beginNanos) {
    metrics.answered(input.name(), reply.status(), System.nanoTime() - beginNanos);
    return HttpTask.answering(input.dressed(reply));
  }

  private final class Task implements HttpTask {
    private final HttpHead head;
    private final HttpInput input;
    private final HttpInput.Endpoint endpoint;
    private final Client client;
    private final Admission.Place place;
    private final long beginNanos;
    private long received;

    Task(
        HttpHead head,
        HttpInput input,
        HttpInput.Endpoint endpoint,
        Client client,
        Admission.Place place,
        long beginNanos) {
      this.head = head;
      this.input = input;
      this.endpoint = endpoint;
      this.client = client;
      this.place = place;
      this.beginNanos = beginNanos;
    }

    @Override
    public HttpReply received(int bytes) {
      received += bytes;
      if (received > maxBodyBytes) {
        return answered(
            input.error(
                head, 413, "the body is larger than weir.edge.max.body.bytes, " + maxBodyBytes));
      }
      return null;
    }

    @Override
    public HttpReply take(int bytes) {
      return place.take(bytes)
          ? null
          : answered(input.error(head, 503, "too many bytes of requests in flight"));
    }

    @Override
    public void run(byte[] body, int length, Consumer<HttpReply> answer) {
      metrics.received(input.name(), length);
      Consumer<HttpReply> counting = reply -> answer.accept(answered(reply));
      if (!place.enter()) {
        counting.accept(tooMany(input, head));
        return;
      }
      try {
        endpoint
            .action()
            .run(new HttpInput.InputRequest(head, client, body, length, place::take), counting);
      } catch (RefusedRequestException e) {
        counting.accept(input.error(head, e.status(), e.getMessage()));
      }
    }

    private HttpReply answered(HttpReply reply) {
      metrics.answered(input.name(), reply.status(), System.nanoTime() - beginNanos);
      return input.dressed(reply);
    }

    @Override
    public void end() {
      place.leave();
    }
  }
}
