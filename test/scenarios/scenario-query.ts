/** Encodes the packet of an `ask` or `send` of a scenario file. Uses none of the code under test. */

import type { Ask, NamedQuery } from './scenario-file.ts';
import { classNumber, typeNumber } from './wire-names.ts';

const opcodes: Readonly<Record<string, number>> = {
  QUERY: 0,
  IQUERY: 1,
  STATUS: 2,
  NOTIFY: 4,
  UPDATE: 5,
  DSO: 6,
};

/** Header options, named as in dig. */
const headerFlags: Readonly<Record<string, number>> = {
  '+aaflag': 0x0400,
  '+tcflag': 0x0200,
  '+rdflag': 0x0100,
  '+raflag': 0x0080,
  '+zflag': 0x0040,
  '+adflag': 0x0020,
  '+cdflag': 0x0010,
};

const optionCodes: Readonly<Record<string, number>> = {
  '+nsid': 3,
  '+subnet': 8,
  '+expire': 9,
  '+cookie': 10,
  '+keepalive': 11,
  '+padding': 12,
};

/** Options that concern the transport, not the packet. */
const transportOptions = ['+tcp', '+from'];

const DEFAULT_EDNS_BYTES = 1232;
const TYPE_OPT = 41;

/** @param id ID of the message; `send` contains its own */
export function encodeAsk(ask: Ask, id: number): Buffer {
  if (ask.query.kind === 'send') {
    for (const option of ask.options) known(transportOptions.includes(option.split('=')[0]), option);
    return ask.query.octets;
  }
  const options = readOptions(ask.options);
  const counts = [options.isHeaderOnly ? 0 : 1, 0, 0, options.edns === undefined ? 0 : 1];
  return Buffer.concat([
    uint16(id, options.flags, ...counts),
    options.isHeaderOnly ? Buffer.alloc(0) : encodeQuestion(ask.query, options.class),
    options.edns ?? Buffer.alloc(0),
  ]);
}

/** Octets that the client accepts over UDP, according to its query. */
export function takenOverUdp({ options, query }: Ask): number {
  const edns = /^\+edns=(\d+)$/.exec(options.find((option) => option.startsWith('+edns=')) ?? '');
  const hasEdns = query.kind === 'send' || options.some(isEdns);
  return hasEdns ? Math.max(512, Math.min(1232, Number(edns?.[1] ?? DEFAULT_EDNS_BYTES))) : 512;
}

interface PacketOptions {
  readonly flags: number;
  readonly class: string;
  readonly isHeaderOnly: boolean;
  readonly edns: Buffer | undefined;
}

function readOptions(options: readonly string[]): PacketOptions {
  let [flags, recordClass, isHeaderOnly] = [0, 'IN', false];
  const ednsOptions: string[] = [];
  for (const option of options) {
    const [name, value = ''] = option.split('=');
    if (isEdns(option)) ednsOptions.push(option);
    else if (name in headerFlags) flags |= headerFlags[name];
    else if (name === '+opcode') flags |= (opcodes[value] ?? numberIn(option, 15)) << 11;
    else if (name === '+class') recordClass = value;
    else if (name === '+header-only') isHeaderOnly = true;
    else known(transportOptions.includes(name), option);
  }
  const edns = ednsOptions.length === 0 ? undefined : encodeOpt(ednsOptions);
  return { flags, class: recordClass, isHeaderOnly, edns };
}

function isEdns(option: string): boolean {
  const [name] = option.split('=');
  return ['+edns', '+do', '+version', '+ednsflags', '+option'].includes(name) || name in optionCodes;
}

function encodeOpt(options: readonly string[]): Buffer {
  let [bytes, version, flags] = [DEFAULT_EDNS_BYTES, 0, 0];
  const data: Buffer[] = [];
  for (const option of options) {
    const [name, value = ''] = option.split('=');
    if (name === '+edns') bytes = value === '' ? bytes : numberIn(option, 0xffff);
    else if (name === '+do') flags |= 0x8000;
    else if (name === '+ednsflags') flags |= numberIn(option, 0xffff);
    else if (name === '+version') version = numberIn(option, 0xff);
    else data.push(encodeOption(name, value));
  }
  const all = Buffer.concat(data);
  return Buffer.concat([Buffer.of(0), uint16(TYPE_OPT, bytes, version, flags, all.length), all]);
}

/** `+nsid`, `+cookie=hex` … or `+option=code:hex`. */
function encodeOption(name: string, value: string): Buffer {
  const [code, hex = ''] = name === '+option' ? value.split(':') : [String(optionCodes[name]), value];
  const data = Buffer.from(hex, 'hex');
  known(data.length * 2 === hex.length && /^\d+$/.test(code), `${name}=${value}`);
  return Buffer.concat([uint16(Number(code), data.length), data]);
}

function encodeQuestion({ name, type }: NamedQuery, recordClass: string): Buffer {
  return Buffer.concat([encodeName(name), uint16(typeNumber(type), classNumber(recordClass))]);
}

/** Supports the escapes of zone files: `\.` and `\007` (RFC 4343 section 2.1). */
function encodeName(name: string): Buffer {
  const labels = [...name.matchAll(/((?:[^\\.]|\\\d{3}|\\\D)+)\./g)].map(([, label]) =>
    label.replace(/\\(\d{3}|.)/g, (_, escaped: string) =>
      /^\d/.test(escaped) ? String.fromCharCode(Number(escaped)) : escaped,
    ),
  );
  const octets = labels.map((label) =>
    Buffer.concat([Buffer.of(label.length), Buffer.from(label, 'latin1')]),
  );
  return Buffer.concat([...octets, Buffer.of(0)]);
}

function uint16(...values: readonly number[]): Buffer {
  return Buffer.from(values.flatMap((value) => [value >>> 8, value & 0xff]));
}

/** The number after the equals sign. */
function numberIn(option: string, largest: number): number {
  const number = Number(option.split('=')[1] || NaN);
  known(Number.isInteger(number) && number >= 0 && number <= largest, option);
  return number;
}

function known(isKnown: boolean, option: string): void {
  if (!isKnown) throw new Error(`no option: "${option}"`);
}
