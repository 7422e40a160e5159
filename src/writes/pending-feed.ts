import { assert } from '../base/assert.ts';
import type { Domain } from '../model/domain.ts';
import type { SoaSettings } from '../model/record-changes.ts';
import type { DomainRecord } from '../model/record.ts';
import type { Author } from './command.ts';
import type { HistoryChange } from './history.ts';
import { octetsOfRecord } from './record-octets.ts';

/** The feed entries that a batch adds, each signed by the author of its command. */
export class PendingFeed {
  private readonly entries: HistoryChange[] = [];
  private readonly lastSeq: number;
  private author: Author | null = null;
  /** The number of entries of commands that succeeded. */
  private keptLength = 0;
  /** The position of the first entry of the current command. */
  private commandStart = 0;
  /** The octets of the records in all entries, and in those before the current command. */
  private allOctets = 0;
  private octetsBefore = 0;

  /** @param lastSeq the last sequence number of the committed feed */
  constructor(lastSeq: number) {
    this.lastSeq = lastSeq;
  }

  begin(author: Author | null): void {
    this.author = author;
    this.commandStart = this.entries.length;
    this.octetsBefore = this.allOctets;
  }

  keep(): void {
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

  get all(): readonly HistoryChange[] {
    return this.entries;
  }

  /** The entries of the current command. */
  ofCommand(): readonly HistoryChange[] {
    return this.entries.slice(this.commandStart);
  }

  hasEntriesOfCommand(): boolean {
    return this.entries.length > this.commandStart;
  }

  addRecord(domain: Domain, kind: 'recordPut' | 'recordDelete', record: DomainRecord): void {
    this.add(domain, { kind, record, head: null, soaBefore: null });
  }

  /** @param soaBefore the SOA fields before the change; null for a domain that was created */
  addDomainPut(domain: Domain, soaBefore: SoaSettings | null): void {
    const { id: domainId, name, serial, soaPrimary, soaEmail } = domain;
    const head = { domainId, name, serial, soaPrimary, soaEmail };
    this.add(domain, { kind: 'domainPut', record: null, head, soaBefore });
  }

  addDomainDelete(domain: Domain): void {
    this.add(domain, { kind: 'domainDelete', record: null, head: null, soaBefore: null });
  }

  getAuthor(): Author {
    assert(this.author !== null, 'a command that writes domains or records has an author');
    return this.author;
  }

  private add(
    { id: domainId, name: domain, serial }: Domain,
    change: Pick<HistoryChange, 'kind' | 'record' | 'head' | 'soaBefore'>,
  ): void {
    const { keyId, atMs, address = null, note = null } = this.getAuthor();
    const seq = this.lastSeq + 1 + this.entries.length;
    if (change.record !== null) this.allOctets += octetsOfRecord(change.record);
    this.entries.push({ seq, domainId, domain, serial, atMs, keyId, address, note, ...change });
  }
}
