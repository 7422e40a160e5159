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
  private readonly names = new Map<OwnerKey, DomainName>();
  private readonly ids = new Map<OwnerKey, string>();

  constructor(zone: ZoneName) {
    this.apex = ownerDomainName(APEX, zone);
    this.apexLabels = countLabels(this.apex);
  }

  nameOf(owner: OwnerKey): DomainName {
    const known = this.names.get(owner);
    if (known !== undefined) return known;
    const name = ownerBelow(owner, this.apex);
    this.names.set(owner, name);
    return name;
  }

  idOf(owner: OwnerKey): string {
    const known = this.ids.get(owner);
    if (known !== undefined) return known;
    const id = signaturesId(formatOrderKey(this.nameOf(owner), this.apexLabels));
    this.ids.set(owner, id);
    return id;
  }
}
