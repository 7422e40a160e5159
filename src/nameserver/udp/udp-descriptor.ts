/** A bound UDP socket that the main thread owns. */
export interface UdpDescriptor {
  readonly descriptor: number;
  /**
   * For a socket that all workers share: this worker's own epoll instance on it, which is polled instead of the socket.
   * Closing our descriptor of a socket that another process also holds would not end a poll.
   */
  readonly epoll?: number;
  readonly family: 4 | 6;
  /** Bound to all addresses, so answers must name their source address. */
  readonly wildcard: boolean;
}

export type UdpSettings =
  { readonly kind: 'koffi'; readonly sockets: readonly UdpDescriptor[] } | { readonly kind: 'dgram' };
