package io.weir.lab.hostile;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;

/** A broker of MQTT that does what a test says. Answers version 5 with a refusal by default. */
public final class ScriptedBroker implements AutoCloseable {
  private static final int CONNECT = 1;
  private static final int SUBSCRIBE = 8;
  private static final int UNSUBSCRIBE = 10;
  private static final int PUBACK = 4;
  private static final int PUBREC = 5;
  private static final int PUBCOMP = 7;
  private static final int PING = 12;
  private static final int PUBLISH = 3;

  public final List<String> subscribed = new CopyOnWriteArrayList<>();
  public final List<String> unsubscribed = new CopyOnWriteArrayList<>();
  public final BlockingQueue<Integer> acknowledged = new LinkedBlockingQueue<>();
  public final List<Integer> versions = new CopyOnWriteArrayList<>();

  /** The contents of CONNECT, a character a byte. */
  public final List<String> connects = new CopyOnWriteArrayList<>();

  /** What the client publishes: topic, space, payload, a character a byte. */
  public final List<String> published = new CopyOnWriteArrayList<>();

  public volatile int connectCode;
  public volatile int subscribeCode = 1;
  public volatile boolean sessionPresent;
  public volatile boolean takesVersion5;

  /** Of a message that is too large, sent to each connection until it is acknowledged. */
  public volatile int largeId;

  /** The same, of one whose topic has a wildcard. */
  public volatile int wildcardId;

  /** Of the message {@link #wildcardId}; with 2 it takes two answers. */
  public volatile int wildcardQos = 1;

  /** Properties of message 5, sent to each connection until it is acknowledged; null for none. */
  public volatile byte[] property;

  /** Whether each subscription brings the beginning of a message that is too large. */
  public volatile boolean retainedTooLarge;

  /** Whether each subscription brings the whole of one before its answer. */
  public volatile boolean retainedLarge;

  /** Whether a message with QoS 1 is sent to each connection until it is acknowledged. */
  public volatile boolean keepsMessages;

  private final Map<Integer, HostileMessage> kept = new ConcurrentSkipListMap<>();
  private final ServerSocket door;
  private int lastId;
  private volatile Socket client;
  private volatile boolean ready;
  private volatile boolean connected;
  private volatile boolean version5;

  public ScriptedBroker() throws IOException {
    door = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    Thread acceptor = new Thread(this::accept, "scripted broker");
    acceptor.setDaemon(true);
    acceptor.start();
  }

  public int port() {
    return door.getLocalPort();
  }

  /** Whether it has accepted the last connection. */
  public boolean isConnected() {
    return connected;
  }

  /** Whether that one has subscribed, too. */
  public boolean isReady() {
    return ready;
  }

  private void accept() {
    while (!door.isClosed()) {
      try (Socket socket = door.accept()) {
        ready = false;
        connected = false;
        client = socket;
        serve(socket);
      } catch (IOException e) {
        ready = false;
      }
    }
  }

  private void serve(Socket socket) throws IOException {
    DataInputStream in = new DataInputStream(socket.getInputStream());
    OutputStream out = socket.getOutputStream();
    while (true) {
      int type = in.read();
      if (type < 0) {
        throw new EOFException();
      }
      byte[] body = new byte[length(in)];
      in.readFully(body);
      switch (type >> 4) {
        case CONNECT -> {
          int version = body[6];
          versions.add(version);
          connects.add(new String(body, ISO_8859_1));
          version5 = version == 5;
          if (version5 && takesVersion5) {
            send(0x20, new byte[] {(byte) (sessionPresent ? 1 : 0), (byte) connectCode, 0});
            publishStored();
            sendKept();
            continue;
          }
          if (version5) {
            out.write(new byte[] {0x20, 3, 0, (byte) 0x84, 0});
            return;
          }
          out.write(new byte[] {0x20, 2, (byte) (sessionPresent ? 1 : 0), (byte) connectCode});
          if (connectCode != 0) {
            return;
          }
          publishStored();
          sendKept();
          if (largeId > 0 && !acknowledged.contains(largeId)) {
            send(0x32, message(largeId, "plant/large", new byte[] {0}, new byte[33 << 20]));
          }
          if (wildcardId > 0 && !acknowledged.contains(wildcardId) && !isClean(body)) {
            send(
                0x30 | wildcardQos << 1,
                message(wildcardId, "plant/#", new byte[] {0}, new byte[] {'1'}));
          }
        }
        case SUBSCRIBE -> {
          ByteArrayOutputStream answer = new ByteArrayOutputStream();
          answer.write(body, 0, 2);
          if (version5) {
            answer.write(0);
          }
          for (int at = version5 ? 3 + body[2] : 2; at < body.length; ) {
            int length = (body[at] & 0xff) << 8 | body[at + 1] & 0xff;
            subscribed.add(new String(body, at + 2, length, UTF_8));
            at += length + 3;
            answer.write(subscribeCode);
          }
          if (retainedLarge) {
            publish("plant/large", new byte[33 << 20]);
          }
          send(0x90, answer.toByteArray());
          if (retainedTooLarge) {
            publishTooMuch();
            continue;
          }
          ready = subscribeCode < 0x80;
        }
        case UNSUBSCRIBE -> {
          unsubscribed.add(new String(body, 4, body.length - 4, UTF_8));
          send(0xb0, new byte[] {body[0], body[1]});
        }
        case PUBLISH -> {
          int length = (body[0] & 0xff) << 8 | body[1] & 0xff;
          boolean answered = (type & 6) != 0;
          int from = length + (answered ? 4 : 2);
          published.add(
              new String(body, 2, length, ISO_8859_1)
                  + " "
                  + new String(body, from, body.length - from, ISO_8859_1));
          if (answered) {
            send(0x40, new byte[] {body[length + 2], body[length + 3]});
          }
        }
        case PING -> send(0xd0, new byte[0]);
        case PUBREC -> send(0x62, new byte[] {body[0], body[1]});
        case PUBACK, PUBCOMP -> {
          int id = (body[0] & 0xff) << 8 | body[1] & 0xff;
          acknowledged.add(id);
          kept.remove(id);
        }
        default -> {}
      }
    }
  }

  private void publishStored() throws IOException {
    if (property != null && !acknowledged.contains(5)) {
      publish(5, "plant/stored", property, "1");
    }
  }

  private static boolean isClean(byte[] connect) {
    return (connect[7] & 2) != 0;
  }

  private static int length(DataInputStream in) throws IOException {
    int length = 0;
    for (int shift = 0; ; shift += 7) {
      int next = in.readUnsignedByte();
      length |= (next & 0x7f) << shift;
      if (next < 0x80) {
        return length;
      }
    }
  }

  private synchronized void sendKept() throws IOException {
    connected = true;
    for (Map.Entry<Integer, HostileMessage> each : kept.entrySet()) {
      send(each.getKey(), each.getValue(), true);
    }
  }

  /** Sends a message, or keeps it for the next connection. */
  public synchronized void send(HostileMessage message) {
    int id = 0;
    if (message.qos() > 0) {
      lastId = message.packetId() > 0 ? message.packetId() : after(lastId);
      while (kept.containsKey(lastId)) {
        lastId = after(lastId);
      }
      id = lastId;
      kept.put(id, message);
    }
    try {
      if (connected) {
        send(id, message, false);
      }
    } catch (IOException e) {
      connected = false; // The client has ended it, and comes again.
    }
  }

  private static int after(int id) {
    return id % 65_534 + 1;
  }

  private void send(int id, HostileMessage message, boolean again) throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    body.write(message.topic().length >> 8);
    body.write(message.topic().length);
    body.writeBytes(message.topic());
    if (message.qos() > 0) {
      body.write(id >> 8);
      body.write(id);
    }
    if (version5) {
      body.writeBytes(message.properties());
    }
    body.writeBytes(message.payload());
    int flags = message.qos() << 1 | (message.retained() ? 1 : 0) | (again ? 8 : 0);
    send(0x30 | flags, body.toByteArray());
  }

  /** Sends a message with QoS 1. */
  public void publish(int packetId, String topic, String payload, boolean retained)
      throws IOException {
    byte[] bytes = payload.getBytes(UTF_8);
    send(0x32 | (retained ? 1 : 0), message(packetId, topic, new byte[] {0}, bytes));
  }

  /**
   * Sends a message with QoS 1.
   *
   * @param properties of version 5, with their length; left out in 3.1.1
   */
  public void publish(int packetId, String topic, byte[] properties, String payload)
      throws IOException {
    send(0x32, message(packetId, topic, properties, payload.getBytes(UTF_8)));
  }

  /** Sends the first bytes of a message with QoS 0 of 64 MiB. */
  public void publishTooMuch() throws IOException {
    ready = false;
    client.getOutputStream().write(new byte[] {0x30, -128, -128, -128, 32});
  }

  private byte[] message(int packetId, String topic, byte[] properties, byte[] payload) {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    byte[] name = topic.getBytes(UTF_8);
    body.write(name.length >> 8);
    body.write(name.length);
    body.writeBytes(name);
    body.write(packetId >> 8);
    body.write(packetId);
    if (version5) {
      body.writeBytes(properties);
    }
    body.writeBytes(payload);
    return body.toByteArray();
  }

  /** Sends a message with QoS 0. */
  public void publish(String topic, byte[] payload) throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    byte[] name = topic.getBytes(UTF_8);
    body.write(name.length >> 8);
    body.write(name.length);
    body.writeBytes(name);
    body.writeBytes(payload);
    send(0x30, body.toByteArray());
  }

  private synchronized void send(int type, byte[] body) throws IOException {
    ByteArrayOutputStream packet = new ByteArrayOutputStream();
    packet.write(type);
    int rest = body.length;
    do {
      packet.write(rest % 128 | (rest >= 128 ? 0x80 : 0));
      rest /= 128;
    } while (rest > 0);
    packet.writeBytes(body);
    client.getOutputStream().write(packet.toByteArray());
  }

  public void cut() throws IOException {
    ready = false;
    client.close();
  }

  @Override
  public void close() throws IOException {
    door.close();
    if (client != null) {
      client.close();
    }
  }
}
