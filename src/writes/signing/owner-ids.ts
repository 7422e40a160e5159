import { countLabels, type DomainName } from '../../dns/name.ts';
import { signaturesId } from '../../model/generated-row.ts';
import { formatOrderKey } from '../../model/order-key.ts';
import { APEX, ownerBelow, ownerDomainName } from '../../model/record-name.ts';
import type { ZoneName } from '../../model/domain.ts';
import type { OwnerKey } from '../../model/record.ts';

/** An owner, and the id of its row of signatures; the order of these ids is the canonical order of names. */
export interface OwnerName {
  readonly owner: OwnerKey;
  readonly id: string;
}

/** Turns owners of one domain into names and ids. */
export class OwnerIds {
  readonly apex: DomainName;
  private readonly apexLabels: number;
  private readonly known = new Map<OwnerKey, string>();

  constructor(zone: ZoneName) {
    this.apex = ownerDomainName(APEX, zone);
    this.apexLabels = countLabels(this.apex);
  }

  nameOf(owner: OwnerKey): DomainName {
    return ownerBelow(owner, this.apex);
  }

  idOf(owner: OwnerKey): string {
    const known = this.known.get(owner);
    if (known !== undefined) return known;
    const id = signaturesId(formatOrderKey(this.nameOf(owner), this.apexLabels));
    this.known.set(owner, id);
    return id;
  }
}
