// The common interface of all client libraries under test, so that the same life cycle runs through each of them.

import type { ApiRecord } from './api.ts';
import type { Bench } from './suite.ts';

export interface ClientDomain {
  readonly domain: string;
  readonly date_created: string;
}

/** A record for a client to write; `priority` is missing if the type has none. */
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

/**
 * Calls reject with the client's own message if it reports a failure. Lists are complete: the client has followed all
 * pages.
 */
export interface DnsClient {
  listDomains(): Promise<string[]>;
  getDomain(domain: string): Promise<ClientDomain>;
  createDomain(domain: string, ip?: string, isSigned?: boolean): Promise<ClientDomain>;
  deleteDomain(domain: string): Promise<void>;
  listRecords(domain: string): Promise<ClientRecord[]>;
  getRecord(domain: string, id: string): Promise<ClientRecord>;
  createRecord(domain: string, record: NewRecord): Promise<ClientRecord>;
  updateRecord(domain: string, id: string, change: Partial<NewRecord>): Promise<void>;
  deleteRecord(domain: string, id: string): Promise<void>;
  /** Undefined if the client does not support these resources. */
  readonly soa: SoaClient | undefined;
  close(): Promise<void>;
}

export interface SoaClient {
  read(domain: string): Promise<Soa>;
  update(domain: string, soa: Partial<Soa>): Promise<void>;
  listDnssec(domain: string): Promise<string[]>;
  setDnssec(domain: string, state: 'enabled' | 'disabled'): Promise<void>;
}

/** Opens a client that uses the bench's tap and this key. */
export type OpenClient = (bench: Bench, key: string) => Promise<DnsClient>;
