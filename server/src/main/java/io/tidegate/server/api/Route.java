package io.tidegate.server.api;

import io.tidegate.server.catalog.Caller;
import io.tidegate.server.http.Call;
import java.util.List;

/** Answers requests that are well-formed, of a known caller, who has not made too many. */
interface Route {

  /**
   * Answers, now or later.
   *
   * @param call the request
   * @param caller who asks
   * @param body what it says: one object, or the entries of an array
   */
  void answer(Call call, Caller caller, List<Fields> body);
}
