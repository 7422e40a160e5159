/**
 * Limits what is kept of the lists in answers of servers that strangers run: names, addresses, DS records and challenges. A
 * hostile server would otherwise fill the memory: its answer can have 64 KB, and a name is four times as long in text.
 */
import { heapOctets } from '../base/heap-octets.ts';
import { DnsFailure } from './dns-failure.ts';

/** Twice what fits into a referral (RFC 9471); of a server that sends more, no list is kept. */
export const MAX_LISTED = 32;

/** One list of 32 texts of 200 characters, and two of half the length: usually, all lists of a server have 4 KB. */
const MAX_SERVER_OCTETS = 16 * 1024;

/** 64 servers with 4 KB each: 13 nameservers, their addresses and DS records. */
const MAX_LOOK_OCTETS = 256 * 1024;

/** Measures the lists of all servers of one look. */
export class ListedTexts {
  private octets = 0;

  /**
   * Counts lists that are about to be kept of one server.
   *
   * @throws DnsFailure if they, or those of all servers so far, are too long
   */
  add(...lists: readonly (readonly unknown[])[]): void {
    const octets = heapOctets(lists);
    if (octets > MAX_SERVER_OCTETS) throw new DnsFailure('malformed', 'what it lists is too long');
    if (this.octets + octets > MAX_LOOK_OCTETS)
      throw new DnsFailure('malformed', 'what the servers list is too long together');
    this.octets += octets;
  }
}

/** @throws DnsFailure if a list of one server has too many elements */
export function checkCount(list: { readonly length: number }, what: string): void {
  if (list.length > MAX_LISTED) throw new DnsFailure('malformed', `it lists more than ${MAX_LISTED} ${what}`);
}
