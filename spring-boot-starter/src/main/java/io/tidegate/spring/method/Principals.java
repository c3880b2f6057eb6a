package io.tidegate.spring.method;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.ReactiveSecurityContextHolder;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolder;
import reactor.core.publisher.Mono;

/**
 * Names of users that Spring Security has authenticated. Used only by expressions that read the
 * principal, which are rejected if Spring Security is absent.
 */
final class Principals {

  private Principals() {}

  /** The user of the current thread; null if there is none. */
  static @Nullable String ofThread() {
    return name(SecurityContextHolder.getContext()).orElse(null);
  }

  private static Optional<String> name(SecurityContext context) {
    Authentication authentication = context.getAuthentication();
    return authentication == null
            || !authentication.isAuthenticated()
            || authentication instanceof AnonymousAuthenticationToken
        ? Optional.empty()
        : Optional.ofNullable(authentication.getName());
  }

  /** The same for reactive calls; a class of its own, because Reactor may be absent. */
  static final class Reactive {

    private Reactive() {}

    /** The user of the subscriber, from the Reactor context, otherwise of the thread. */
    static Mono<Optional<String>> ofSubscriber() {
      return ReactiveSecurityContextHolder.getContext()
          .map(Principals::name)
          .switchIfEmpty(Mono.fromSupplier(() -> Optional.ofNullable(ofThread())));
    }
  }
}
