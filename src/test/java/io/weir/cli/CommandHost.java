package io.weir.cli;

import io.weir.internal.app.Logs;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * A process that runs commands one after another. A command costs a tenth of the CPU that it takes
 * in a process of its own. Its output, messages and status are the same; starts, signals and
 * standard input, which is at its end, are for {@link WeirProcess}. Thread-safe.
 */
public final class CommandHost implements AutoCloseable {
  private static final int TIMEOUT_MS = (int) TimeUnit.MINUTES.toMillis(5);

  /** Ends what a command wrote to a stream; no command writes it. */
  private static final byte END = 0;

  private static CommandHost shared;

  private final Process process;
  private final Socket connection;
  private final DataInputStream in;
  private final DataOutputStream out;

  private CommandHost(Process process, Socket connection) throws IOException {
    this.process = process;
    this.connection = connection;
    connection.setSoTimeout(TIMEOUT_MS);
    in = new DataInputStream(connection.getInputStream());
    out = new DataOutputStream(connection.getOutputStream());
  }

  /** One for all tests of this JVM, without settings; ends with the JVM. */
  static synchronized CommandHost shared() throws IOException {
    if (shared == null || !shared.process.isAlive()) {
      shared = start(Map.of());
    }
    return shared;
  }

  /**
   * Starts one.
   *
   * @param environment what the commands find there
   */
  public static CommandHost start(Map<String, String> environment) throws IOException {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      server.setSoTimeout(TIMEOUT_MS);
      String port = Integer.toString(server.getLocalPort());
      ProcessBuilder builder = WeirProcess.builderOf(CommandHost.class, port);
      builder.environment().putAll(environment);
      Process process = builder.start();
      process.getOutputStream().close();
      return new CommandHost(process, server.accept());
    }
  }

  /** Starts a command that runs until {@link #stop}. */
  CompletableFuture<WeirProcess.Ended> start(String... arguments) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return run(arguments);
          } catch (Exception e) {
            throw new AssertionError(e);
          }
        },
        task -> new Thread(task, "command").start());
  }

  /** Asks the command to stop; does nothing where none runs. */
  void stop() throws IOException {
    out.writeInt(0);
    out.flush();
  }

  /** Runs a command to its end. */
  public synchronized WeirProcess.Ended run(String... arguments) throws Exception {
    CompletableFuture<String> err =
        CompletableFuture.supplyAsync(() -> text(process.getErrorStream()));
    out.writeInt(arguments.length);
    for (String argument : arguments) {
      byte[] bytes = argument.getBytes(StandardCharsets.UTF_8);
      out.writeInt(bytes.length);
      out.write(bytes);
    }
    out.flush();
    String printed = text(process.getInputStream());
    return new WeirProcess.Ended(in.readInt(), printed, err.get());
  }

  private static String text(InputStream stream) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      for (int next = stream.read(); next != END; next = stream.read()) {
        if (next < 0) {
          throw new AssertionError("the process has ended; it said " + bytes);
        }
        bytes.write(next);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }

  @Override
  public void close() throws IOException {
    connection.close();
    process.destroy();
  }

  /**
   * The process.
   *
   * @param args the port from which it gets its commands
   */
  public static void main(String[] args) throws IOException {
    Logs.useOwnConfiguration();
    InetAddress loopback = InetAddress.getLoopbackAddress();
    try (Socket connection = new Socket(loopback, Integer.parseInt(args[0]))) {
      DataInputStream in = new DataInputStream(connection.getInputStream());
      DataOutputStream out = new DataOutputStream(connection.getOutputStream());
      ExecutorService commands = Executors.newSingleThreadExecutor();
      while (true) {
        String[] arguments = arguments(in);
        if (arguments.length == 0) {
          StopSignal.request();
        } else {
          commands.execute(() -> execute(out, arguments));
        }
      }
    } catch (EOFException over) {
      StopSignal.exit(0);
    }
  }

  private static String[] arguments(DataInputStream in) throws IOException {
    String[] arguments = new String[in.readInt()];
    for (int i = 0; i < arguments.length; i++) {
      arguments[i] = new String(in.readNBytes(in.readInt()), StandardCharsets.UTF_8);
    }
    return arguments;
  }

  private static void execute(DataOutputStream out, String... arguments) {
    int status = execute(arguments);
    System.out.write(END);
    System.out.flush();
    System.err.write(END);
    System.err.flush();
    try {
      out.writeInt(status);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static int execute(String... arguments) {
    try {
      return Weir.commandLine(arguments).execute(arguments);
    } catch (Error e) {
      Failures.broken(e);
      return Failures.FAILED;
    }
  }
}
