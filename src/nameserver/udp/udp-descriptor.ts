/** A bound UDP socket that the main thread owns. */
export interface UdpDescriptor {
  readonly descriptor: number;
  /**
   * Of a socket that all workers share: this worker's own epoll instance on it. What is polled in the socket's place,
   * because closing our descriptor of a socket that another process has too would end no poll.
   */
  readonly epoll?: number;
  readonly family: 4 | 6;
  /** Bound to all addresses: answers must say which one they leave from. */
  readonly wildcard: boolean;
}

export type UdpSettings =
  { readonly kind: 'koffi'; readonly sockets: readonly UdpDescriptor[] } | { readonly kind: 'dgram' };
