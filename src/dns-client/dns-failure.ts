/** What kept a server from answering a question, or its answer from being used. */
export type DnsFailureKind =
  /** No address, nothing listens there, or the connection broke. */
  | 'unreachable'
  /** It took too long. */
  | 'timeout'
  /** The server answered that it does not want to (REFUSED, NOTAUTH …). */
  | 'refused'
  /** The server answered that it cannot (SERVFAIL). */
  | 'server_failed'
  /** What came is not a proper answer, or its signature is wrong. */
  | 'malformed';

export class DnsFailure extends Error {
  override readonly name = 'DnsFailure';
  readonly kind: DnsFailureKind;

  constructor(kind: DnsFailureKind, sentence: string, options?: ErrorOptions) {
    super(sentence, options);
    this.kind = kind;
  }
}
