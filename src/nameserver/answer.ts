/**
 * The query pipeline: from a packet to its answer, in place. No input or output, no waiting; a zone that is not in
 * memory is asked of the caller.
 *
 *     read header, question, EDNS → class and type → find the zone → look up, assemble → fit to size, finish
 */

import { opcode, rcode, rrClass, rrType } from '../dns/codes.ts';
import { formatDomainName, type DomainName } from '../dns/name.ts';
import { findZone, NOT_LOADED, type FoundZone } from '../zone/zone-directory.ts';
import { enterSpace, leaveSpace, openZoneSpace, type ZoneSpace } from '../zone/zone-space.ts';
import { NEEDS_ZONE, type Answerer, type CreateAnswerer } from './answerer.ts';
import { NO_ANSWER, Query } from './query.ts';
import { Response } from './response.ts';
import { ZoneAnswer } from './zone-answer.ts';

export const createAnswerer: CreateAnswerer = ({ memory, reader }) =>
  new ZoneSpaceAnswerer(openZoneSpace(memory), reader);

class ZoneSpaceAnswerer implements Answerer {
  private readonly space: ZoneSpace;
  private readonly reader: number;
  private readonly query: Query;
  private readonly response = new Response();
  private readonly zone: FoundZone = { image: 0, apexLabel: 0 };
  private readonly zoneAnswer: ZoneAnswer;

  constructor(space: ZoneSpace, reader: number) {
    this.space = space;
    this.reader = reader;
    this.query = new Query(space.seed);
    this.zoneAnswer = new ZoneAnswer(space, this.query, this.response);
    this.leave();
  }

  enter(): void {
    enterSpace(this.space.words, this.reader);
  }

  leave(): void {
    leaveSpace(this.space.words, this.reader);
  }

  answer(buffer: Uint8Array, offset: number, length: number, limit: number, overTcp: boolean): number {
    const { query, response, zone } = this;
    const read = query.read(buffer, offset, length);
    if (read === NO_ANSWER) return 0;
    const refusal = read === rcode.NOERROR ? this.refusal() : read;
    if (refusal === rcode.NOERROR) {
      this.findZone();
      if (zone.image === NOT_LOADED) return NEEDS_ZONE;
    }
    response.begin(buffer, offset, limit, overTcp, query);
    if (refusal !== rcode.NOERROR) response.rcode = refusal;
    else if (zone.image === 0) response.rcode = rcode.REFUSED;
    else this.zoneAnswer.write(zone.image, zone.apexLabel, overTcp);
    return response.finish(query);
  }

  neededZone(): string {
    const { name } = this.query;
    const wire = name.bytes.slice(name.starts[this.zone.apexLabel], name.length) as DomainName;
    return formatDomainName(wire).slice(0, -1);
  }

  fail(buffer: Uint8Array, offset: number, length: number, code: number): number {
    const { query, response } = this;
    if (query.read(buffer, offset, length) === NO_ANSWER) return 0;
    response.begin(buffer, offset, buffer.length - offset, false, query);
    response.rcode = code;
    return response.finish(query);
  }

  /** What is not answered from a zone: other classes, and types that ask for an operation instead of data. */
  private refusal(): number {
    const { query } = this;
    if (query.class !== rrClass.IN) return rcode.REFUSED;
    switch (query.type) {
      case rrType.AXFR:
      case rrType.IXFR:
        return rcode.REFUSED;
      case rrType.OPT:
      case rrType.TSIG:
      case rrType.TKEY:
      case 0:
        return rcode.FORMERR;
      case rrType.MAILA:
      case rrType.MAILB:
        return rcode.NOTIMP;
      default:
        return query.opcode === opcode.QUERY ? rcode.NOERROR : rcode.NOTIMP;
    }
  }

  /** DS stands at the parent's side of a zone cut (RFC 4035 section 3.1.4.1): the parent answers if it is here too. */
  private findZone(): void {
    const { space, query, zone } = this;
    findZone(space, query.name, 0, zone);
    if (query.type !== rrType.DS || zone.image === 0 || zone.apexLabel !== 0 || query.name.labels === 0)
      return;
    findZone(space, query.name, 1, zone);
    if (zone.image === 0) findZone(space, query.name, 0, zone);
  }
}
