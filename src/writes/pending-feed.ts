import { assert } from '../base/assert.ts';
import type { Domain } from '../model/domain.ts';
import type { SoaSettings } from '../model/record-changes.ts';
import type { DomainRecord } from '../model/record.ts';
import { recordOctets, textOctets } from '../model/stored-octets.ts';
import type { ChangeAuthor } from './batch-writes.ts';
import type { Author } from './command.ts';
import type { FeedEntry } from './history.ts';
import type { PendingUsage } from './pending-usage.ts';
import { octetsOfRecord } from './record-octets.ts';

/** The row of a change without its texts: identifiers, numbers, and its entry in an index. */
export const CHANGE_ROW_OCTETS = 128;

interface OwnAuthor {
  keyId: string;
  address: string | null;
  note: string | null;
}

/** The feed entries that a batch adds, each signed by the author of its command. */
export class PendingFeed {
  private readonly entries: (FeedEntry & OwnAuthor)[] = [];
  private readonly shared: ChangeAuthor[] = [];
  private readonly lastSeq: number;
  private readonly usage: PendingUsage;
  /** The octets of the author's texts. */
  private authorOctets = 0;
  private author: Author | null = null;
  /** The number of entries of commands that succeeded. */
  private keptLength = 0;
  /** The position of the first entry of the current command. */
  private commandStart = 0;
  /** The position of its first entry that has its author. */
  private authorStart = 0;
  /** The octets of the records in all entries, and in those before the current command. */
  private allOctets = 0;
  private octetsBefore = 0;
  /** Octets that the entries of the current command, and the records that they put, add to the store. */
  private writtenOctets = 0;

  /** @param lastSeq the last sequence number of the committed feed */
  constructor(lastSeq: number, usage: PendingUsage) {
    this.lastSeq = lastSeq;
    this.usage = usage;
  }

  begin(author: Author | null): void {
    this.author = author;
    this.authorOctets = textOctets(author?.address ?? '') + textOctets(author?.note ?? '');
    this.commandStart = this.entries.length;
    this.authorStart = this.commandStart;
    this.octetsBefore = this.allOctets;
    this.writtenOctets = 0;
  }

  keep(): void {
    this.addAuthor();
    this.keptLength = this.entries.length;
  }

  undo(): void {
    this.entries.length = this.keptLength;
    this.allOctets = this.octetsBefore;
  }

  /** The octets of the records in all entries. */
  get octets(): number {
    return this.allOctets;
  }

  get octetsOfCommand(): number {
    return this.allOctets - this.octetsBefore;
  }

  /** The octets that the current command adds to the store: its entries, and the records as they are afterwards. */
  get writtenOctetsOfCommand(): number {
    return this.writtenOctets;
  }

  get all(): readonly FeedEntry[] {
    return this.entries;
  }

  /** The authors of commands with several entries. */
  get sharedAuthors(): readonly ChangeAuthor[] {
    return this.shared;
  }

  /** The entries of the current command. */
  ofCommand(): readonly FeedEntry[] {
    return this.entries.slice(this.commandStart);
  }

  hasEntriesOfCommand(): boolean {
    return this.entries.length > this.commandStart;
  }

  addRecord(domain: Domain, kind: 'recordPut' | 'recordDelete', record: DomainRecord): void {
    this.add(domain, { kind, record, head: null, soaBefore: null });
  }

  /**
   * Adds a generated row, in the name of the last author of the batch who wrote to the domain; nobody's if its signatures
   * were renewed. Customers never see these entries. Those that a customer's write has caused are paid from the account's
   * budget of history.
   */
  addGenerated(domain: Domain, kind: 'recordPut' | 'recordDelete', record: DomainRecord, atMs: number): void {
    const last = this.entries.findLast((entry) => entry.domainId === domain.id);
    const keyId = last?.keyId ?? '';
    const octets = keyId === '' ? 0 : CHANGE_ROW_OCTETS + recordOctets(record);
    if (octets > 0) this.usage.add(domain.accountId, 'historyOctets', octets);
    this.entries.push({
      seq: this.lastSeq + 1 + this.entries.length,
      domainId: domain.id,
      domain: domain.name,
      serial: domain.serial,
      accountId: domain.accountId,
      octets,
      atMs: last?.atMs ?? atMs,
      keyId,
      address: null,
      note: null,
      kind,
      record,
      head: null,
      soaBefore: null,
    });
  }

  /** @param soaBefore the SOA fields before the change; null for a domain that was created */
  addDomainPut(domain: Domain, soaBefore: SoaSettings | null): void {
    const { id: domainId, name, serial, soaPrimary, soaEmail } = domain;
    const head = { domainId, name, serial, soaPrimary, soaEmail };
    this.add(domain, { kind: 'domainPut', record: null, head, soaBefore });
  }

  addDomainRestore(domain: Domain): void {
    const { id: domainId, name, serial, soaPrimary, soaEmail } = domain;
    const head = { domainId, name, serial, soaPrimary, soaEmail };
    this.add(domain, { kind: 'domainRestore', record: null, head, soaBefore: null });
  }

  /** Returns the number of the entry. It is at the expense of no customer: they did not ask for it. */
  addDomainServing(domain: Domain, isServed: boolean): number {
    const kind = isServed ? 'domainRelease' : 'domainWithhold';
    this.add(domain, { kind, record: null, head: null, soaBefore: null }, true);
    return this.lastSeq + this.entries.length;
  }

  /** @param isByService the entry has no author; it must be the first one of its command */
  addDomainDelete(domain: Domain, isByService = false): void {
    this.add(domain, { kind: 'domainDelete', record: null, head: null, soaBefore: null }, isByService);
    const entry = this.entries.at(-1);
    if (!isByService || entry === undefined) return;
    assert(this.entries.length === this.authorStart + 1, 'what has no author comes first');
    entry.keyId = '';
    this.authorStart = this.entries.length;
  }

  getAuthor(): Author {
    assert(this.author !== null, 'a command that writes domains or records has an author');
    return this.author;
  }

  private add(
    { id: domainId, accountId, name: domain, serial }: Domain,
    change: Pick<FeedEntry, 'kind' | 'record' | 'head' | 'soaBefore'>,
    isFree = false,
  ): void {
    const { keyId, atMs } = this.getAuthor();
    const seq = this.lastSeq + 1 + this.entries.length;
    const { record } = change;
    if (record !== null) this.allOctets += octetsOfRecord(record);
    // The author's texts are stored once for each command.
    const authorOctets = this.entries.length === this.authorStart ? this.authorOctets : 0;
    const stored = record === null ? 0 : recordOctets(record);
    const written = CHANGE_ROW_OCTETS + authorOctets + stored;
    this.writtenOctets += change.kind === 'recordPut' ? written + stored : written;
    // No customer pays for the writes of the service itself.
    const octets = isFree || keyId === '' ? 0 : written;
    if (octets > 0) this.usage.add(accountId, 'historyOctets', octets);
    const { kind, head, soaBefore } = change;
    // Without spreads, which take 10 µs for so many members: an import adds hundreds of thousands of entries.
    this.entries.push({
      seq,
      domainId,
      domain,
      serial,
      accountId,
      octets,
      atMs,
      keyId,
      address: null,
      note: null,
      kind,
      record,
      head,
      soaBefore,
    });
  }

  /** A single entry has the address and note itself; several entries share a row. */
  private addAuthor(): void {
    const address = this.author?.address ?? null;
    const note = this.author?.note ?? null;
    const first = this.entries.at(this.authorStart);
    const last = this.entries.at(-1);
    if (first === undefined || last === undefined || (address === null && note === null)) return;
    if (first === last) {
      first.address = address;
      first.note = note;
    } else {
      this.shared.push({ firstSeq: first.seq, lastSeq: last.seq, address, note });
    }
  }
}
