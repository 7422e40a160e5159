import { heapOctets } from '../base/heap-octets.ts';

/** More than 16 look-ups at a time can finish within 30 s if half of them are quick. */
const MAX_LOOKS = 1024;

/**
 * As many looks with 16 KB each: 26 servers with five nameservers, their glue and two DS records. The largest look has some
 * 400 KB (see `ListedTexts`), so that 40 of the largest are kept.
 */
const MAX_OCTETS = 16 * 1024 * 1024;

/** The result of a look that is older says nothing any more; people who wait for a registrar look again within minutes. */
const MAX_AGE_MS = 3_600_000;

interface KeptLook<Look> {
  readonly look: Look;
  readonly madeAtMs: number;
  readonly octets: number;
}

/** Remembers the last look at each domain: limited in number, octets and age, the oldest first. */
export class KeptLooks<Look> {
  /** By domain; the oldest first. */
  private readonly looks = new Map<string, KeptLook<Look>>();
  private octets = 0;
  private readonly nowMs: () => number;

  /** @param nowMs monotonic time */
  constructor(nowMs: () => number) {
    this.nowMs = nowMs;
  }

  /** @param ageMs how old it may be */
  find(domain: string, ageMs = MAX_AGE_MS): Look | undefined {
    const found = this.looks.get(domain);
    return found !== undefined && this.nowMs() < found.madeAtMs + ageMs ? found.look : undefined;
  }

  keep(domain: string, look: Look): void {
    this.forget(domain);
    const octets = heapOctets(look) + heapOctets(domain);
    const madeAtMs = this.nowMs();
    this.looks.set(domain, { look, madeAtMs, octets });
    this.octets += octets;
    for (const [oldest, kept] of this.looks) {
      const isFull = this.looks.size > MAX_LOOKS || this.octets > MAX_OCTETS;
      if (!isFull && madeAtMs < kept.madeAtMs + MAX_AGE_MS) return;
      this.forget(oldest);
    }
  }

  private forget(domain: string): void {
    this.octets -= this.looks.get(domain)?.octets ?? 0;
    this.looks.delete(domain);
  }
}
