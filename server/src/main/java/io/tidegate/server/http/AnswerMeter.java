package io.tidegate.server.http;

/** Records the answers of one endpoint. Called by every event loop at the same time. */
public interface AnswerMeter {

  /**
   * Records an answer. Must not block or throw.
   *
   * @param status the HTTP status; 499 if the client disconnected first
   * @param nanos the time since the headers of the request were read
   */
  void answered(int status, long nanos);
}
