import type { Dirent } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { CommandFailure } from '../failures/command-failure.ts';
import { normalDomain } from '../names/zone-names.ts';
import { exitCodes } from '../failures/exit-codes.ts';
import { unreadable } from '../failures/file-failures.ts';
import {
  selectZones,
  zoneOrFailing,
  type CopySource,
  type LoadedZone,
  type SourceZone,
} from './copy-source.ts';
import { listNames } from '../names/list-names.ts';

/** The export format of one provider. */
export interface JsonExport {
  /** For messages: `Cloudflare`. */
  readonly provider: string;
  /** Returns undefined if the export does not name the domain; the file name is used then. */
  findDomain(json: unknown): string | undefined;
  /** Returns a sentence if the export is only a part of the zone: the missing records would look deleted. */
  findGap(json: unknown): string | undefined;
  /** Returns undefined if this is not an export of that provider. */
  readZone(domain: string, json: unknown): LoadedZone | undefined;
}

/** One JSON file per zone, or a folder of them (`example.com.json`). */
export function jsonFileSource(
  format: JsonExport,
  path: string,
  wanted: readonly string[] | undefined,
): CopySource {
  const description = `the export ${path} of ${format.provider}`;
  return {
    description,
    async list(say) {
      const { files, skipped } = await listJsonFiles(path);
      if (skipped.length > 0)
        say(`skipped in ${path}, because they are not JSON files: ${listNames(skipped)}`);
      const named = files.length === 1 && wanted?.length === 1 ? wanted[0] : undefined;
      const zones: SourceZone[] = [];
      for (const file of files) {
        const fileName = normalDomain(basename(file).replace(/\.json$/i, ''));
        zones.push(await zoneOrFailing(fileName, () => zoneOf(format, file, named ?? fileName)));
      }
      return selectZones(zones, wanted, description);
    },
  };
}

interface JsonFiles {
  readonly files: readonly string[];
  /** Sub-folders and other files of a folder. Hidden files are ignored. */
  readonly skipped: readonly string[];
}

async function listJsonFiles(path: string): Promise<JsonFiles> {
  try {
    if (!(await stat(path)).isDirectory()) return { files: [path], skipped: [] };
    const entries = await readdir(path, { withFileTypes: true });
    const shown = entries.filter(({ name }) => !name.startsWith('.')).sort(byName);
    const isJson = (entry: Dirent): boolean => !entry.isDirectory() && /\.json$/i.test(entry.name);
    return {
      files: shown.filter(isJson).map(({ name }) => join(path, name)),
      skipped: shown
        .filter((entry) => !isJson(entry))
        .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name)),
    };
  } catch (error) {
    throw unreadable(path, error);
  }
}

function byName(a: Dirent, b: Dirent): number {
  return a.name < b.name ? -1 : 1;
}

/** @param assumed the domain, unless the export names one */
async function zoneOf(format: JsonExport, file: string, assumed: string): Promise<SourceZone> {
  const domain = normalDomain(format.findDomain(await readJson(file)) ?? assumed);
  return {
    domain,
    // Read again when needed, so that a folder of thousands of zones need not fit in memory.
    async load() {
      const json = await readJson(file);
      const gap = format.findGap(json);
      if (gap !== undefined) throw new CommandFailure(exitCodes.usage, `${file} is not complete: ${gap}`);
      const zone = format.readZone(domain, json);
      if (zone !== undefined) return zone;
      const sentence = `${file} is not an export of ${format.provider}`;
      throw new CommandFailure(exitCodes.usage, sentence);
    },
  };
}

async function readJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw unreadable(file, error);
    throw new CommandFailure(exitCodes.usage, `${file} cannot be read (not valid JSON)`);
  }
}
