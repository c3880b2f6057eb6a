package io.tidegate.server.api;

import io.tidegate.server.http.HttpExchange;
import io.tidegate.server.http.JsonWriter;
import io.tidegate.server.service.OverrideDetails;
import io.tidegate.server.service.OverridePage;
import io.tidegate.server.service.OverrideService;
import io.tidegate.server.service.ServiceRequest;

/** The routes that set, get, list and delete overrides. */
final class OverrideRoutes {

  /** The length of a page if the request does not say; the clients' contract. */
  private static final long DEFAULT_PAGE = 10;

  private final OverrideService service;
  private final ResultWriter results;

  OverrideRoutes(OverrideService service, ResultWriter results) {
    this.service = service;
    this.results = results;
  }

  void set(HttpExchange exchange, byte[] bytes) {
    BodyObject body = RequestReader.object(exchange, bytes, BodySchema.SET_OVERRIDE);
    ServiceRequest request = RequestReader.request(exchange);
    results.answer(
        exchange,
        service.set(
            request, body.namespace(), body.identifier(), body.limit(), body.durationMillis()),
        (json, override) -> {
          json.beginObject();
          json.field("overrideId", override.id());
          json.endObject();
        });
  }

  void get(HttpExchange exchange, byte[] bytes) {
    BodyObject body = RequestReader.object(exchange, bytes, BodySchema.NAME_OVERRIDE);
    ServiceRequest request = RequestReader.request(exchange);
    results.answer(
        exchange, service.get(request, body.namespace(), body.identifier()), OverrideRoutes::write);
  }

  void list(HttpExchange exchange, byte[] bytes) {
    BodyObject body = RequestReader.object(exchange, bytes, BodySchema.LIST_OVERRIDES);
    ServiceRequest request = RequestReader.request(exchange);
    int maxEntries = Math.toIntExact(body.limitOr(DEFAULT_PAGE));
    results.answer(
        exchange,
        service.list(request, body.namespace(), body.cursorOr(""), maxEntries),
        OverrideRoutes::write);
  }

  void delete(HttpExchange exchange, byte[] bytes) {
    BodyObject body = RequestReader.object(exchange, bytes, BodySchema.NAME_OVERRIDE);
    ServiceRequest request = RequestReader.request(exchange);
    results.answer(
        exchange,
        service.delete(request, body.namespace(), body.identifier()),
        (json, deleted) -> json.beginObject().endObject());
  }

  private static void write(JsonWriter json, OverrideDetails override) {
    json.beginObject();
    json.field("overrideId", override.id());
    json.field("duration", override.durationMillis());
    json.field("identifier", override.identifier());
    json.field("limit", override.limit());
    json.endObject();
  }

  /** Writes the list, and {@code pagination} beside it. */
  private static void write(JsonWriter json, OverridePage page) {
    json.beginArray();
    page.overrides().forEach(override -> write(json, override));
    json.endArray();
    String nextCursor = page.nextCursor();
    json.name("pagination").beginObject();
    json.field("hasMore", nextCursor != null);
    if (nextCursor != null) {
      json.field("cursor", nextCursor);
    }
    json.endObject();
  }
}
