/** Numbers of types, classes and response codes, with their names in scenario files. */

const typeNumbers: Readonly<Record<string, number>> = {
  A: 1,
  NS: 2,
  CNAME: 5,
  SOA: 6,
  PTR: 12,
  MX: 15,
  TXT: 16,
  RP: 17,
  AFSDB: 18,
  AAAA: 28,
  SRV: 33,
  NAPTR: 35,
  KX: 36,
  DNAME: 39,
  OPT: 41,
  DS: 43,
  RRSIG: 46,
  NSEC: 47,
  DNSKEY: 48,
  NSEC3: 50,
  NSEC3PARAM: 51,
  CDS: 59,
  CDNSKEY: 60,
  SVCB: 64,
  HTTPS: 65,
  TKEY: 249,
  TSIG: 250,
  IXFR: 251,
  AXFR: 252,
  MAILB: 253,
  MAILA: 254,
  ANY: 255,
  CAA: 257,
};

const classNumbers: Readonly<Record<string, number>> = { IN: 1, CH: 3, HS: 4, NONE: 254, ANY: 255 };

const rcodes: Readonly<Record<number, string>> = {
  0: 'NOERROR',
  1: 'FORMERR',
  2: 'SERVFAIL',
  3: 'NXDOMAIN',
  4: 'NOTIMP',
  5: 'REFUSED',
  6: 'YXDOMAIN',
  9: 'NOTAUTH',
  16: 'BADVERS',
  23: 'BADCOOKIE',
};

const ednsOptions: Readonly<Record<number, string>> = {
  3: 'NSID',
  10: 'COOKIE',
  11: 'KEEPALIVE',
  15: 'ERROR',
};

/** Throws unless the type is known or has the form `TYPE731`. */
export function typeNumber(type: string): number {
  return typeNumbers[type] ?? numberAfter('TYPE', type);
}

export function typeName(number: number): string {
  return nameOf(typeNumbers, number) ?? `TYPE${number}`;
}

/** Throws unless the class is known or has the form `CLASS77`. */
export function classNumber(name: string): number {
  return classNumbers[name] ?? numberAfter('CLASS', name);
}

export function className(number: number): string {
  return nameOf(classNumbers, number) ?? `CLASS${number}`;
}

export function rcodeName(number: number): string {
  return rcodes[number] ?? `RCODE${number}`;
}

export function ednsOptionName(code: number): string {
  return ednsOptions[code] ?? `OPTION${code}`;
}

function nameOf(numbers: Readonly<Record<string, number>>, number: number): string | undefined {
  return Object.keys(numbers).find((name) => numbers[name] === number);
}

function numberAfter(prefix: string, text: string): number {
  const digits = text.slice(prefix.length);
  if (!text.startsWith(prefix) || !/^\d{1,5}$/.test(digits)) throw new Error(`no ${prefix} is "${text}"`);
  return Number(digits);
}
