package io.tidegate.server.service;

import io.tidegate.server.catalog.Caller;
import io.tidegate.server.catalog.CatalogFollower;
import io.tidegate.server.service.Refusal.Reason;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Finds the caller of a request by its root key. Never waits. Safe for use by many threads. */
final class Authenticator {

  /** Per thread, because looking up the algorithm costs as much as the hash. */
  private static final ThreadLocal<MessageDigest> SHA_256 = ThreadLocal.withInitial(() -> {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this Java has no SHA-256", e);
    }
  });

  private final CatalogFollower catalog;

  Authenticator(CatalogFollower catalog) {
    this.catalog = catalog;
  }

  Step<Caller> authenticate(ServiceRequest request) {
    String rootKey = request.rootKey();
    if (rootKey == null) {
      return refuse(Reason.MISSING_KEY);
    }
    if (!catalog.isKnown()) {
      return refuse(Reason.CATALOG_NOT_READ);
    }
    Caller caller = catalog.directory().find(hash(rootKey));
    if (caller == null) {
      return refuse(Reason.UNKNOWN_KEY);
    }
    if (!caller.enabled()) {
      return refuse(Reason.KEY_DISABLED);
    }
    return caller.workspace().enabled()
        ? Step.finished(new ServiceResult.Success<>(caller, null))
        : refuse(Reason.WORKSPACE_DISABLED);
  }

  private static byte[] hash(String rootKey) {
    return SHA_256.get().digest(rootKey.getBytes(StandardCharsets.UTF_8));
  }

  private static Step<Caller> refuse(Reason reason) {
    return Step.finished(new ServiceResult.Refused<>(reason, null));
  }
}
