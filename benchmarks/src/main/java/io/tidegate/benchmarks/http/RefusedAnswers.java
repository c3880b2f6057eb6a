package io.tidegate.benchmarks.http;

import io.tidegate.benchmarks.load.HttpConnection.Refusals;
import java.util.function.Supplier;

/** The answers to a load other than 2xx. Used by the thread of the load. */
final class RefusedAnswers implements Refusals {

  /** The status of a denial, which is a decision like any other. */
  private static final int TOO_MANY_REQUESTS = 429;

  private long denied;
  private long failed;
  private String first = "";

  @Override
  public void refused(int status, Supplier<String> answer) {
    if (count() == 0) {
      first = answer.get();
    }
    if (status == TOO_MANY_REQUESTS) {
      denied++;
    } else {
      failed++;
    }
  }

  long count() {
    return denied + failed;
  }

  /** Answers with status 429. */
  long denied() {
    return denied;
  }

  /** All others. */
  long failed() {
    return failed;
  }

  /** The text of the first one, if there is one. */
  String first() {
    return first;
  }
}
