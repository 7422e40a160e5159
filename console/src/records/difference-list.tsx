import { useMemo } from 'react';
import type { ChangesJson } from '../../../src/contract/response-shapes.ts';
import { Button } from '../parts/button.tsx';
import { VirtualList } from '../parts/virtual-list.tsx';
import { text } from '../text/en.ts';
import type { Draft } from './draft.ts';
import { shownName, valueOf, type RecordValue } from './record-value.ts';

export interface Difference {
  readonly key: string;
  readonly kind: 'created' | 'changed' | 'deleted';
  readonly before: RecordValue | undefined;
  readonly after: RecordValue | undefined;
}

/** The height of a row with two lines, in pixels. */
const ROW_HEIGHT = 57;

const marks = { created: '+', changed: '~', deleted: '-' } as const;
const words = {
  created: text.records.added,
  changed: text.records.changed,
  deleted: text.records.removed,
} as const;

/** Each staged change: new, changed (old above new), deleted. */
export function DifferenceList({
  draft,
  onUndo,
}: {
  readonly draft: Draft;
  /** Absent: it cannot be taken back. */
  readonly onUndo?: (key: string) => void;
}) {
  const rows = useMemo(() => differencesOf(draft), [draft]);
  return <DifferenceRows rows={rows} {...(onUndo && { onUndo })} />;
}

/** The rows may be many. */
export function DifferenceRows({
  rows,
  onUndo,
}: {
  readonly rows: readonly Difference[];
  readonly onUndo?: (key: string) => void;
}) {
  return (
    <VirtualList
      rows={rows}
      keyOf={({ key }) => key}
      rowHeight={ROW_HEIGHT}
      label={text.records.state}
      className="differences"
    >
      {(row) => <DifferenceRow row={row} {...(onUndo && { onUndo })} />}
    </VirtualList>
  );
}

function differencesOf({ created, changed, deleted }: Draft): readonly Difference[] {
  return [
    ...Object.entries(created).map(([key, after]) => ({
      key,
      kind: 'created' as const,
      before: undefined,
      after,
    })),
    ...Object.entries(changed).map(([key, { before, after }]) => ({
      key,
      kind: 'changed' as const,
      before: valueOf(before),
      after,
    })),
    ...Object.entries(deleted).map(([key, record]) => ({
      key,
      kind: 'deleted' as const,
      before: valueOf(record),
      after: undefined,
    })),
  ];
}

/** Returns what a write has changed, or would change. */
export function differencesOfChanges({ created, updated, deleted }: ChangesJson): readonly Difference[] {
  return [
    ...created.map((record) => ({
      key: record.id,
      kind: 'created' as const,
      before: undefined,
      after: valueOf(record),
    })),
    ...updated.map(({ before, after, strings }) => ({
      key: after.id,
      kind: 'changed' as const,
      before: withStrings(valueOf(before), strings?.before),
      after: withStrings(valueOf(after), strings?.after),
    })),
    ...deleted.map((record) => ({
      key: record.id,
      kind: 'deleted' as const,
      before: valueOf(record),
      after: undefined,
    })),
  ];
}

/** Texts that are shown alike can differ in how they are divided. */
function withStrings(value: RecordValue, strings: string | undefined): RecordValue {
  return strings === undefined ? value : { ...value, data: strings };
}

export function DifferenceRow({
  row: { key, kind, before, after },
  onUndo,
}: {
  readonly row: Difference;
  readonly onUndo?: (key: string) => void;
}) {
  const value = after ?? before;
  if (value === undefined) return null;
  return (
    <div className={`difference ${kind}`}>
      <span className="mark">
        <span aria-hidden="true">{marks[kind]}</span> {words[kind]}
      </span>
      <span>
        {before && after && before.name !== after.name && (
          <>
            <s>{shownName(before.name)}</s>{' '}
          </>
        )}
        {shownName(value.name)}
      </span>
      <span>{value.type}</span>
      <span className="versions">
        {before && <Version value={before} isOld={kind !== 'created'} />}
        {after && <Version value={after} isOld={false} />}
      </span>
      {onUndo && (
        <Button
          kind="quiet"
          aria-label={`${text.records.undo}: ${shownName(value.name)} ${value.type}`}
          onClick={() => onUndo(key)}
        >
          {text.records.undo}
        </Button>
      )}
    </div>
  );
}

function Version({ value, isOld }: { readonly value: RecordValue; readonly isOld: boolean }) {
  const line = `${value.ttl} ${value.data}`;
  return (
    <span>
      <span className="hidden">{isOld ? text.review.old : text.review.new} </span>
      {isOld ? <s>{line}</s> : line}
    </span>
  );
}
