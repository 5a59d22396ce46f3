package io.weir.internal.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.internal.serve.EventStreams.SharedAnswers;
import org.junit.jupiter.api.Test;

class SharedAnswersTest {
  private final long[] nowMs = {0};
  private final SharedAnswers answers = new SharedAnswers(500, 1 << 20, () -> nowMs[0]);
  private int made;

  private byte[] get(String question, int bytes) {
    return answers.get(
        question,
        () -> {
          made++;
          return new byte[bytes];
        });
  }

  @Test
  void answer_isMadeOnce_whileItIsFresh() {
    assertThat(get("a", 10)).isSameAs(get("a", 10));
    nowMs[0] = 499;
    get("a", 10);
    assertThat(made).isEqualTo(1);
    nowMs[0] = 500;
    get("a", 10);
    assertThat(made).isEqualTo(2);
  }

  /** The table locks some questions together; these two have one hash. */
  @Test
  void answerThatTakesLong_holdsUpNoOther() {
    byte[] answer = answers.get("Aa", () -> get("BB", 10));
    assertThat(get("BB", 10)).isSameAs(answer);
    assertThat(get("Aa", 10)).isSameAs(answer);
    assertThat(made).isEqualTo(1);
  }

  @Test
  void answerThatFails_isMadeAgain() {
    assertThatThrownBy(
            () ->
                answers.get(
                    "a",
                    () -> {
                      throw new IllegalStateException("none");
                    }))
        .hasMessage("none");
    assertThat(get("a", 10)).hasSize(10);
  }

  @Test
  void manyLargeAnswers_andLongQuestions_areNotKept() {
    for (int i = 0; i < 100; i++) {
      assertThat(get("large " + i, 400_000)).hasSize(400_000);
      assertThat(answers.bytes()).isLessThanOrEqualTo(1 << 20);
      get(i + "q".repeat(200_000), 1);
      assertThat(answers.bytes()).isLessThanOrEqualTo(1 << 20);
    }
    assertThat(get("larger than all", 2 << 20)).hasSize(2 << 20);
    assertThat(answers.bytes()).isZero();
  }

  @Test
  void oldAnswers_areForgotten() {
    get("a", 1_000);
    nowMs[0] = 500;
    get("b", 10);
    assertThat(answers.bytes()).isEqualTo(12);
  }
}
