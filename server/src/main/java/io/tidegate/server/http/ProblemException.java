package io.tidegate.server.http;

/**
 * Thrown by a handler that rejects a request; the problem becomes its answer. Has no stack trace,
 * since clients decide how often it is thrown.
 */
public final class ProblemException extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final transient Problem problem;

  /** Rejects the request with this problem. */
  public ProblemException(Problem problem) {
    super(problem.detail(), null, false, false);
    this.problem = problem;
  }

  Problem problem() {
    return problem;
  }
}
