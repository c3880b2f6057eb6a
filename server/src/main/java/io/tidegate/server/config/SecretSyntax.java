package io.tidegate.server.config;

/** The form of secrets that clients send in an Authorization header. */
final class SecretSyntax {

  /** The characters fit into the header; a shorter secret could be guessed. */
  private static final String VALID = "[A-Za-z0-9._~+/=-]{20,200}";

  private static final String RULE = "20 to 200 characters: letters, digits and . _ ~ + / = -";

  private SecretSyntax() {}

  /**
   * Returns a secret of the right form.
   *
   * @param rule the begin of the message, which the characters follow
   * @throws IllegalArgumentException if the secret has another form
   */
  static String check(String secret, String rule) {
    if (!secret.matches(VALID)) {
      throw new IllegalArgumentException(rule + RULE);
    }
    return secret;
  }
}
