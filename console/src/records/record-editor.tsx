import { useMemo, useRef, useState, type KeyboardEvent, type SubmitEvent } from 'react';
import type { RecordJson } from '../../../src/contract/response-shapes.ts';
import { Band } from '../parts/band.tsx';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { TextField } from '../parts/field.tsx';
import { useUnloadGuard } from '../parts/use-unload-guard.ts';
import { text } from '../text/en.ts';
import { formatNumber } from '../text/format-values.ts';
import { DataForm } from './data-form.tsx';
import { stageChanges, stageCreation, stageDeletions, unstage, type Draft } from './draft.ts';
import type { GridColumn } from './grid-row.tsx';
import { readTypedName } from './record-name.ts';
import { shownName, type RecordValue } from './record-value.ts';
import { TypeField } from './type-field.tsx';
import { useRecordForm, type RecordForm } from './use-record-form.ts';

export interface EditorTarget {
  /** The id of the record, or the key of a new one. */
  readonly key: string;
  /** Undefined: a new record. */
  readonly record: RecordJson | undefined;
  /** As it is staged; undefined: nothing is filled in. */
  readonly value: RecordValue | undefined;
  /** The field that gets the focus. */
  readonly column: GridColumn;
  /** The upper edge of its row, in the window. */
  readonly top: number | undefined;
}

interface RecordEditorProps {
  readonly domain: string;
  readonly records: readonly RecordJson[];
  readonly target: EditorTarget;
  readonly onDraft: (edit: (draft: Draft) => Draft) => unknown;
  readonly onClose: () => void;
  readonly returnFocus: () => HTMLElement | null;
}

/** A card over the row that it edits; on a phone, the whole screen. What it stages, the grid shows. */
export function RecordEditor({ domain, records, target, onDraft, onClose, returnFocus }: RecordEditorProps) {
  const { record, value } = target;
  const form = useRecordForm(value);
  useUnloadGuard(form.isChanged);
  const first = useRef<HTMLElement>(null);
  const [isLeaving, setLeaving] = useState(false);
  const stay = (): void => {
    setLeaving(false);
    first.current?.focus();
  };
  const leave = (): void => {
    if (!form.isChanged) onClose();
    else if (isLeaving) stay();
    else setLeaving(true);
  };
  const stage = (event: SubmitEvent): void => {
    event.preventDefault();
    const staged = form.submit();
    if (staged === undefined) return;
    onDraft((draft) =>
      record === undefined
        ? stageCreation(draft, target.key, staged)
        : stageChanges(draft, [{ before: record, after: staged }]),
    );
    onClose();
  };
  const remove = (): void => {
    onDraft((draft) =>
      record === undefined ? unstage(draft, [target.key]) : stageDeletions(draft, [record]),
    );
    onClose();
  };
  const submitByKey = (event: KeyboardEvent<HTMLFormElement>): void => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit();
  };
  const title =
    record === undefined ? text.editor.addTitle : text.editor.editTitle(shownName(record.name), record.type);
  const top = `clamp(8px, ${Math.round(target.top ?? 120)}px, max(8px, 100dvh - 26rem))`;
  return (
    <Dialog
      title={title}
      isOpen
      onClose={leave}
      className="editor"
      style={{ top }}
      isClear
      focus={first}
      returnFocus={returnFocus}
    >
      <form
        className="stack"
        noValidate
        onSubmit={stage}
        onKeyDown={submitByKey}
        ref={(element) => {
          first.current = element?.querySelector<HTMLElement>(fieldOf(target.column)) ?? null;
        }}
      >
        <div className="editor-fields">
          <NameField domain={domain} form={form} />
          <TypeField type={form.type} onType={form.setType} isFixed={record !== undefined} />
          <TtlField form={form} />
        </div>
        <DataForm form={form} hosts={useHosts(domain, records)} />
        {isLeaving && <Leaving onStay={stay} onLeave={onClose} />}
        <div className="actions">
          {value !== undefined && (
            <Button kind="danger" className="apart" onClick={remove}>
              {record === undefined ? text.records.discard : text.editor.stageDelete}
            </Button>
          )}
          <Button onClick={onClose}>{text.cancel}</Button>
          <Button kind="primary" type="submit">
            {text.editor.stage}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** Esc keeps what was typed until somebody says otherwise. */
function Leaving({ onStay, onLeave }: { readonly onStay: () => void; readonly onLeave: () => void }) {
  return (
    <Band kind="warning" title={text.editor.leaving}>
      <div className="line">
        <Button autoFocus onClick={onStay}>
          {text.editor.stay}
        </Button>
        <Button kind="danger" onClick={onLeave}>
          {text.editor.leave}
        </Button>
      </div>
    </Band>
  );
}

function fieldOf(column: GridColumn): string {
  if (column === 'name' || column === 'type' || column === 'ttl') return `[name="record-${column}"]`;
  return '[name="record-data"]';
}

function NameField({ domain, form }: { readonly domain: string; readonly form: RecordForm }) {
  const { name, hadDomain, served } = readTypedName(form.name, domain);
  const preview = hadDomain
    ? text.editor.stripped(domain, shownName(name))
    : `${text.editor.served(served)}.`;
  return (
    <TextField
      label={text.editor.name}
      name="record-name"
      className="mono"
      placeholder="@"
      value={form.name}
      onValue={form.setName}
      hint={preview}
    />
  );
}

function TtlField({ form }: { readonly form: RecordForm }) {
  const hint =
    form.ttlSeconds === undefined
      ? text.editor.ttlHint
      : text.editor.ttlSeconds(formatNumber(form.ttlSeconds));
  return (
    <TextField
      label={text.editor.ttl}
      name="record-ttl"
      className="mono"
      value={form.ttl}
      onValue={form.setTtl}
      hint={hint}
      problem={form.ttlSeconds === undefined ? text.editor.ttlProblem : undefined}
    />
  );
}

/** Suggestions for targets: more would be no help. */
const MAX_HOSTS = 50;

/** Names of the domain that have an address. */
function useHosts(domain: string, records: readonly RecordJson[]): readonly string[] {
  return useMemo(() => {
    const hosts = new Set<string>();
    for (const { type, name } of records) {
      if (hosts.size === MAX_HOSTS) break;
      if (type === 'A' || type === 'AAAA') hosts.add(readTypedName(name, domain).served);
    }
    return [...hosts];
  }, [domain, records]);
}
