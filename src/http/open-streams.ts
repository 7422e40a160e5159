import type { HttpLimits } from './limits.ts';

/**
 * Counts the requests in progress over HTTP/2 of all connections. One connection carries many, so the limits of connections
 * do not limit them.
 */
export class OpenStreams {
  private readonly limits: Pick<HttpLimits, 'maxStreams' | 'maxStreamsPerAddress'>;
  private readonly byNetwork = new Map<string, number>();
  private total = 0;

  constructor(limits: Pick<HttpLimits, 'maxStreams' | 'maxStreamsPerAddress'>) {
    this.limits = limits;
  }

  /** Returns false if there is no room. @param network empty for proxies, which carry many clients */
  take(network: string): boolean {
    const own = this.byNetwork.get(network) ?? 0;
    const { maxStreams, maxStreamsPerAddress } = this.limits;
    if (this.total >= maxStreams || (network !== '' && own >= maxStreamsPerAddress)) return false;
    this.total++;
    this.byNetwork.set(network, own + 1);
    return true;
  }

  release(network: string): void {
    const left = (this.byNetwork.get(network) ?? 0) - 1;
    this.total--;
    if (left > 0) this.byNetwork.set(network, left);
    else this.byNetwork.delete(network);
  }
}
