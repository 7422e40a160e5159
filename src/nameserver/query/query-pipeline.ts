/**
 * The query pipeline turns a packet into its answer, in place. It does no I/O and never waits. The steps, in order:
 *
 *     query.read       header, question, EDNS and its options      ─▶ drop │ error code
 *     checkQuestion    class and type                              ─▶ error code │ CHAOS identity
 *     findZone         the zone closest to the name                ─▶ REFUSED │ NEEDS_ZONE: the caller loads it and retries
 *     begin            verify the cookie, choose the reply's EDNS options and reserve their room
 *     write            look up the name and assemble the sections within the size limit
 *     limitAndFinish   count the query, limit the response rate     ─▶ drop │ slip
 *                      and write EDNS and the header
 *
 * TSIG is not verified: transfers are refused, and other queries are answered unsigned. Each query is counted once,
 * when it is answered or dropped; a query that waits for its zone is counted after the wait.
 */

import { extendedError, rcode, rrClass, rrType } from '../../dns/codes.ts';
import { formatDomainName, type DomainName } from '../../dns/name.ts';
import { NO_IMAGE } from '../../zone/image-offsets.ts';
import { findZone, NOT_LOADED, type FoundZone } from '../../zone/zone-directory.ts';
import { enterSpace, leaveSpace, openZoneSpace, type ZoneSpace } from '../../zone/zone-space.ts';
import { NEEDS_ZONE, type Answerer, type AnswerSettings, type CreateAnswerer } from './answerer.ts';
import { ClientAddress } from './client-address.ts';
import { CLIENT_COOKIE_BYTES, COOKIE_ONLY, MESSAGE_HEADER_BYTES, NO_ANSWER, Query } from './query.ts';
import { createQueryCounts, QueryCounters, queryEvent, type QueryEvent } from './query-counters.ts';
import { ReplyOptions } from './reply-options.ts';
import { ResponseWriter } from './response-writer.ts';
import { rateVerdict, ResponseRateLimiter } from './response-rate-limiter.ts';
import { ServerCookies } from './server-cookies.ts';
import { asksForIdentity } from './server-identity.ts';
import { ZoneAnswer } from './zone-answer.ts';

export const createAnswerer: CreateAnswerer = ({ memory, reader, settings = plainSettings, counters }) =>
  new QueryPipeline(
    openZoneSpace(memory),
    reader,
    settings,
    counters ?? new QueryCounters(createQueryCounts(1), 0),
  );

const plainSettings: AnswerSettings = { identifier: '', tcpIdleMs: 0 };

/** Rate limiting counts all errors and all answers without a zone as equal responses. */
const SMALL_CLASS = 0;

// V8 folds constants of the same module only.
const { AXFR, DS, IXFR, MAILA, MAILB, OPT, TKEY, TSIG } = rrType;
const { BADCOOKIE, FORMERR, NOERROR, NOTIMP, REFUSED, SERVFAIL } = rcode;

const NO_INFO = -1;

class QueryPipeline implements Answerer {
  readonly client = new ClientAddress();
  private readonly space: ZoneSpace;
  private readonly reader: number;
  private readonly query: Query;
  private readonly options: ReplyOptions;
  private readonly response: ResponseWriter;
  private readonly zone: FoundZone = { image: NO_IMAGE, apexLabel: 0 };
  private readonly zoneAnswer: ZoneAnswer;
  private readonly identifier: Uint8Array;
  private readonly cookies: ServerCookies | undefined;
  private readonly limiter: ResponseRateLimiter | undefined;
  private readonly counters: QueryCounters;
  private hasGoodCookie = false;
  /** True if the queries of this run have waited for their zones. */
  private isAfterWait = false;
  private nowMs = 0;
  /** Modulo 2^32. */
  private nowUs = 0;

  constructor(space: ZoneSpace, reader: number, settings: AnswerSettings, counters: QueryCounters) {
    const { cookieSecret, identifier, rateLimit, tcpIdleMs } = settings;
    this.space = space;
    this.reader = reader;
    this.counters = counters;
    this.query = new Query(space.seed);
    this.identifier = new TextEncoder().encode(identifier);
    this.options = new ReplyOptions(this.identifier, tcpIdleMs);
    this.response = new ResponseWriter(this.options);
    this.zoneAnswer = new ZoneAnswer(space, this.query, this.response);
    this.cookies = cookieSecret === undefined ? undefined : new ServerCookies(cookieSecret);
    this.limiter =
      rateLimit === undefined
        ? undefined
        : new ResponseRateLimiter(rateLimit.table, space.seed, rateLimit.perSecond);
    this.leave();
  }

  enter(nowMs: number, isAfterWait = false): void {
    this.isAfterWait = isAfterWait;
    this.nowMs = nowMs;
    this.nowUs = (nowMs * 1000) | 0;
    enterSpace(this.space.words, this.reader);
  }

  leave(): void {
    leaveSpace(this.space.words, this.reader);
  }

  answer(buffer: Uint8Array, offset: number, length: number, limit: number, overTcp: boolean): number {
    const { query, zone } = this;
    const read = query.read(buffer, offset, length);
    if (read === NO_ANSWER) return this.drop(queryEvent.malformed);
    let code = read === NOERROR ? this.checkQuestion() : read;
    let info: number = NO_INFO;
    if (code === NOERROR && query.class === rrClass.IN) {
      this.findZone();
      if (zone.image === NOT_LOADED) return this.needZone();
      if (zone.image === 0) {
        code = REFUSED;
        info = extendedError.NOT_AUTHORITATIVE;
      } else if (!this.isAfterWait) this.counters.countEvent(queryEvent.zoneHit);
    }
    this.begin(buffer, offset, limit, overTcp, info);
    const responseClass = this.write(code, overTcp);
    return this.limitAndFinish(responseClass, overTcp);
  }

  neededZone(): string {
    const { name } = this.query;
    const wire = name.bytes.slice(name.starts[this.zone.apexLabel], name.length) as DomainName;
    return formatDomainName(wire).slice(0, -1);
  }

  fail(buffer: Uint8Array, offset: number, length: number, code: number, overTcp: boolean): number {
    if (this.query.read(buffer, offset, length) === NO_ANSWER) return this.drop(queryEvent.malformed);
    const info = code === SERVFAIL ? extendedError.NOT_READY : NO_INFO;
    this.begin(buffer, offset, buffer.length - offset, overTcp, info);
    this.response.rcode = code;
    return this.limitAndFinish(SMALL_CLASS, overTcp);
  }

  /** Rejects questions that no zone answers: other classes, and types that request an operation instead of data. */
  private checkQuestion(): number {
    const { query } = this;
    if (query.class !== rrClass.IN) {
      const isAnswered = query.class === rrClass.CH && this.identifier.length > 0 && asksForIdentity(query);
      return isAnswered ? NOERROR : REFUSED;
    }
    switch (query.type) {
      case AXFR:
      case IXFR:
        return REFUSED;
      case OPT:
      case TSIG:
      case TKEY:
      case 0:
        return FORMERR;
      case MAILA:
      case MAILB:
        return NOTIMP;
      default:
        return NOERROR;
    }
  }

  /**
   * DS records belong to the parent's side of a zone cut (RFC 4035 section 3.1.4.1): the parent zone answers if we
   * serve it too.
   */
  private findZone(): void {
    const { space, query, zone } = this;
    findZone(space, query.name, 0, zone);
    if (query.type !== DS || zone.image === 0 || zone.apexLabel !== 0 || query.name.labels === 0) return;
    findZone(space, query.name, 1, zone);
    if (zone.image === 0) findZone(space, query.name, 0, zone);
  }

  /** Reads the cookie and chooses the reply's options before the reply overwrites the query. */
  private begin(buffer: Uint8Array, offset: number, limit: number, overTcp: boolean, info: number): void {
    const { query, options } = this;
    this.hasGoodCookie = false;
    options.clear();
    if (query.hasOptions) this.answerOptions(buffer, overTcp);
    if (info !== NO_INFO && query.hasEdns) options.addExtendedError(info);
    this.response.begin(buffer, offset, limit, overTcp, query);
  }

  private answerOptions(buffer: Uint8Array, overTcp: boolean): void {
    const { query, options, cookies, client } = this;
    if (query.cookieLength > 0 && cookies !== undefined) {
      const nowSeconds = (this.nowMs / 1000) | 0;
      const isGood = cookies.check(buffer, query.cookieAt, query.cookieLength, client, nowSeconds);
      this.hasGoodCookie = isGood;
      options.addCookie(cookies.reply);
    }
    if (query.asksForIdentifier) options.addIdentifier();
    // Ignored over UDP (RFC 7828 section 3.3.1).
    if (query.asksForKeepalive && overTcp) options.addKeepalive();
  }

  /** @returns the class under which rate limiting counts the response */
  private write(code: number, overTcp: boolean): number {
    const { query, response, zone, zoneAnswer } = this;
    if (code === COOKIE_ONLY) {
      response.rcode = this.cookieOnlyCode();
    } else if (code !== NOERROR) {
      response.rcode = code;
    } else if (query.class === rrClass.CH) {
      response.authoritative = true;
      response.writeChaosText(this.identifier);
    } else {
      zoneAnswer.write(zone.image, zone.apexLabel, overTcp);
      return zoneAnswer.responseClass;
    }
    return SMALL_CLASS;
  }

  /** The client requests a server cookie, or wants a known one confirmed (RFC 7873 section 5.4). */
  private cookieOnlyCode(): number {
    if (this.cookies === undefined) return FORMERR;
    const isGood = this.hasGoodCookie || this.query.cookieLength === CLIENT_COOKIE_BYTES;
    return isGood ? NOERROR : BADCOOKIE;
  }

  /**
   * Over TCP and with a valid cookie, the client's address is verified (RFC 7873 section 5.2.5), so no limit applies.
   */
  private limitAndFinish(responseClass: number, overTcp: boolean): number {
    const { query, response, client, limiter, counters } = this;
    counters.countQuery(query.questionEnd === MESSAGE_HEADER_BYTES ? 0 : query.type, overTcp);
    if (response.truncated) counters.countEvent(queryEvent.truncated);
    if (limiter !== undefined && !overTcp && !this.hasGoodCookie && !client.isThisMachine()) {
      const verdict = limiter.count(client, responseClass, this.nowUs);
      if (verdict === rateVerdict.drop) return this.drop(queryEvent.rateLimited);
      if (verdict === rateVerdict.slip) this.slip();
    }
    counters.countAnswer(response.rcode, overTcp);
    return response.finish(query);
  }

  private slip(): void {
    this.counters.countEvent(queryEvent.slipped);
    this.response.reduce(this.query);
  }

  /** @returns 0: no answer is due */
  private drop(reason: QueryEvent): number {
    this.counters.countEvent(reason);
    return 0;
  }

  private needZone(): number {
    if (!this.isAfterWait) this.counters.countEvent(queryEvent.zoneWait);
    return NEEDS_ZONE;
  }
}
