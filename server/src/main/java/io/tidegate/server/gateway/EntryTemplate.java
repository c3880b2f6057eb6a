package io.tidegate.server.gateway;

import io.tidegate.rules.Entry;
import io.tidegate.rules.web.ClientAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An entry of a descriptor whose value comes from the request that is decided.
 *
 * <p>The text form is {@code KEY:SOURCE}. Sources are {@code client} (the address of the client),
 * {@code network} (the same, of IPv6 the first 64 bits), {@code path} (the path of the request
 * without its query), {@code header(NAME)}, and {@code value(TEXT)} for a constant.
 *
 * @param key the key of the entry
 * @param source provides the value
 */
record EntryTemplate(String key, Source source) {

  /** Provides the value of an entry; null if the request has none. */
  interface Source {
    @Nullable
    String read(ForwardedRequest request);
  }

  private static final Pattern ENTRY = Pattern.compile(
      "(?<key>[^:,()]+):(?:(?<word>client|network|path)|header\\((?<header>[^()]+)\\)|value\\((?<value>[^()]*)\\))(?:,(?=.)|$)");

  /**
   * Parses the entries of a descriptor: {@code generic_key:value(login),remote_address:client}.
   *
   * @throws IllegalArgumentException with the part that cannot be parsed
   */
  static List<EntryTemplate> parse(String descriptor) {
    List<EntryTemplate> entries = new ArrayList<>();
    Matcher entry = ENTRY.matcher(descriptor);
    int at = 0;
    while (entry.region(at, descriptor.length()).lookingAt()) {
      entries.add(new EntryTemplate(entry.group("key"), source(entry)));
      at = entry.end();
    }
    if (at < descriptor.length() || entries.isEmpty()) {
      throw new IllegalArgumentException(
          "must be KEY:client, KEY:network, KEY:path, KEY:header(NAME) or KEY:value(TEXT), several separated by commas: "
              + descriptor.substring(at));
    }
    return entries;
  }

  private static Source source(Matcher entry) {
    String header = entry.group("header");
    String value = entry.group("value");
    if (header != null) {
      return request -> request.header(header);
    }
    if (value != null) {
      return request -> value;
    }
    return switch (entry.group("word")) {
      case "client" -> ForwardedRequest::clientAddress;
      case "network" -> request -> ClientAddress.network(request.clientAddress());
      default -> ForwardedRequest::path;
    };
  }

  /** The entry for a request; null if the request has no value for it. */
  @Nullable
  Entry of(ForwardedRequest request) {
    String value = source.read(request);
    return value == null ? null : new Entry(key, value);
  }
}
