/**
 * The zones that are served as they were before a replacement, while their new content is loaded. A later change of such a
 * zone is not served yet, whatever position of the feed is: reports of what is served must not count it.
 */

import type { ZoneName } from '../model/domain.ts';

/**
 * The list crosses to the writing process whenever it changes. Each zone in it has had thousands of owners replaced, which
 * takes longer than loading them, so that even a quarter of this is hardly ever reached.
 */
export const MAX_FORMER_ZONES = 64;

/**
 * Longest time for which a former version is served: loading the largest zone takes some two seconds of a processor, and
 * clients that wait for their write give up after about as long.
 */
export const MAX_FORMER_MS = 30_000;

export interface FormerZone {
  readonly name: ZoneName;
  /** The serial that is served. */
  readonly serial: number;
}

export interface FormerZonesOptions {
  readonly maxZones: number;
  readonly maxMs: number;
  /** Called when a zone has been in the list for too long; the callee deletes it. */
  readonly onOverdue: (name: ZoneName) => void;
}

export class FormerZones {
  private readonly options: FormerZonesOptions;
  private readonly zones = new Map<ZoneName, FormerZone & { readonly timer: NodeJS.Timeout }>();
  private readonly listeners: (() => void)[] = [];

  constructor(options: FormerZonesOptions) {
    this.options = options;
  }

  get list(): readonly FormerZone[] {
    return Array.from(this.zones.values(), ({ name, serial }) => ({ name, serial }));
  }

  /** The listener is called after every change of the list. */
  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }

  has(name: ZoneName): boolean {
    return this.zones.has(name);
  }

  /** Returns false if the list is full. A zone that is in the list stays as it is, with its time. */
  add({ name, serial }: FormerZone): boolean {
    if (this.zones.has(name)) return true;
    const { maxZones, maxMs, onOverdue } = this.options;
    if (this.zones.size >= maxZones) return false;
    this.zones.set(name, { name, serial, timer: setTimeout(() => onOverdue(name), maxMs).unref() });
    this.tell();
    return true;
  }

  /** Returns whether the zone was in the list. */
  delete(name: ZoneName): boolean {
    const zone = this.zones.get(name);
    if (zone === undefined) return false;
    clearTimeout(zone.timer);
    this.zones.delete(name);
    this.tell();
    return true;
  }

  /** Ends all waits without a call. */
  close(): void {
    for (const { timer } of this.zones.values()) clearTimeout(timer);
  }

  private tell(): void {
    for (const listener of this.listeners) listener();
  }
}
