package io.tidegate.servlet;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;

/**
 * A request whose decision has arrived. The container dispatches it again, as an asynchronous one;
 * filters behind the limit see it for the first time, and those that ignore asynchronous dispatches
 * must not be skipped.
 */
final class ResumedRequest extends HttpServletRequestWrapper {

  /**
   * Whether the filters behind the limit have returned. Asynchronous dispatches are theirs then.
   */
  private volatile boolean finished;

  ResumedRequest(HttpServletRequest request) {
    super(request);
  }

  void finish() {
    finished = true;
  }

  @Override
  public DispatcherType getDispatcherType() {
    DispatcherType type = super.getDispatcherType();
    return type == DispatcherType.ASYNC && !finished ? DispatcherType.REQUEST : type;
  }
}
