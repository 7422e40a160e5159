/**
 * `npm run bench`: performance of one service on the embedded store on this machine, as tables.
 *
 *     npm run bench             everything, about four minutes
 *     npm run bench -- create   only rows whose name contains the word
 */

import { cpus } from 'node:os';
import { bulkMeasurements } from './bulk-measurements.ts';
import type { MeasurementGroup } from './measurement.ts';
import { printTable } from './print-table.ts';
import { serviceMeasurements } from './service-measurements.ts';
import { startService } from './service-under-test.ts';

const groups: readonly MeasurementGroup[] = [serviceMeasurements, bulkMeasurements];
const word = process.argv[2] ?? '';
const isAskedFor = (row: string): boolean => row.includes(word);

if (!groups.some(({ measurements }) => measurements.some(({ rows }) => rows.some(isAskedFor)))) {
  throw new Error(`no row has "${word}" in its name`);
}
console.log(`${cpus()[0].model}, ${cpus().length} cores, Node ${process.versions.node}`);
for (const group of groups) {
  const rows = await measureGroup(group);
  if (rows.length === 0) continue;
  console.log(`\n${group.title}\n`);
  printTable(['what', ...group.heads], rows);
}

/** Each group runs on a new service, so that no group depends on what another left in store and memory. */
async function measureGroup(group: MeasurementGroup): Promise<string[][]> {
  const wanted = group.measurements.filter(({ rows }) => rows.some(isAskedFor));
  if (wanted.length === 0) return [];
  const service = await startService();
  try {
    const measured: string[][] = [];
    for (const { rows, measure } of wanted) {
      const figures = await measure(service);
      measured.push(...rows.map((row, i) => [row, ...figures[i]]));
      process.stderr.write(`measured: ${rows.join(', ')}\n`);
    }
    return measured.filter(([row]) => isAskedFor(row));
  } finally {
    await service.stop();
  }
}
