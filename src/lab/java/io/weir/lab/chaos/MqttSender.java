package io.weir.lab.chaos;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.IntFunction;

/**
 * A publisher of MQTT 3.1.1 with QoS 1 that sends a message again until the broker acknowledges it.
 * For one thread.
 */
public final class MqttSender implements AutoCloseable {
  private static final int WINDOW = 50;
  private static final int PUBLISH_QOS_1 = 0x32;
  private static final int DUP = 0x08;
  private static final int PUBACK = 4;
  private static final int SILENCE_MS = 20_000;
  private static final Duration PAUSE = Duration.ofMillis(50);

  private final int port;
  private final String topic;
  private final IntFunction<String> payload;

  /** Payloads without an acknowledgement by packet id. */
  private final Map<Integer, byte[]> open = new LinkedHashMap<>();

  private int next;
  private Socket socket;
  private DataInputStream in;
  private DataOutputStream out;

  /**
   * @param payload of the message with that number, from 0; asked once for each
   */
  public MqttSender(int port, String topic, IntFunction<String> payload) {
    this.port = port;
    this.topic = topic;
    this.payload = payload;
  }

  /**
   * Publishes so many more, until the broker has all, or the thread is interrupted; returns the
   * number of all.
   */
  public int publish(int count) {
    int end = next + count;
    while ((next < end || !open.isEmpty()) && !Thread.currentThread().isInterrupted()) {
      try {
        connect();
        for (; next < end && open.size() < WINDOW; next++) {
          int id = next % 65_535 + 1;
          open.put(id, payload.apply(next).getBytes(UTF_8));
          send(id, 0);
        }
        out.flush();
        open.remove(acknowledged());
      } catch (IOException e) {
        close();
        Waiting.until(PAUSE, () -> false);
      }
    }
    return next;
  }

  private void connect() throws IOException {
    if (socket != null) {
      return;
    }
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(SILENCE_MS);
    in = new DataInputStream(socket.getInputStream());
    out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream connect = new DataOutputStream(bytes);
    connect.writeUTF("MQTT");
    connect.write(new byte[] {4, 2, 0, 0}); // Version, clean session, no keep alive.
    connect.writeUTF("publisher");
    packet(0x10, bytes.toByteArray());
    out.flush();
    in.readInt();
    for (int id : open.keySet()) {
      send(id, DUP);
    }
  }

  private void send(int id, int flags) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream publish = new DataOutputStream(bytes);
    publish.writeUTF(topic);
    publish.writeShort(id);
    publish.write(open.get(id));
    packet(PUBLISH_QOS_1 | flags, bytes.toByteArray());
  }

  private void packet(int head, byte[] rest) throws IOException {
    out.write(head);
    int length = rest.length;
    for (; length > 127; length >>>= 7) {
      out.write(length & 127 | 128);
    }
    out.write(length);
    out.write(rest);
  }

  /** The packet id of the next answer. */
  private int acknowledged() throws IOException {
    int head = in.readUnsignedByte();
    if (head >>> 4 != PUBACK || in.readUnsignedByte() != 2) {
      throw new IOException("not an acknowledgement: " + head);
    }
    return in.readUnsignedShort();
  }

  /** Ends the connection. */
  @Override
  public void close() {
    try {
      if (socket != null) {
        socket.close();
      }
    } catch (IOException e) {
      // It is closed as far as it can be.
    }
    socket = null;
  }
}
