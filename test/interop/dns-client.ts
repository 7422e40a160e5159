// What every client library under test can do, behind one interface, so that one life cycle is run through all of them.

import type { ApiRecord } from './api.ts';
import type { Bench } from './suite.ts';

export interface ClientDomain {
  readonly domain: string;
  readonly date_created: string;
}

/** What a client is asked to write; `priority` is left out where the record type knows none. */
export interface NewRecord {
  readonly type: string;
  readonly name: string;
  readonly data: string;
  readonly ttl: number;
  readonly priority?: number;
}

export type ClientRecord = Omit<ApiRecord, 'priority'>;

export interface Soa {
  readonly nsprimary: string;
  readonly email: string;
}

/** Every call rejects with the client's own words where the client reports a failure. Lists are whole: the client has followed all pages. */
export interface DnsClient {
  listDomains(): Promise<string[]>;
  getDomain(domain: string): Promise<ClientDomain>;
  createDomain(domain: string, ip?: string): Promise<ClientDomain>;
  deleteDomain(domain: string): Promise<void>;
  listRecords(domain: string): Promise<ClientRecord[]>;
  getRecord(domain: string, id: string): Promise<ClientRecord>;
  createRecord(domain: string, record: NewRecord): Promise<ClientRecord>;
  updateRecord(domain: string, id: string, change: Partial<NewRecord>): Promise<void>;
  deleteRecord(domain: string, id: string): Promise<void>;
  /** Undefined for clients that do not know these resources. */
  readonly soa: SoaClient | undefined;
  close(): Promise<void>;
}

export interface SoaClient {
  read(domain: string): Promise<Soa>;
  update(domain: string, soa: Partial<Soa>): Promise<void>;
  listDnssec(domain: string): Promise<string[]>;
}

/** Opens a client that is pointed at the bench's tap and sends this key. */
export type OpenClient = (bench: Bench, key: string) => Promise<DnsClient>;
