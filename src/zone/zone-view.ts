import { ChainCursor } from './chain-cursor.ts';
import { isAbsent, nodeAt, nodeVersion, previousNode } from './image-node.ts';
import { NO_IMAGE, type ImageStart, type NodeIndex, type SetOffset, type SoaIndex } from './image-offsets.ts';
import { findSlot, publishedNewest } from './image-table.ts';
import type { NameScan } from './name-scan.ts';
import { findSoa, soaSet } from './soa-state.ts';
import {
  imageHint,
  imageHints,
  imageVersion,
  isReferenced,
  setReferenced,
  type ImageMemory,
  type ImagePlace,
} from './zone-image.ts';

const CUTS_HINT: number = imageHint.cuts;
const WILDCARDS_HINT: number = imageHint.wildcards;
const SIGNED_HINT: number = imageHint.signed;
const NSEC3_HINT: number = imageHint.nsec3;

/** One zone at one version, as a reader sees it. One object per reader, reused for every answer. */
export class ZoneView implements ImagePlace {
  readonly words: Int32Array;
  readonly bytes: Uint8Array;
  image = NO_IMAGE;
  version = 0;
  /** The reader's place in the chain of a signed zone. */
  readonly chain = new ChainCursor();
  private hints = 0;

  constructor({ words, bytes }: ImageMemory) {
    this.words = words;
    this.bytes = bytes;
  }

  /** Takes the image's present version, and marks the image as used. */
  open(image: ImageStart): void {
    const { words } = this;
    this.image = image;
    this.version = imageVersion(words, image);
    this.hints = imageHints(words, image);
    this.chain.leave();
    if (!isReferenced(words, image)) setReferenced(words, image, true);
  }

  /** Whether the zone may have delegations or DNAMEs. */
  mayHaveCuts(): boolean {
    return (this.hints & CUTS_HINT) !== 0;
  }

  mayHaveWildcards(): boolean {
    return (this.hints & WILDCARDS_HINT) !== 0;
  }

  isSigned(): boolean {
    return (this.hints & SIGNED_HINT) !== 0;
  }

  /** Whether the chain of a signed zone is that of NSEC3 records. */
  usesNsec3(): boolean {
    return (this.hints & NSEC3_HINT) !== 0;
  }

  /** The state of the SOA record in this version. */
  soa(): SoaIndex {
    return findSoa(this.words, this.image, this.version);
  }

  soaSet(): SetOffset {
    return soaSet(this.words, this.image, this.soa());
  }
}

/** The node of the suffix of `name` from `label` on; 0 if that name does not exist in the view's version. */
export function findNode(view: ZoneView, name: NameScan, label: number): NodeIndex {
  const slot = findSlot(view, name, label);
  if (slot === 0) return 0;
  const { words, image, version } = view;
  let node = nodeAt(image, publishedNewest(words, slot));
  while (nodeVersion(words, node) > version) {
    node = previousNode(words, image, node);
    if (node === 0) return 0;
  }
  return isAbsent(words, node) ? 0 : node;
}
