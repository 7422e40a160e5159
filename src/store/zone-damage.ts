import type { ZoneName } from '../model/domain.ts';

/** The stored rows of a zone are not those that were written: a hash differs, or a row cannot be what it should be. */
export class ZoneDamaged extends Error {
  override readonly name = 'ZoneDamaged';
  readonly zone: ZoneName;

  constructor(zone: ZoneName, cause?: unknown) {
    super(`the stored rows of the zone ${zone} are damaged`, { cause });
    this.zone = zone;
  }
}
