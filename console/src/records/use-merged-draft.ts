import { useCallback, useMemo } from 'react';
import type { Draft } from './draft.ts';
import { editOnTop, mergeDraft, type MergedDraft } from './merge-draft.ts';
import { useDraft } from './use-draft.ts';
import type { RecordSet } from './record-set.ts';

export interface MergedDraftEditor {
  /** Undefined: it is being read, or the records are. */
  readonly merge: MergedDraft | undefined;
  readonly change: (edit: (draft: Draft) => Draft) => Promise<void>;
  /** Edits what is kept as it is: after an answer, which can come when the page shows older records. */
  readonly changeKept: (edit: (draft: Draft) => Draft) => Promise<void>;
  readonly failure: unknown;
}

/**
 * The staged changes of a domain, compared with its records as they were read last. Nothing is shown, edited or sent in another way:
 * a draft can be older than the page, and what others did meanwhile would be overwritten.
 */
export function useMergedDraft(domain: string, set: RecordSet | undefined): MergedDraftEditor {
  const { draft, change, failure } = useDraft(domain);
  const now = useMemo(
    () => new Map((set?.isPart === false ? set.records : []).map((record) => [record.id, record])),
    [set],
  );
  const isComplete = set?.isPart === false;
  const serial = set?.serial;
  const merge = useMemo(() => {
    if (draft === undefined || set === undefined) return undefined;
    if (!isComplete) return { draft, all: draft, merged: [], conflicts: [] };
    return mergeDraft(draft, now);
  }, [draft, set, isComplete, now]);
  const changeMerged = useCallback(
    (edit: (draft: Draft) => Draft) =>
      change((kept) => (isComplete ? editOnTop(kept, now, serial, edit) : edit(kept))),
    [change, isComplete, now, serial],
  );
  return { merge, change: changeMerged, changeKept: change, failure };
}
