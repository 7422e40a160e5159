/** Why a server did not answer a question, or why its answer cannot be used. */
export type DnsFailureKind =
  /** No address, nothing listens on the port, or the connection broke. */
  | 'unreachable'
  /** It took too long. */
  | 'timeout'
  /** The server refused to answer (REFUSED, NOTAUTH …). */
  | 'refused'
  /** The server failed to answer (SERVFAIL). */
  | 'server_failed'
  /** The answer is invalid, or its signature is wrong. */
  | 'malformed';

export class DnsFailure extends Error {
  override readonly name = 'DnsFailure';
  readonly kind: DnsFailureKind;

  constructor(kind: DnsFailureKind, sentence: string, options?: ErrorOptions) {
    super(sentence, options);
    this.kind = kind;
  }
}
