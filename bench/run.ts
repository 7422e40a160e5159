/**
 * `npm run bench`: performance of one service on the embedded store on this machine, as tables.
 *
 *     npm run bench             everything, about six minutes
 *     npm run bench -- create   only rows whose name contains the word
 *     npm run bench -- --also ../before   another built checkout too, measured in turn with this one
 */

import { cpus } from 'node:os';
import { basename, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { bulkMeasurements } from './bulk-measurements.ts';
import type { Figures, MeasurementGroup } from './measurement.ts';
import { printTable } from './print-table.ts';
import { serviceMeasurements } from './service-measurements.ts';
import { ownCheckout, startService } from './service-under-test.ts';

const { values, positionals } = parseArgs({
  options: { also: { type: 'string', multiple: true, default: [] } },
  allowPositionals: true,
});
const groups: readonly MeasurementGroup[] = [serviceMeasurements, bulkMeasurements];
const checkouts = [ownCheckout, ...values.also.map((folder) => resolve(folder))];
const word = positionals.at(0) ?? '';
const isWanted = (row: string): boolean => row.includes(word);

if (!groups.some(({ measurements }) => measurements.some(({ rows }) => rows.some(isWanted)))) {
  throw new Error(`no row has "${word}" in its name`);
}
console.log(`${cpus()[0].model}, ${cpus().length} cores, Node ${process.versions.node}`);
for (const group of groups) {
  const rows = await measureGroup(group);
  if (rows.length === 0) continue;
  console.log(`\n${group.title}\n`);
  printTable(['what', ...group.heads], rows);
}

/**
 * Each group runs on new services, one for each checkout, so that no group depends on what another left in store and
 * memory. Each measurement runs on all of them in turn, and each round begins with the one that ended the last.
 */
async function measureGroup(group: MeasurementGroup): Promise<string[][]> {
  const wanted = group.measurements.filter(({ rows }) => rows.some(isWanted));
  if (wanted.length === 0) return [];
  const services = await Promise.all(checkouts.map((checkout) => startService({ checkout })));
  try {
    const measured: string[][] = [];
    for (const measurement of wanted) {
      const rounds = services.map((): (readonly Figures[])[] => []);
      const order = services.map((service, index) => ({ service, index }));
      for (let round = 0; round < (measurement.rounds ?? 1); round++) {
        for (const { service, index } of order) rounds[index].push(await measurement.measure(service, round));
        order.reverse();
      }
      const rowCount = measurement.rows.length;
      const figures = rounds.map((ofService) =>
        Array.from({ length: rowCount }, (_, row) =>
          medians(ofService.map((figuresOfRows) => figuresOfRows[row])),
        ),
      );
      measured.push(...namedRows(measurement.rows, figures));
      process.stderr.write(`measured: ${measurement.rows.join(', ')}\n`);
    }
    return measured;
  } finally {
    await Promise.all(services.map((service) => service.stop()));
  }
}

/** The median of each column by itself; texts without a number at their start keep their order. */
function medians(rounds: readonly Figures[]): Figures {
  return rounds[0].map((_, column) => {
    const sorted = rounds.map((figures) => figures[column]).sort((a, b) => numberOf(a) - numberOf(b));
    return sorted[Math.floor(sorted.length / 2)];
  });
}

/** The number that a figure begins with: `2,314 creates/s`. All rounds of a figure have the same unit. */
function numberOf(figure: string): number {
  return parseFloat(figure.replaceAll(',', ''));
}

/** The wanted rows, each followed by those of the other checkouts. */
function namedRows(rows: readonly string[], figures: readonly (readonly Figures[])[]): string[][] {
  return rows.flatMap((row, i) => {
    if (!isWanted(row)) return [];
    return figures.map((each, k) => [k === 0 ? row : `… with ${basename(checkouts[k])}`, ...each[i]]);
  });
}
