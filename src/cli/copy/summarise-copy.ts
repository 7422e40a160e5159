import { countOf } from '../terminal/count-of.ts';
import { needsAttention, totalsOf, type DomainReport, type Totals } from './copy-report.ts';

/** The last line on stderr. It says that both sides are equal only if they are. */
export function summarise(reports: readonly DomainReport[], isApplied: boolean): string {
  const totals = totalsOf(reports);
  return [describeChanges(totals, isApplied), ...describeKept(totals), ...describeSkipped(totals)].join('; ');
}

function describeChanges(totals: Totals, isApplied: boolean): string {
  const { domains, failed, left, changed, created, updated, deleted, unchanged } = totals;
  if (changed === 0 && (left > 0 || domains === failed)) return 'nothing was changed';
  if (changed === 0) {
    const same = `${countOf(domains - failed, 'domain')}, ${countOf(unchanged, 'record')}`;
    return needsAttention(totals) || totals.kept.gone > 0
      ? `nothing was changed (${same} as at the source)`
      : `nothing to change: the service already matches the source (${same})`;
  }
  const records = `${countOf(created, 'record')} created, ${updated} updated, ${deleted} deleted, ${unchanged} unchanged`;
  return isApplied
    ? `${countOf(changed, 'domain')} copied: ${records}`
    : `dry run, nothing was changed: ${countOf(changed, 'domain')} would change`;
}

function describeKept({ kept }: Totals): readonly string[] {
  return [
    kept.here > 0 ? `${countOf(kept.here, 'record')} made here kept` : '',
    kept.elsewhere > 0 ? `${countOf(kept.elsewhere, 'record')} of another source kept` : '',
    kept.gone > 0 ? `${countOf(kept.gone, 'record')} kept that the source no longer has` : '',
    kept.unknown > 0 ? `${countOf(kept.unknown, 'record')} of unknown origin kept` : '',
  ].filter((words) => words !== '');
}

function describeSkipped({ lost }: Totals): readonly string[] {
  return lost > 0 ? [`${countOf(lost, 'skipped record')} to replace`] : [];
}

/** Explains why a copy without failures is incomplete. */
export function describeAttention({ lost, kept }: Totals): string {
  const sentences = [
    lost > 0 ? `${countOf(lost, 'skipped record')} must be replaced by hand, see above` : '',
    kept.unknown > 0
      ? `the source does not have ${countOf(kept.unknown, 'record')}, and the newest part of the history does not say whether a copy ` +
        'brought them: delete them, or use --replace'
      : '',
    kept.uncompared > 0
      ? `in ${countOf(kept.uncompared, 'domain')}, records that are gone at the source could not be looked for`
      : '',
  ];
  return sentences.filter((sentence) => sentence !== '').join('; ');
}
