package io.tidegate.server.api;

import io.tidegate.model.Decision;
import io.tidegate.server.http.HttpExchange;
import io.tidegate.server.http.JsonWriter;
import io.tidegate.server.service.BatchResult;
import io.tidegate.server.service.EntryDecision;
import io.tidegate.server.service.LimitEntry;
import io.tidegate.server.service.LimitService;
import io.tidegate.server.service.ServiceRequest;
import java.time.InstantSource;
import java.util.List;

/** The routes {@code limit} and {@code multiLimit}. */
final class LimitRoutes {

  /** The longest batch; the clients' contract. */
  private static final int MAX_ENTRIES = 100;

  private final LimitService service;
  private final RequestClock clocks;
  private final ResultWriter results;

  LimitRoutes(LimitService service, RequestClock clocks, ResultWriter results) {
    this.service = service;
    this.clocks = clocks;
    this.results = results;
  }

  void limit(HttpExchange exchange, byte[] body) {
    LimitEntry entry = RequestReader.object(exchange, body, BodySchema.LIMIT).toLimitEntry();
    ServiceRequest request = RequestReader.request(exchange);
    InstantSource clock = clocks.of(exchange);
    results.answer(exchange, service.limit(request, entry, clock), LimitRoutes::write);
  }

  void multiLimit(HttpExchange exchange, byte[] body) {
    List<LimitEntry> entries =
        RequestReader.array(exchange, body, BodySchema.LIMIT, MAX_ENTRIES).stream()
            .map(BodyObject::toLimitEntry)
            .toList();
    ServiceRequest request = RequestReader.request(exchange);
    InstantSource clock = clocks.of(exchange);
    results.answer(exchange, service.limitAll(request, entries, clock), LimitRoutes::write);
  }

  private static void write(JsonWriter json, EntryDecision result) {
    json.beginObject();
    json.field("success", result.allowed());
    writeDecision(json, result);
    json.endObject();
  }

  private static void write(JsonWriter json, BatchResult result) {
    json.beginObject();
    json.field("passed", result.allowed());
    json.name("limits").beginArray();
    for (EntryDecision entry : result.entries()) {
      json.beginObject();
      json.field("namespace", entry.entry().namespace());
      json.field("identifier", entry.entry().identifier());
      json.field("passed", entry.allowed());
      writeDecision(json, entry);
      json.endObject();
    }
    json.endArray();
    json.endObject();
  }

  /** {@code reset} is the end of the fixed window, until which clients cache a denial. */
  private static void writeDecision(JsonWriter json, EntryDecision result) {
    Decision decision = result.decision();
    json.field("limit", decision.limit());
    json.field("remaining", decision.remaining());
    json.field("reset", decision.resetAtMillis());
    if (result.overrideId() != null) {
      json.field("overrideId", result.overrideId());
    }
    if (!result.allowed() && decision.retryAfterMillis() != Decision.NEVER) {
      json.field("retryAfter", decision.retryAfterMillis());
    }
    if (decision.degraded()) {
      json.field("degraded", true);
    }
  }
}
