import { useState } from 'react';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { TextField } from '../parts/field.tsx';
import { copyText } from '../parts/toasts.tsx';
import { text } from '../text/en.ts';
import { formatNumber } from '../text/format-values.ts';
import { stageChanges, stageCreation, stageDeletions, unstage, type Draft } from './draft.ts';
import { parseTtl } from './parse-ttl.ts';
import type { Row } from './record-rows.ts';
import { recordsOf, showRow } from './row-state.ts';
import type { Selection } from './use-selection.ts';
import { formatZoneText } from './zone-text.ts';

interface SelectionDockProps {
  readonly domain: string;
  readonly selection: Selection;
  readonly draft: Draft;
  readonly onDraft: (edit: (draft: Draft) => Draft) => unknown;
}

const none: ReadonlySet<string> = new Set();

/** Changes of the selected records in sight, staged like any other. */
export function SelectionDock({ domain, selection, draft, onDraft }: SelectionDockProps) {
  const { seen: rows, hidden } = selection;
  const [isSettingTtl, setSettingTtl] = useState(false);
  const count = formatNumber(rows.length);
  const copyAll = (): void => {
    const values = rows.map((row) => showRow(row, draft).value);
    void copyText(formatZoneText(domain, values), text.records.recordsCopied(count));
  };
  const removeAll = (): void => {
    onDraft((before) => stageDeletions(unstage(before, addedKeys(rows)), recordsOf(rows)));
    selection.deselect(rows);
  };
  return (
    <div className="dock" data-region role="region" aria-label={text.records.select}>
      <span className="state numbers" role="status">
        {text.records.selected(count)}
        {hidden > 0 && <span className="muted">{text.records.selectedHidden(formatNumber(hidden))}</span>}
      </span>
      <Button onClick={() => setSettingTtl(true)}>{text.records.setTtl}</Button>
      <Button onClick={copyAll}>{text.records.copyText}</Button>
      <Button kind="danger" onClick={removeAll}>
        {text.records.delete}
      </Button>
      <Button onClick={() => selection.setSelected(none)}>{text.records.selectNone}</Button>
      {isSettingTtl && (
        <TtlDialog
          count={count}
          onClose={() => setSettingTtl(false)}
          onTtl={(ttl) => {
            onDraft((before) => stageTtl(before, rows, ttl));
            setSettingTtl(false);
            selection.deselect(rows);
          }}
        />
      )}
    </div>
  );
}

function addedKeys(rows: readonly Row[]): string[] {
  return rows.filter(({ record }) => record === undefined).map(({ key }) => key);
}

function stageTtl(draft: Draft, rows: readonly Row[], ttl: number): Draft {
  const changes = rows.flatMap((row) => {
    const { state, value } = showRow(row, draft);
    return row.record === undefined || state === 'deleted'
      ? []
      : [{ before: row.record, after: { ...value, ttl } }];
  });
  const added = rows.filter(({ record }) => record === undefined);
  return added.reduce(
    (before, { key, value }) => stageCreation(before, key, { ...value, ttl }),
    stageChanges(draft, changes),
  );
}

interface TtlDialogProps {
  readonly count: string;
  readonly onTtl: (seconds: number) => void;
  readonly onClose: () => void;
}

function TtlDialog({ count, onTtl, onClose }: TtlDialogProps) {
  const [typed, setTyped] = useState('');
  const ttl = parseTtl(typed);
  return (
    <Dialog title={text.records.ttlTitle(count)} isOpen onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (ttl !== undefined) onTtl(ttl);
        }}
      >
        <TextField
          label={text.editor.ttl}
          value={typed}
          onValue={setTyped}
          className="mono"
          hint={ttl === undefined ? text.editor.ttlHint : text.editor.ttlSeconds(formatNumber(ttl))}
          problem={typed !== '' && ttl === undefined ? text.editor.ttlProblem : undefined}
        />
        <div className="actions">
          <Button onClick={onClose}>{text.cancel}</Button>
          <Button
            kind="primary"
            type="submit"
            unable={ttl === undefined ? text.editor.ttlProblem : undefined}
          >
            {text.records.stageTtl}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
