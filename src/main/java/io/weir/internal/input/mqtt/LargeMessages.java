package io.weir.internal.input.mqtt;

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
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import javax.net.SocketFactory;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/**
 * Acknowledges messages that are too large to be read, which a broker of MQTT 3.1.1 sends first to
 * each connection. It takes the session with a connection of its own, skips the bytes of these
 * messages, and leaves all others for the next connection. One thread.
 */
final class LargeMessages {
  private static final int TIMEOUT_MS = 20_000;

  /** A broker sends what was not acknowledged at once: so long the first of them is awaited. */
  private static final int FIRST_MS = 5_000;

  private static final int NEXT_MS = 1_000;

  private static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final int CONNACK = 0x20;
  private static final int PUBACK = 0x40;
  private static final byte[] CONNECT_3_1_1 = {0, 4, 'M', 'Q', 'T', 'T', 4};
  private static final byte[] DISCONNECT = {(byte) 0xe0, 0};

  private final MqttBroker broker;
  private final int mostBytes;

  /**
   * @param mostBytes of a packet that is not too large
   */
  LargeMessages(MqttBroker broker, int mostBytes) {
    this.broker = broker;
    this.mostBytes = mostBytes;
  }

  /**
   * Acknowledges them.
   *
   * @param sockets for the server, with TLS or without
   * @return how many there were
   * @throws IOException if the broker refuses the connection, or ends it before one was there
   */
  int skip(URI server, SocketFactory sockets) throws IOException {
    int skipped = 0;
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
      long endNanos = System.nanoTime() + LONGEST_NANOS;
      while (System.nanoTime() - endNanos < 0) {
        socket.setSoTimeout(skipped == 0 ? FIRST_MS : NEXT_MS);
        int type = in.readUnsignedByte();
        socket.setSoTimeout(TIMEOUT_MS);
        int length = length(in);
        boolean answered = type >> 4 == 3 && (type & 6) == 2;
        if (length <= mostBytes || !answered) {
          in.skipNBytes(length);
          continue;
        }
        int topicBytes = in.readUnsignedShort();
        in.skipNBytes(topicBytes);
        int id = in.readUnsignedShort();
        in.skipNBytes(length - topicBytes - 4L);
        out.write(new byte[] {PUBACK, 2, (byte) (id >> 8), (byte) id});
        skipped++;
      }
      out.write(DISCONNECT);
    } catch (SocketTimeoutException e) {
      return skipped; // There are no others.
    }
    return skipped;
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
    ByteArrayOutputStream packet = new ByteArrayOutputStream();
    packet.write(0x10);
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
