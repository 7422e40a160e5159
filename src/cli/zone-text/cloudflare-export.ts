import {
  APEX_CNAME,
  AUTOMATIC_TTL,
  AUTOMATIC_TTL_SECONDS,
  findCloudflareNote,
} from './cloudflare-remarks.ts';

/**
 * Cloudflare's own export of a zone, as its dashboard writes it: one record per line, with the whole name, TTL, class
 * and type. Other software would misread three things in it:
 *
 * - the owner of the SOA record has no final dot
 * - TTL 1 means "automatic"
 * - proxied records are marked in a comment, `cf_tags=cf-proxied:true`
 */
export interface CloudflareExport {
  /** A correct zone file with the same lines. */
  readonly text: string;
  readonly notes: readonly string[];
  readonly skipped: readonly { readonly record: string; readonly reason: string }[];
}

/** Returns undefined if the text is not such an export. */
export function readCloudflareExport(text: string): CloudflareExport | undefined {
  const head = text.slice(0, HEAD_CHARACTERS);
  const domain = DOMAIN_LINE.exec(head)?.[1].toLowerCase();
  if (domain === undefined || !EXPORTED_LINE.test(head)) return undefined;
  const [notes, skipped]: [string[], CloudflareExport['skipped'][number][]] = [[], []];
  const lines = text.split('\n').map((line) => {
    const found = readLine(line);
    if (found === undefined) return line;
    const { owner, ttl, type, data, isProxied } = found;
    const isApex = owner.toLowerCase().replace(/\.$/, '') === domain;
    if (type === 'CNAME' && isApex) {
      skipped.push({ record: `${owner} IN CNAME ${data}`, reason: APEX_CNAME });
      return `; ${line}`;
    }
    const note = findCloudflareNote(type, data, isProxied);
    if (note !== undefined) notes.push(`${owner} IN ${type} ${data}: ${note}`);
    const name = type === 'SOA' && isApex ? `${domain}.` : owner;
    const seconds = ttl === AUTOMATIC_TTL ? AUTOMATIC_TTL_SECONDS : ttl;
    return `${name}\t${seconds}\tIN\t${line.slice(found.typeAt)}`;
  });
  return { text: lines.join('\n'), notes, skipped };
}

/** The head has about 1,000 characters. */
const HEAD_CHARACTERS = 4096;

const DOMAIN_LINE = /^;;\s*Domain:\s+(\S+?)\.?\s*$/m;
const EXPORTED_LINE = /^;;\s*Exported:\s/m;

const RECORD_LINE = /^(\S+)\s+(\d+)\s+IN\s+(?=([A-Z][A-Z0-9]*)\s+(.*))/;

/** Types that Cloudflare can proxy; in the data of others, the text of the mark could be content. */
const PROXIED = /^((?:A|AAAA|CNAME)\s+[^;]*?)\s*;.*\bcf_tags=\S*\bcf-proxied:true\b/;

function readLine(line: string) {
  if (line.startsWith(';')) return undefined;
  const found = RECORD_LINE.exec(line);
  if (found === null) return undefined;
  const [whole, owner, ttl, type, rest] = found;
  const isProxied = PROXIED.test(line.slice(whole.length));
  const data = type === 'TXT' ? rest : rest.replace(/\s*;.*$/, '').trim();
  return { owner, ttl: Number(ttl), type, data, isProxied, typeAt: whole.length };
}
