import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { MAX_ZONE_BODY_BYTES } from '../../contract/body-sizes.ts';
import { rrType } from '../../dns/codes.ts';
import { formatDomainName, parseDomainName, rootName } from '../../dns/name.ts';
import { isProblem, linesOf, readZoneFile } from '../../dns/zone-file/read-zone-file.ts';
import { getZoneName, normalDomain, toAscii, uLabelsToAscii } from '../names/zone-names.ts';
import { exitCodes } from '../failures/exit-codes.ts';
import { unreadable } from '../failures/file-failures.ts';
import { decodeUtf8, readOctets } from '../input/open-input.ts';
import { readCloudflareExport } from '../zone-text/cloudflare-export.ts';
import { prepareZoneText } from '../zone-text/prepare-zone-text.ts';
import { failingZone, selectZones, zoneOrFailing, type CopySource, type SourceZone } from './copy-source.ts';

/**
 * A zone file, or a folder of them. The zone of a file is the owner of its SOA record, its first $ORIGIN or the file
 * name, in this order. Files that it includes are inserted; otherwise the text is sent unchanged, so that problems name
 * its own lines.
 */
export function zoneFileSource(path: string, wanted: readonly string[] | undefined): CopySource {
  const description = `the file ${path}`;
  return {
    description,
    async list(say) {
      const found = await lookInto(path);
      if (found === undefined) {
        const zone = await zoneOf(path, dirname(path), wanted?.length === 1 ? wanted[0] : undefined);
        return selectZones([zone], wanted, description);
      }
      if (found.skipped.length > 0) {
        say(
          `skipped in ${path}, because they are folders or do not look like zone files: ${found.skipped.join(', ')}`,
        );
      }
      const zones: SourceZone[] = [];
      for (const file of found.names.map((name) => join(path, name))) {
        zones.push(
          await zoneOrFailing(nameFromFile(file) ?? basename(file), () => zoneOf(file, path, undefined)),
        );
      }
      return selectZones(zones, wanted, description);
    },
  };
}

interface Folder {
  readonly names: readonly string[];
  /** Folders, and files that are not zones by their names. Hidden files are ignored. */
  readonly skipped: readonly string[];
}

/**
 * Returns undefined if the path is not a folder. Follows links; a broken link is listed as a zone that cannot be
 * read.
 */
async function lookInto(path: string): Promise<Folder | undefined> {
  try {
    if (!(await stat(path)).isDirectory()) return undefined;
    const names: string[] = [];
    const skipped: string[] = [];
    for (const name of (await readdir(path)).filter((name) => !name.startsWith('.')).sort()) {
      const found = await stat(join(path, name)).catch(() => undefined);
      if (found?.isFile() === false) skipped.push(found.isDirectory() ? `${name}/` : name);
      else (NOT_A_ZONE.test(name) ? skipped : names).push(name);
    }
    return { names, skipped };
  } catch (error) {
    throw unreadable(path, error);
  }
}

/** Notes, key files, included files, journals, logs and editor backups. */
const NOT_A_ZONE =
  /^readme(?:\.(?:md|rst|txt))?$|~$|\.(?:bak|conf|inc|jbk|jnl|json|key|log|old|orig|private|swp)$/i;

/** @param folder files outside it are not included */
async function zoneOf(path: string, folder: string, named: string | undefined): Promise<SourceZone> {
  const octets = await readZoneOctets(path);
  // Invalid UTF-8 is reported later, for the zone that contains it.
  const text = new TextDecoder().decode(octets);
  const domain = findZoneName(readCloudflareExport(text)?.text ?? text, named ?? nameFromFile(path));
  if (domain === undefined) {
    const reason = 'it has neither a SOA record nor $ORIGIN, and its file name is not a domain';
    return failingZone(basename(path), exitCodes.usage, `the zone of ${path} is unknown: ${reason}`);
  }
  return {
    domain,
    // Read again when needed, so that a folder of thousands of zones need not fit in memory.
    load: async () =>
      prepareZoneText(decodeUtf8(path, await readZoneOctets(path)), {
        path,
        folder,
        origin: getZoneName(domain),
      }),
  };
}

/** Exported for its test. @param assumed the zone, unless the text names one */
export function findZoneName(text: string, assumed: string | undefined): string | undefined {
  const origin = assumed === undefined ? undefined : parseDomainName(toAscii(assumed));
  const isKnown = origin?.ok === true;
  const items = readZoneFile(linesOf(text), isKnown ? origin.value : rootName, uLabelsToAscii);
  for (const item of items) {
    if (isProblem(item) || item.type !== rrType.SOA) continue;
    const owner = formatDomainName(item.owner);
    return owner === '.' ? undefined : normalDomain(owner);
  }
  const stated = FIRST_ORIGIN.exec(text)?.[1];
  if (stated !== undefined) return normalDomain(stated);
  return isKnown ? assumed : undefined;
}

const FIRST_ORIGIN = /^\$ORIGIN\s+([^\s;.][^\s;]*)/im;

/** `example.com`, `example.com.zone`, `db.example.com` and the like. */
function nameFromFile(path: string): string | undefined {
  const name = basename(path)
    .replace(/\.(?:axfr|db|dns|hosts|master|txt|zone)$/i, '')
    .replace(/^(?:db|master|named|pri|zone)\./i, '');
  return DOMAIN.test(name) ? normalDomain(name) : undefined;
}

/** With A-labels or U-labels. */
const DOMAIN = /^[\p{L}\p{M}\p{N}_-]+(?:\.[\p{L}\p{M}\p{N}_-]+)+$/u;

/** Files larger than the service's limit are not read into memory completely. */
function readZoneOctets(path: string): Promise<Uint8Array> {
  return readOctets(path, createReadStream(path), MAX_ZONE_BODY_BYTES);
}
