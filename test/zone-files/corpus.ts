// The zone files of the corpus: the zone of each, and the differences between the tools that read them.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export type Tool = 'named-compilezone' | 'knotd' | 'nsd-checkzone' | 'ldns-read-zone';

export interface CorpusFile {
  /** Relative to test/zone-files, such as `rfc/1035-isi-edu.zone`. */
  readonly path: string;
  /** The origin of relative names, with a trailing dot. */
  readonly origin: string;
  /** Tools that read something else, or nothing, each with the reason why the tool is at fault. */
  readonly differs: Readonly<Partial<Record<Tool, string>>>;
}

const corpusFolder = import.meta.dirname;

/** Files of one zone that many tools wrote: all hold the same records. */
const WRITTEN_BY_TOOLS = 'tools.example.';

const NO_GENERATE = '$GENERATE is BIND’s own: RFC 1035 section 5.1 does not have it';
const CLASS_BEFORE_TTL =
  'RFC 1035 section 5.1 lets the class stand before the TTL: it takes the TTL for the type';
const NO_MINIMUM =
  'without $TTL it takes an hour; BIND and we take the minimum of the SOA, as section 4 of RFC 2308 found it in use';
const NO_CLASS1 = 'it does not know IN by its number, CLASS1 (RFC 3597 section 5)';
const CARRIAGE_RETURNS = 'it refuses carriage returns; RFC 1035 section 5 leaves line ends to the machine';
const LAST_SOA = 'a transfer ends with the SOA a second time (RFC 5936 section 2.2); it takes one alone';

/** The files whose zone is not called like the file, and those on which tools differ. */
const particulars: Readonly<Record<string, Partial<Omit<CorpusFile, 'path'>>>> = {
  'rfc/3597-unknown.zone': { differs: { knotd: NO_CLASS1 } },
  'odd/crlf.zone': { differs: { knotd: CARRIAGE_RETURNS } },
  'odd/comments.zone': {
    differs: {
      knotd:
        'it wants an owner on an indented line with nothing but a comment; RFC 1035 section 5.1 lets any line end so',
    },
  },
  'odd/escapes.zone': {
    differs: {
      'ldns-read-zone':
        'it takes `\\@` at the beginning of a name for `@`: RFC 1035 section 5.1 has it quoted',
      'nsd-checkzone': 'it takes `@` for a name in text too; RFC 1035 section 5.1: only where a name stands',
    },
  },
  'odd/generate.zone': {
    differs: { knotd: NO_GENERATE, 'nsd-checkzone': NO_GENERATE, 'ldns-read-zone': NO_GENERATE },
  },
  'odd/header-order.zone': {
    differs: {
      knotd: NO_CLASS1,
      'ldns-read-zone': CLASS_BEFORE_TTL,
      'nsd-checkzone': 'it takes an hour where RFC 1035 section 5.1 has the TTL stated last',
    },
  },
  'odd/owners.zone': {
    differs: {
      knotd: 'it refuses a relative $ORIGIN, which RFC 1035 section 5.1 allows',
      'ldns-read-zone':
        'it takes `$ORIGIN sub` for absolute: RFC 1035 section 5.1 has names relative to the current origin',
      'nsd-checkzone': 'it refuses a relative $ORIGIN, which RFC 1035 section 5.1 allows',
    },
  },
  'odd/parentheses.zone': {
    differs: {
      knotd: 'it wants an owner before a parenthesis; RFC 1035 section 5.1 does not say where one may stand',
      'ldns-read-zone':
        'it takes parentheses around data alone; RFC 1035 section 5.1: around any data that crosses a line',
      'nsd-checkzone':
        'it refuses parentheses inside parentheses, which RFC 1035 section 5.1 says nothing about',
    },
  },
  'odd/ttl-units.zone': { differs: { 'ldns-read-zone': CLASS_BEFORE_TTL } },
  'odd/ttls-differ.zone': {
    differs: {
      'named-compilezone':
        'it gives the whole set the first TTL (RFC 2181 section 5.2); the reader leaves that to the zone',
      knotd: 'it gives the whole set one TTL (RFC 2181 section 5.2)',
      'nsd-checkzone': 'it gives the whole set the first TTL (RFC 2181 section 5.2)',
    },
  },
  'providers/cloudflare-export.zone': { origin: 'cf.example.' },
  'providers/cpanel.zone': { origin: 'cp.example.', differs: { 'ldns-read-zone': CLASS_BEFORE_TTL } },
  'providers/gandi-style.zone': { origin: 'g.example.' },
  'providers/route53-export.zone': { origin: 'r53.example.' },
  'providers/windows-dns.zone': { differs: { knotd: CARRIAGE_RETURNS }, origin: 'win.example.' },
  'rfc/1035-isi-edu.zone': {
    origin: 'ISI.EDU.',
    differs: { knotd: NO_MINIMUM, 'nsd-checkzone': NO_MINIMUM, 'ldns-read-zone': NO_MINIMUM },
  },
  'rfc/1876-loc.zone': { origin: 'types.example.' },
  'rfc/2317-delegation.zone': {
    origin: '2.0.192.in-addr.arpa.',
    differs: { knotd: NO_GENERATE, 'nsd-checkzone': NO_GENERATE, 'ldns-read-zone': NO_GENERATE },
  },
  'rfc/2782-srv.zone': {
    origin: 'srv.example.',
    differs: { knotd: NO_MINIMUM, 'nsd-checkzone': NO_MINIMUM, 'ldns-read-zone': NO_MINIMUM },
  },
  'rfc/4034-examples.zone': { origin: 'example.com.' },
  'rfc/4592-wildcards.zone': { origin: 'wild.example.' },
  'rfc/5155-appendix-a.zone': { origin: 'example.' },
  'rfc/7929-openpgpkey.zone': {
    origin: 'keys.example.',
    differs: {
      knotd: 'it wants base64 in groups of whole quanta; RFC 7929 section 2.3 follows RFC 4648',
      'ldns-read-zone': 'it wants the value of a CAA record in quotes; RFC 8659 section 4.1.1 does not',
    },
  },
  'rfc/9460-svcb.zone': {
    origin: 'svcb.example.',
    differs: { 'ldns-read-zone': 'it does not undo the escapes of value lists (RFC 9460 appendix A.1)' },
  },
  'tools/dig-axfr.zone': { differs: { 'nsd-checkzone': LAST_SOA } },
  'tools/kdig-axfr.zone': { differs: { 'nsd-checkzone': LAST_SOA } },
  'tools/root.zone': { origin: '.' },
};

export function listCorpus(): CorpusFile[] {
  return readdirSync(corpusFolder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.zone'))
    .sort()
    .map((path) => ({ path, origin: defaultOrigin(path), differs: {}, ...particulars[path] }));
}

/** As a reader of files gets it: each octet is one character. */
export function readCorpusFile({ path }: CorpusFile): string {
  return readFileSync(corpusPath(path), 'latin1');
}

export function corpusPath(path: string): string {
  return join(corpusFolder, path);
}

/** The kept listing (listing.ts), made by named-compilezone, or by ldns-read-zone where the former differs. */
export function listingPath({ path }: CorpusFile): string {
  return corpusPath(path.replace(/\.zone$/, '.listing'));
}

function defaultOrigin(path: string): string {
  const [folder, file = ''] = path.split('/');
  return folder === 'tools' ? WRITTEN_BY_TOOLS : `${file.replace(/\.zone$/, '')}.example.`;
}
