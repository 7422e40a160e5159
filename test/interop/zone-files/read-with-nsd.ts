// Reads a zone file with NSD. It prints text in its own style, which BIND then converts to wire format.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ListedRecord } from '../../zone-files/listing.ts';
import { readWithBind } from './read-with-bind.ts';
import { runForOctets } from './run-for-octets.ts';

export async function readWithNsd(text: string, origin: string): Promise<ListedRecord[]> {
  const folder = mkdtempSync(join(tmpdir(), 'zonewright-nsd-'));
  try {
    const file = join(folder, 'zone');
    writeFileSync(file, text, 'latin1');
    const printed = await runForOctets('nsd-checkzone', ['-p', origin, file], '');
    return await readWithBind(printed.toString('latin1'), origin);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
