package io.weir.internal.serve;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Answers that several streams want at about the same time, each made once. It keeps them for a
 * moment, and only so many bytes. Safe for many threads.
 */
final class SharedAnswers {
  private final long freshMs;
  private final long maxBytes;
  private final LongSupplier elapsedMs;
  private final Map<String, Answer> answers = new ConcurrentHashMap<>();

  /** An answer, and when it was made. */
  private record Answer(long at, byte[] body) {}

  /**
   * @param freshMs so long an answer serves others
   * @param maxBytes of all answers and their questions
   * @param elapsedMs a monotonic clock
   */
  SharedAnswers(long freshMs, long maxBytes, LongSupplier elapsedMs) {
    this.freshMs = freshMs;
    this.maxBytes = maxBytes;
    this.elapsedMs = elapsedMs;
  }

  /** The answer to a question. */
  byte[] get(String question, Supplier<byte[]> maker) {
    long now = elapsedMs.getAsLong();
    answers.values().removeIf(answer -> now - answer.at() >= freshMs);
    byte[] body = answers.computeIfAbsent(question, any -> new Answer(now, maker.get())).body();
    if (bytes() > maxBytes) {
      answers.clear();
    }
    return body;
  }

  long bytes() {
    return answers.entrySet().stream()
        .mapToLong(each -> 2L * each.getKey().length() + each.getValue().body().length)
        .sum();
  }
}
