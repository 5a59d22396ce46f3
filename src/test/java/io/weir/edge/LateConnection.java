package io.weir.edge;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A client's connection to the broker of {@link LateLeaders}. Responses go back in the order of the
 * requests, as Kafka's protocol has it, whether they are the broker's or made here.
 *
 * <p>A refusal is held back until a later request of the same partition went past it to the broker.
 * A client that sends none would wait for ever, so it is given up after a time in which a client
 * that has more to send and may send it does so.
 */
final class LateConnection {
  private static final long TIMEOUT_MS = 1_000;

  private final LateLeaders leaders;
  private final Socket client;
  private final Socket broker;
  private final BlockingQueue<Answer> answers = new LinkedBlockingQueue<>();
  private final Set<Refusal> heldBack = ConcurrentHashMap.newKeySet();

  /** What the next response to the client is. */
  private sealed interface Answer {}

  private record OfBroker(Optional<ProduceMessage> produce) implements Answer {}

  private record Refusal(
      Set<ProduceMessage.Partition> partitions, byte[] response, CountDownLatch wentPast)
      implements Answer {}

  /** Starts to pass on. */
  LateConnection(LateLeaders leaders, Socket client, Socket broker) {
    this.leaders = leaders;
    this.client = client;
    this.broker = broker;
    LateLeaders.daemon("late-requests", () -> untilClosed(this::passRequest));
    LateLeaders.daemon("late-responses", () -> untilClosed(this::passResponse));
  }

  void close() {
    try (client) {
      broker.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void passRequest() throws IOException {
    byte[] message = read(client);
    Optional<ProduceMessage> produce = ProduceMessage.parse(message);
    boolean first = produce.isPresent() && leaders.areContactedFirst(produce.get().partitions());
    produce.ifPresent(request -> comesBehind(request, !first));
    if (first) {
      refuse(produce.get());
    } else {
      answers.add(new OfBroker(produce));
      write(broker, message);
    }
  }

  private void refuse(ProduceMessage request) {
    Refusal refusal = new Refusal(request.partitions(), request.notLeader(), new CountDownLatch(1));
    heldBack.add(refusal);
    answers.add(refusal);
  }

  private void comesBehind(ProduceMessage request, boolean passedOn) {
    for (Refusal refusal : heldBack) {
      if (request.touchesAnyOf(refusal.partitions())) {
        leaders.overtaken();
        if (passedOn) {
          refusal.wentPast().countDown();
        }
      }
    }
  }

  private void passResponse() throws IOException, InterruptedException {
    Answer answer = answers.take();
    if (answer instanceof Refusal refusal) {
      refusal.wentPast().await(TIMEOUT_MS, TimeUnit.MILLISECONDS);
      heldBack.remove(refusal);
      write(client, refusal.response());
    } else if (answer instanceof OfBroker ofBroker) {
      byte[] response = read(broker);
      if (ofBroker.produce().filter(request -> request.isOutOfOrder(response)).isPresent()) {
        leaders.outOfOrder();
      }
      write(client, response);
    }
  }

  private void untilClosed(Step step) {
    try {
      while (true) {
        step.run();
      }
    } catch (IOException | InterruptedException e) {
      // The other side is gone: so is this one.
    } finally {
      close();
    }
  }

  private static byte[] read(Socket from) throws IOException {
    DataInputStream in = new DataInputStream(from.getInputStream());
    byte[] message = new byte[in.readInt()];
    in.readFully(message);
    return message;
  }

  private static void write(Socket to, byte[] message) throws IOException {
    ByteBuffer framed = ByteBuffer.allocate(Integer.BYTES + message.length);
    framed.putInt(message.length).put(message);
    to.getOutputStream().write(framed.array());
  }

  private interface Step {
    void run() throws IOException, InterruptedException;
  }
}
