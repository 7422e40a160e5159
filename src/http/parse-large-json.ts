// Parses a large body in steps: JSON.parse blocks the thread for a tenth of a second for 16 MiB. Our large bodies are an
// object with long lists, so that the items of these lists are parsed some at a time, and the rest afterwards.
//
//   {"create":[ … , … , … ],"delete":[ … ]}  ─▶  {"create":[0],"delete":[1]} and two lists
//
// Gives the same value as JSON.parse, or the same refusal: the pieces are valid exactly if the whole is.
import { malformed, parsed, type Parsed } from '../base/parsed.ts';
import type { Steps } from '../base/steps.ts';
import { findExcess } from './check-json-extent.ts';
import { HALF_PAIR, hasHalfPair, NOT_JSON } from './json-problems.ts';

/** Some milliseconds of work. */
const STEP_BYTES = 256 * 1024;

/** Items parsed together. */
const GROUP_BYTES = 64 * 1024;

const [QUOTE, BACKSLASH, COMMA] = Buffer.from('"\\,');
const [LEFT_BRACE, LEFT_BRACKET, RIGHT_BRACE, RIGHT_BRACKET] = Buffer.from('{[}]');

/** @param bytes UTF-8 without a byte order mark, beginning with `{` after white space */
export function* parseLargeJson(bytes: Buffer): Steps<Parsed<unknown>> {
  const lists = new ListCollector(bytes);
  let [depth, values, isInString] = [0, 0, false];
  for (let at = 0; at < bytes.length; at++) {
    if (at % STEP_BYTES === 0 && at > 0) yield;
    const byte = bytes[at];
    if (isInString) {
      if (byte === BACKSLASH) at++;
      else if (byte === QUOTE) isInString = false;
      continue;
    }
    if (byte === QUOTE) isInString = true;
    else if (byte === COMMA) {
      values++;
      if (depth === 2) lists.noteComma(at);
    } else if (byte === LEFT_BRACE || byte === LEFT_BRACKET) {
      if (++depth === 2 && byte === LEFT_BRACKET) lists.begin(at + 1);
    } else if (byte === RIGHT_BRACE || byte === RIGHT_BRACKET) {
      if (depth-- === 2) lists.end(at);
    } else continue;
    const problem = findExcess(depth, values) ?? lists.problem;
    if (problem !== undefined) return malformed(problem);
  }
  return lists.finish();
}

/** Takes the lists of the outermost object out of its text, and parses their items. */
class ListCollector {
  problem: string | undefined;
  private readonly bytes: Buffer;
  private readonly lists: unknown[][] = [];
  private list: unknown[] | undefined;
  /** The text outside of the lists, each of which it has as its index. */
  private frame = '';
  private frameFrom = 0;
  private groupFrom = 0;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  begin(at: number): void {
    this.frame += `${this.bytes.toString('utf8', this.frameFrom, at)}${this.lists.length}`;
    this.list = [];
    this.lists.push(this.list);
    this.groupFrom = at;
  }

  noteComma(at: number): void {
    if (this.list === undefined || at - this.groupFrom < GROUP_BYTES) return;
    this.addGroup(this.list, at, false);
    this.groupFrom = at + 1;
  }

  end(at: number): void {
    if (this.list === undefined) return;
    this.addGroup(this.list, at, this.list.length === 0);
    this.list = undefined;
    this.frameFrom = at;
  }

  finish(): Parsed<unknown> {
    const value = this.parse(this.frame + this.bytes.toString('utf8', this.frameFrom));
    if (this.problem !== undefined) return malformed(this.problem);
    for (const [name, member] of Object.entries(value as object)) {
      // By definition, because an assignment to `__proto__` does something else.
      if (Array.isArray(member))
        Object.defineProperty(value, name, { ...described, value: this.lists[member[0] as number] });
    }
    return parsed(value);
  }

  /** @param mayBeEmpty false behind a comma */
  private addGroup(list: unknown[], end: number, mayBeEmpty: boolean): void {
    const items = this.parse(`[${this.bytes.toString('utf8', this.groupFrom, end)}]`) as
      unknown[] | undefined;
    if (items === undefined) return;
    if (items.length === 0 && !mayBeEmpty) this.problem = NOT_JSON;
    for (const item of items) list.push(item);
  }

  private parse(text: string): unknown {
    try {
      const value: unknown = JSON.parse(text);
      if (text.includes('\\u') && hasHalfPair(value)) this.problem = HALF_PAIR;
      return value;
    } catch {
      this.problem = NOT_JSON;
      return undefined;
    }
  }
}

const described = { writable: true, enumerable: true, configurable: true };
