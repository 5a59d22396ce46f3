package io.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.Seeds;
import io.weir.internal.text.BlockInput;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class StoppableInputTest {
  @Test
  void read_ofAnyLength_givesTheBytesAsTheyAre() {
    Seeds.forEach(20, StoppableInputTest::giveTheBytesAsTheyAre);
  }

  private static void giveTheBytesAsTheyAre(Random random) throws IOException {
    byte[] bytes = new byte[random.nextInt(1, 1_000_000)];
    random.nextBytes(bytes);

    InputStream in = new StoppableInput(() -> new ByteArrayInputStream(bytes), () -> false);

    assertThat(in.readAllBytes()).isEqualTo(bytes);
    assertThat(in.read()).isEqualTo(-1);
    assertThat(in.read()).isEqualTo(-1);
  }

  @Test
  void read_whenNothingComesAndAskedToStop_isInterrupted() throws IOException {
    AtomicBoolean stopped = new AtomicBoolean();
    PipedOutputStream writer = new PipedOutputStream();
    PipedInputStream reader = new PipedInputStream(writer);
    try (writer;
        InputStream in = new StoppableInput(() -> reader, stopped::get)) {
      writer.write('x');
      writer.flush();
      assertThat(in.read()).isEqualTo('x');
      stopped.set(true);

      assertThatThrownBy(in::read).isInstanceOf(InterruptedIOException.class);
    }
  }

  /** So does a channel whose descriptor somebody else made non-blocking. */
  @Test
  void read_whereThePipeGivesNothingNow_goesOn() throws IOException {
    byte[] bytes = {'a', 'b', 'c'};
    InputStream now = new ByteArrayInputStream(bytes);
    InputStream pipe =
        new BlockInput() {
          private boolean nothing;

          @Override
          public int read(byte[] target, int offset, int length) throws IOException {
            nothing = !nothing;
            return nothing ? 0 : now.read(target, offset, 1);
          }
        };

    assertThat(new StoppableInput(() -> pipe, () -> false).readAllBytes()).isEqualTo(bytes);
  }

  @Test
  void stop_whileBytesAreTakenFromThePipe_countsThemAndTheyStillCome() throws Exception {
    AtomicBoolean stopped = new AtomicBoolean();
    LatePipe pipe = new LatePipe();
    try (StoppableInput in = new StoppableInput(() -> pipe, stopped::get)) {
      assertThat(in.read()).isEqualTo('a');
      pipe.isRead.await();
      stopped.set(true);
      in.stop();

      assertThat(in.unreadBytes()).isEqualTo(2);
      assertThat(in.read()).isEqualTo('b');
      assertThat(in.read()).isEqualTo('c');
      assertThat(in.unreadBytes()).isZero();
      assertThatThrownBy(in::read).isInstanceOf(InterruptedIOException.class);
    }
  }

  /** Gives a byte, and with the next read, for which the close comes too late, two more. */
  private static final class LatePipe extends BlockInput {
    private final CountDownLatch isRead = new CountDownLatch(1);
    private final CountDownLatch closed = new CountDownLatch(1);
    private boolean first = true;

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      if (first) {
        first = false;
        target[offset] = 'a';
        return 1;
      }
      isRead.countDown();
      awaitForever(closed);
      target[offset] = 'b';
      target[offset + 1] = 'c';
      return 2;
    }

    @Override
    public void close() {
      closed.countDown();
    }
  }

  /** A pipe that is still open would take what nobody reads any more. */
  @Test
  void pipe_isClosedBeforeItsEndIsReported() throws IOException {
    AtomicBoolean closed = new AtomicBoolean();
    InputStream pipe =
        new ByteArrayInputStream(new byte[] {'x'}) {
          @Override
          public void close() {
            closed.set(true);
          }
        };

    InputStream in = new StoppableInput(() -> pipe, () -> false);

    assertThat(in.readAllBytes()).containsExactly('x');
    assertThat(closed).isTrue();
  }

  @Test
  void read_whenNobodyWritesThePipeAndAskedToStop_isInterrupted() throws IOException {
    CountDownLatch never = new CountDownLatch(1);
    try (InputStream in =
        new StoppableInput(
            () -> {
              awaitForever(never);
              return InputStream.nullInputStream();
            },
            () -> true)) {
      assertThatThrownBy(in::read).isInstanceOf(InterruptedIOException.class);
    }
  }

  private static void awaitForever(CountDownLatch never) throws InterruptedIOException {
    try {
      never.await();
    } catch (InterruptedException e) {
      throw new InterruptedIOException();
    }
  }

  @Test
  void read_ofAnInputThatFails_failsEveryTime() {
    InputStream broken =
        new InputStream() {
          @Override
          public int read() throws IOException {
            throw new IOException("cut off");
          }
        };

    InputStream in = new StoppableInput(() -> broken, () -> false);

    assertThatThrownBy(in::read).hasMessage("cut off");
    assertThatThrownBy(in::read).hasMessage("cut off");
  }
}
