import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { malformed, parsed, type Parsed } from '../../base/parsed.ts';
import { CommandFailure } from '../command-failure.ts';
import { normalDomain } from '../dns/zone-names.ts';
import { exitCodes } from '../exit-codes.ts';
import { codeOf, unreadable } from '../file-failures.ts';
import {
  failingZone,
  selectZones,
  type CopySource,
  type LoadedZone,
  type SourceZone,
} from './copy-source.ts';

/** How the export of one provider becomes zones. */
export interface JsonExport {
  /** `Cloudflare`, for people. */
  readonly provider: string;
  /** Undefined: the export does not say it, and the file's name has to. */
  findDomain(json: unknown): string | undefined;
  /** Undefined: this is no export of that provider. */
  readZone(domain: string, json: unknown): LoadedZone | undefined;
}

/** A JSON file for each zone, or a folder of them (`example.com.json`). */
export function jsonFileSource(
  format: JsonExport,
  path: string,
  wanted: readonly string[] | undefined,
): CopySource {
  const description = `the export ${path} of ${format.provider}`;
  return {
    description,
    async list() {
      const files = await listJsonFiles(path);
      const zones: SourceZone[] = [];
      for (const file of files) {
        zones.push(
          await zoneOf(format, file, files.length === 1 && wanted?.length === 1 ? wanted[0] : undefined),
        );
      }
      return selectZones(zones, wanted, description);
    },
  };
}

async function listJsonFiles(path: string): Promise<readonly string[]> {
  try {
    if (!(await stat(path)).isDirectory()) return [path];
    const names = await readdir(path);
    return names
      .filter((name) => /^[^.].*\.json$/i.test(name))
      .sort()
      .map((name) => join(path, name));
  } catch (error) {
    throw unreadable(path, error);
  }
}

async function zoneOf(format: JsonExport, file: string, named: string | undefined): Promise<SourceZone> {
  const nameOfFile = normalDomain(basename(file).replace(/\.json$/i, ''));
  const read = await readJson(file);
  // One broken file of a folder does not concern the others.
  if (!read.ok) return failingZone(nameOfFile, exitCodes.usage, read.problem);
  const json = read.value;
  const stated = format.findDomain(json);
  const domain = stated === undefined ? (named ?? nameOfFile) : normalDomain(stated);
  return {
    domain,
    load() {
      const zone = format.readZone(domain, json);
      if (zone !== undefined) return Promise.resolve(zone);
      const sentence = `${file} is not an export of ${format.provider} in the form that --help shows`;
      return Promise.reject(new CommandFailure(exitCodes.usage, sentence));
    },
  };
}

async function readJson(file: string): Promise<Parsed<unknown>> {
  try {
    return parsed(JSON.parse(await readFile(file, 'utf8')));
  } catch (error) {
    const reason = error instanceof SyntaxError ? 'it is no JSON' : codeOf(error);
    return malformed(`${file} cannot be read (${reason})`);
  }
}
