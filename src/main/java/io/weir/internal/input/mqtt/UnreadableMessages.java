package io.weir.internal.input.mqtt;

import com.hivemq.client.mqtt.datatypes.MqttTopic;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.SocketFactory;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/**
 * Acknowledges messages that are too large, or have an invalid topic, which a broker of MQTT 3.1.1
 * sends first to each connection. It takes the session with a connection of its own, skips the
 * bytes of these messages, and leaves all others for the next connection. Used once, by one thread.
 */
final class UnreadableMessages {
  private static final int TIMEOUT_MS = 20_000;

  /** So long it reads on after the answer to a ping: most brokers send old messages before it. */
  private static final long AFTER_PING_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final int CONNACK = 0x20;
  private static final int PUBLISH = 3;
  private static final int PUBREL = 6;
  private static final byte PUBACK = 0x40;
  private static final byte PUBREC = 0x50;
  private static final byte PUBCOMP = 0x70;
  private static final int SUBACK = 9;
  private static final int PING_ANSWER = 13;
  private static final byte[] PING = {(byte) 0xc0, 0};
  private static final byte[] CONNECT_3_1_1 = {0, 4, 'M', 'Q', 'T', 'T', 4};
  private static final byte[] DISCONNECT = {(byte) 0xe0, 0};

  private final MqttBroker broker;
  private final List<String> filters;
  private final int mostBytes;
  private int skipped;
  private boolean subscribed;

  /**
   * @param filters to subscribe to, for the session; what is readable of their retained messages is
   *     lost with QoS 0
   * @param mostBytes of a packet that is not too large
   */
  UnreadableMessages(MqttBroker broker, List<String> filters, int mostBytes) {
    this.broker = broker;
    this.filters = filters;
    this.mostBytes = mostBytes;
  }

  /** How many messages were acknowledged. */
  int skipped() {
    return skipped;
  }

  /** Whether the session has the filters. */
  boolean isSubscribed() {
    return subscribed;
  }

  /**
   * Acknowledges them.
   *
   * @param sockets for the server, with TLS or without
   * @throws IOException if the broker refuses the connection, or ends it
   */
  void skip(URI server, SocketFactory sockets) throws IOException {
    try (Socket socket = sockets.createSocket()) {
      socket.connect(new InetSocketAddress(server.getHost(), MqttBroker.port(server)), TIMEOUT_MS);
      socket.setSoTimeout(TIMEOUT_MS);
      if (socket instanceof SSLSocket secure) {
        SSLParameters parameters = secure.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        secure.setSSLParameters(parameters);
      }
      OutputStream out = socket.getOutputStream();
      out.write(connect());
      DataInputStream in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
      if (in.readUnsignedByte() != CONNACK || length(in) != 2 || in.readUnsignedShort() > 0x100) {
        throw new IOException("the broker does not accept the connection");
      }
      if (!filters.isEmpty()) {
        out.write(subscribe());
      }
      out.write(PING);
      long endNanos = System.nanoTime() + LONGEST_NANOS;
      for (int type = next(socket, in, endNanos); type >= 0; type = next(socket, in, endNanos)) {
        int length = length(in);
        if (type >> 4 == PUBLISH) {
          message(type >> 1 & 3, length, in, out);
          continue;
        }
        if (type >> 4 == PUBREL) {
          out.write(new byte[] {PUBCOMP, 2, in.readByte(), in.readByte()});
          length -= Short.BYTES;
        }
        if (type >> 4 == PING_ANSWER) {
          endNanos = System.nanoTime() + AFTER_PING_NANOS;
        }
        if (type >> 4 == SUBACK) {
          in.skipNBytes(Short.BYTES);
          length -= Short.BYTES;
          subscribed = true;
          for (; length > 0; length--) {
            subscribed &= in.readUnsignedByte() < 0x80;
          }
        }
        in.skipNBytes(length);
      }
      out.write(DISCONNECT);
    }
  }

  /** The first byte of the next packet; -1 if none came in time. */
  private static int next(Socket socket, DataInputStream in, long endNanos) throws IOException {
    long leftMs = TimeUnit.NANOSECONDS.toMillis(endNanos - System.nanoTime());
    if (leftMs <= 0) {
      return -1;
    }
    try {
      socket.setSoTimeout((int) leftMs);
      return in.readUnsignedByte();
    } catch (SocketTimeoutException e) {
      return -1;
    } finally {
      socket.setSoTimeout(TIMEOUT_MS);
    }
  }

  private void message(int qos, int length, DataInputStream in, OutputStream out)
      throws IOException {
    int idBytes = qos == 0 ? 0 : Short.BYTES;
    int topicBytes = length < Short.BYTES ? length : in.readUnsignedShort();
    int payloadBytes = length - Short.BYTES - topicBytes - idBytes;
    if (payloadBytes < 0) {
      throw new IOException("the broker does not send MQTT");
    }
    boolean readable = isTopic(in.readNBytes(topicBytes)) && length <= mostBytes;
    byte[] id = in.readNBytes(idBytes);
    in.skipNBytes(payloadBytes);
    if (readable || qos == 0) {
      return; // One with QoS 0 does not come again.
    }
    out.write(new byte[] {qos > 1 ? PUBREC : PUBACK, 2, id[0], id[1]});
    skipped++;
  }

  private static boolean isTopic(byte[] bytes) {
    try {
      MqttTopic.of(StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
      return true;
    } catch (CharacterCodingException | IllegalArgumentException e) {
      return false;
    }
  }

  private byte[] connect() throws IOException {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    DataOutputStream data = new DataOutputStream(content);
    data.write(CONNECT_3_1_1);
    data.write(broker.login().isPresent() ? 0xc0 : 0);
    data.writeShort((int) broker.keepAlive().toSeconds());
    write(broker.clientId(), data);
    if (broker.login().isPresent()) {
      write(broker.login().get().user(), data);
      write(broker.login().get().password(), data);
    }
    return packet(0x10, content);
  }

  private byte[] subscribe() throws IOException {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    DataOutputStream data = new DataOutputStream(content);
    data.writeShort(1);
    for (String filter : filters) {
      write(filter, data);
      data.write(1);
    }
    return packet(0x82, content);
  }

  private static byte[] packet(int type, ByteArrayOutputStream content) {
    ByteArrayOutputStream packet = new ByteArrayOutputStream();
    packet.write(type);
    int rest = content.size();
    for (; rest >= 0x80; rest >>= 7) {
      packet.write(rest & 0x7f | 0x80);
    }
    packet.write(rest);
    packet.writeBytes(content.toByteArray());
    return packet.toByteArray();
  }

  private static void write(String text, DataOutputStream to) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    to.writeShort(bytes.length);
    to.write(bytes);
  }

  private static int length(DataInputStream in) throws IOException {
    int length = 0;
    for (int shift = 0; shift <= 21; shift += 7) {
      int next = in.readUnsignedByte();
      length |= (next & 0x7f) << shift;
      if (next < 0x80) {
        return length;
      }
    }
    throw new IOException("the broker does not send MQTT");
  }
}
