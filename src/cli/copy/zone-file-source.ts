import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { MAX_ZONE_BODY_BYTES } from '../../contract/body-sizes.ts';
import { rrType } from '../../dns/codes.ts';
import { formatDomainName, parseDomainName, rootName } from '../../dns/name.ts';
import { isProblem, linesOf, readZoneFile } from '../../dns/zone-file/read-zone-file.ts';
import { normalDomain } from '../names/zone-names.ts';
import { exitCodes } from '../failures/exit-codes.ts';
import { unreadable } from '../failures/file-failures.ts';
import { decodeUtf8, readOctets } from '../input/open-input.ts';
import {
  failingZone,
  listNames,
  selectZones,
  zoneOrFailing,
  type CopySource,
  type SourceZone,
} from './copy-source.ts';

/**
 * A master file, or a folder of them. A file's zone is the owner of its SOA record, else its first $ORIGIN, else the
 * file's name. The text is sent as it is, so that problems name its own lines.
 */
export function zoneFileSource(path: string, wanted: readonly string[] | undefined): CopySource {
  const description = `the file ${path}`;
  return {
    description,
    async list(say) {
      const found = await lookInto(path);
      if (found === undefined) {
        const zone = await zoneOf(path, wanted?.length === 1 ? wanted[0] : undefined);
        return selectZones([zone], wanted, description);
      }
      if (found.leftOut.length > 0) {
        say(`left out of ${path}, as folders or no master files by their names: ${listNames(found.leftOut)}`);
      }
      const zones: SourceZone[] = [];
      for (const file of found.names.map((name) => join(path, name))) {
        zones.push(await zoneOrFailing(nameFromFile(file) ?? basename(file), () => zoneOf(file, undefined)));
      }
      return selectZones(zones, wanted, description);
    },
  };
}

interface Folder {
  readonly names: readonly string[];
  /** Folders in it, and files that are no zones; hidden ones are not worth a word. */
  readonly leftOut: readonly string[];
}

/** Undefined: it is no folder. Links are followed; one that leads nowhere is a zone that cannot be read. */
async function lookInto(path: string): Promise<Folder | undefined> {
  try {
    if (!(await stat(path)).isDirectory()) return undefined;
    const names: string[] = [];
    const leftOut: string[] = [];
    for (const name of (await readdir(path)).filter((name) => !name.startsWith('.')).sort()) {
      const found = await stat(join(path, name)).catch(() => undefined);
      if (found?.isFile() === false) leftOut.push(found.isDirectory() ? `${name}/` : name);
      else (NOT_A_ZONE.test(name) ? leftOut : names).push(name);
    }
    return { names, leftOut };
  } catch (error) {
    throw unreadable(path, error);
  }
}

/** What is said about zones, key files, journals, logs and editors' copies. */
const NOT_A_ZONE =
  /^readme(?:\.(?:md|rst|txt))?$|~$|\.(?:bak|conf|jbk|jnl|json|key|log|old|orig|private|swp)$/i;

async function zoneOf(path: string, named: string | undefined): Promise<SourceZone> {
  const octets = await readZoneOctets(path);
  // What is no UTF-8 is told of the zone that it is in.
  const domain = findZoneName(new TextDecoder().decode(octets), named ?? nameFromFile(path));
  if (domain === undefined) {
    const reason = 'it has neither a SOA record nor $ORIGIN, and its name is no domain';
    return failingZone(basename(path), exitCodes.usage, `the zone of ${path} is unknown: ${reason}`);
  }
  return {
    domain,
    // Read again: a folder of thousands need not lie in memory.
    load: async () => ({ text: decodeUtf8(path, await readZoneOctets(path)), setAside: [], notes: [] }),
  };
}

/** Exported for its test. @param assumed the zone unless the text says another */
export function findZoneName(text: string, assumed: string | undefined): string | undefined {
  const origin = assumed === undefined ? undefined : parseDomainName(assumed);
  const isKnown = origin?.ok === true;
  for (const item of readZoneFile(linesOf(text), isKnown ? origin.value : rootName)) {
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
  return /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)+$/i.test(name) ? normalDomain(name) : undefined;
}

/** What is larger than the service takes as one zone is not held in memory to find that out. */
function readZoneOctets(path: string): Promise<Uint8Array> {
  return readOctets(path, createReadStream(path), MAX_ZONE_BODY_BYTES);
}
